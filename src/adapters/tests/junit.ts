// Reads JUnit XML, in the dialects that runners write, into tests with stable names.
//
// The library parses; entities are decoded here, in one pass and without document types, so that no
// report can make a small file large. What the dialects have in common is little: see `nameOf`.
import { readFileSync, statSync } from 'node:fs'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { StoredTest } from '../../contract/test-run.js'
import { ERROR_KEPT, firstChars, plainText } from '../../core/test-text.js'
import { pytestName } from './pytest-names.js'
import { projectFile } from './project-file.js'

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
type Case = { suite: string; attributes: Record<string, string>; failure: Element | undefined; error: Element | undefined; skipped: boolean }

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
  if (!('testsuites' in root) && top.length === 0) throw new BrokenReport(file, 'it holds no <testsuites>')
  const dialect = dialectOf(root, top)
  return toReport(top.flatMap((one) => casesIn(one, '')), dialect, cwd)
}

type Dialect = 'vitest' | 'pytest' | 'other'

function dialectOf(root: Element, top: Element[]): Dialect {
  const names = [...elements(root, 'testsuites'), ...top.flatMap((one) => elements(one, 'testsuite'))].map((one) => one['@']?.['name'])
  if (names.includes('pytest tests') || names.includes('pytest')) return 'pytest'
  return names.includes('vitest tests') ? 'vitest' : 'other'
}

function casesIn(parent: Element, suite: string): Case[] {
  return elements(parent, 'testsuite').flatMap((own) => {
    const attributes = decoded(own['@'])
    const name = attributes['file'] ?? attributes['filepath'] ?? attributes['name'] ?? suite
    const cases = elements(own, 'testcase').map((one) => ({
      suite: name,
      attributes: decoded(one['@']),
      failure: elements(one, 'failure')[0],
      error: elements(one, 'error')[0],
      skipped: 'skipped' in one,
    }))
    return [...cases, ...casesIn(own, name)]
  })
}

function toReport(cases: Case[], dialect: Dialect, cwd: string): Report {
  const report: Report = { tests: [], unloaded: [] }
  const seen = new Map<string, StoredTest>()
  const ran = new Set(cases.filter((c) => !c.skipped && !c.failure && !c.error).map((c) => c.suite))
  for (const one of cases) {
    const { file, test } = nameOf(one, dialect, cwd)
    const problem = one.failure ?? one.error
    if (problem !== undefined && isUnloaded(one, dialect, ran)) {
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

// pytest says so in words. vitest lists the file as a test of its own name; when other tests of the
// file ran all the same it was a hook at its end, which is a failure like any other.
function isUnloaded(one: Case, dialect: Dialect, ran: Set<string>): boolean {
  if (dialect === 'pytest') return one.error?.['@']?.['message'] === 'collection failure'
  if (dialect === 'vitest') return one.attributes['name'] === one.suite && !ran.has(one.suite)
  return false
}

function nameOf(one: Case, dialect: Dialect, cwd: string): { file: string; test: string } {
  const { name = '', classname = '', file } = one.attributes
  if (dialect === 'vitest') return { file: projectFile(one.suite, cwd), test: name === one.suite ? projectFile(name, cwd) : name }
  if (dialect === 'pytest') return pytestName({ name, classname, file }, cwd)
  const where = file ?? (/[/\\]|\.\w+$/.test(one.suite) ? one.suite : classname)
  const inClass = classname !== '' && classname !== where && classname !== name && !name.startsWith(classname)
  return { file: projectFile(where, cwd), test: inClass ? `${classname} > ${name}` : name }
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
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
