// Reads JUnit XML, in the dialects that runners write, into tests with stable names.
//
// The library parses; entities are decoded here, in one pass and without document types, so that no
// report can make a small file large. What the dialects have in common is little: see `junit-names.ts`.
import { readFileSync, statSync } from 'node:fs'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { StoredTest } from '../../contract/test-run.js'
import { ERROR_KEPT, firstChars, NAME_KEPT, plainText } from '../../core/test-text.js'
import { digest } from '../state-dir.js'
import type { Case, Dialect, Suite } from './junit-names.js'
import { isLoaded, isNode, nameOf } from './junit-names.js'

/** The largest report that is read, in bytes. */
export const REPORT_BYTES = 128 << 20

/** The report is there and cannot be read: not XML, cut off, not JUnit, too large. */
export class BrokenReport extends Error {
  override readonly name = 'BrokenReport'
  constructor(readonly file: string, problem: string) {
    super(problem)
  }
}

/** A test file that the runner could not load or collect. */
export type Unloaded = { file: string; error: string }
export type Report = { tests: StoredTest[]; unloaded: Unloaded[] }

type Element = { '@'?: Record<string, string>; '#text'?: string; cdata?: string | string[] } & { [child: string]: unknown }

const parser = new XMLParser({
  ignoreAttributes: false, attributeNamePrefix: '', attributesGroupName: '@', cdataPropName: 'cdata', textNodeName: '#text',
  parseTagValue: false, parseAttributeValue: false, trimValues: false, processEntities: false,
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error', 'skipped'].includes(name),
})

/**
 * Reads one report.
 *
 * @param cwd where the tests ran; files are named relative to it
 * @throws BrokenReport
 */
export function readJUnit(file: string, cwd: string): Report {
  const { size } = statSync(file)
  if (size > REPORT_BYTES) throw new BrokenReport(file, `it has ${size} bytes, more than ${REPORT_BYTES}`)
  return parseJUnit(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), file, cwd)
}

/** Reads the text of a report; `file` is for the error. */
export function parseJUnit(text: string, file: string, cwd: string): Report {
  if (text.trim() === '') throw new BrokenReport(file, 'it is empty')
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw new BrokenReport(file, `it is no whole XML: ${valid.err.msg} (line ${valid.err.line})`)
  let root: Element
  try {
    root = parser.parse(text) as Element
  } catch (error) {
    throw new BrokenReport(file, (error as Error).message)
  }
  const top = elements(root, 'testsuites').concat('testsuite' in root ? [root] : [])
  if (top.length === 0) throw new BrokenReport(file, 'it holds no <testsuites>')
  const cases = top.flatMap((one) => casesIn(one, { path: [] }))
  return toReport(cases, dialectOf(root, top, cases), cwd)
}

function dialectOf(root: Element, top: Element[], cases: readonly Case[]): Dialect {
  const names = [...elements(root, 'testsuites'), ...top.flatMap((one) => elements(one, 'testsuite'))].map((one) => one['@']?.['name'])
  if (names.includes('pytest tests') || names.includes('pytest')) return 'pytest'
  if (names.includes('vitest tests')) return 'vitest'
  return isNode(cases) ? 'node' : 'other'
}

// A test may stand in a suite, or in none: node:test writes those outside a describe so.
function casesIn(parent: Element, suite: Suite): Case[] {
  const own = elements(parent, 'testcase').map((one): Case => ({
    suite,
    attributes: decoded(one['@']),
    failure: elements(one, 'failure')[0],
    error: elements(one, 'error')[0],
    skipped: 'skipped' in one,
  }))
  return [...own, ...elements(parent, 'testsuite').flatMap((one) => casesOf(one, suite))]
}

function casesOf(element: Element, outer: Suite): Case[] {
  const attributes = decoded(element['@'])
  const name = attributes['name'] ?? ''
  const file = attributes['file'] ?? attributes['filepath'] ?? outer.file
  const suite = { path: [...outer.path, name], ...(file !== undefined && file !== '' && { file }) }
  const cases = casesIn(element, suite)
  // jest-junit counts a file that could not be loaded as an error of its suite, and says no more.
  if (cases.length > 0 || !(Number(attributes['errors']) > 0)) return cases
  return [{ suite, attributes: { name }, failure: undefined, error: { '@': { message: 'the report says no more than that the suite had an error' } }, skipped: false, noTests: true }]
}

function toReport(cases: Case[], dialect: Dialect, cwd: string): Report {
  const report: Report = { tests: [], unloaded: [] }
  const seen = new Map<string, StoredTest>()
  const loaded = isLoaded(cases, dialect)
  for (const one of cases) {
    const { file, test } = shortened(nameOf(one, dialect, cwd))
    // A test of node's that is still to do may fail, which fails nothing.
    const problem = dialect === 'node' && one.skipped ? undefined : (one.failure ?? one.error)
    if (problem !== undefined && !loaded(one)) {
      report.unloaded.push({ file, error: errorText(problem) })
      continue
    }
    const seconds = Number(one.attributes['time'])
    const stored: StoredTest = {
      file, test, status: problem !== undefined ? 'failed' : one.skipped ? 'skipped' : 'passed',
      ...(problem !== undefined && { error: errorText(problem) }),
      ...(Number.isFinite(seconds) && { durationMs: Math.round(seconds * 1000) }),
    }
    const earlier = seen.get(`${file}\0${test}`)
    if (earlier !== undefined && dialect === 'pytest') {
      if (stored.status === 'failed' && earlier.status !== 'failed') Object.assign(earlier, stored) // its teardown failed
      continue
    }
    stored.test = freeName(stored, seen)
    seen.set(`${file}\0${stored.test}`, stored)
    report.tests.push(stored)
  }
  return report
}

// A name may hold a whole data set; what is cut off stays part of what tells it from others.
function shortened({ file, test }: { file: string; test: string }): { file: string; test: string } {
  const cut = (text: string) => (text.length <= NAME_KEPT ? text : `${firstChars(text, NAME_KEPT - 11)} ${digest(text).slice(0, 10)}`)
  return { file: cut(file), test: cut(test) }
}

// Two tests of one name in one file are told apart by their order.
function freeName({ file, test }: StoredTest, seen: ReadonlyMap<string, StoredTest>): string {
  let name = test
  for (let n = 2; seen.has(`${file}\0${name}`); n++) name = `${test} (${n})`
  return name
}

function errorText(element: Element): string {
  const message = decode(element['@']?.['message'] ?? '').trim()
  const cdata = element.cdata ?? ''
  const text = (decode(element['#text'] ?? '') + (Array.isArray(cdata) ? cdata.join('') : cdata)).trim()
  const type = element['@']?.['type']
  const repeated = text.startsWith(message) || (type !== undefined && text.startsWith(`${decode(type)}: ${message}`))
  const whole = message === '' || repeated ? text : `${message}\n${text}`
  return firstChars(plainText(whole).trim(), ERROR_KEPT)
}

// An element without attributes and children is an empty string.
function elements(parent: Element, name: string): Element[] {
  const found = parent[name]
  const all = Array.isArray(found) ? (found as unknown[]) : found === undefined ? [] : [found]
  return all.map((one) => (typeof one === 'object' && one !== null ? (one as Element) : { '#text': String(one) }))
}

function decoded(attributes: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, plainText(decode(value))]))
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
