// Reads JUnit XML, in the dialects that runners write, into tests with stable names.
//
// The library parses; entities are decoded here, in one pass and without document types, so that no
// report can make a small file large. Names differ by dialect: see core/runners/junit-dialect.ts.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { plainText } from '../../../core/text/test-text.js'
import {
  COMMON_JUNIT,
  type Case,
  type JUnitDialect,
  type Places,
  type Suite,
} from '../../../core/runners/junit-dialect.js'
import { ALL_RUNNERS } from '../../../core/runners/known-runners.js'
import { holdsNoTest, moduleOf } from './go-package.js'
import { projectFile } from './project-file.js'
import { BrokenReportError, errorText, Tests, type Report } from './report.js'

type Element = { '@'?: Record<string, string>; '#text'?: string; cdata?: string | string[] } & {
  [child: string]: unknown
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: '@',
  cdataPropName: 'cdata',
  textNodeName: '#text',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error', 'skipped'].includes(name),
})

/**
 * Parses a report; `file` is for the error.
 *
 * @param cwd where the tests ran; files are named relative to it
 * @throws BrokenReportError
 */
export function parseJUnit(text: string, file: string, cwd: string): Report {
  if (text.trim() === '') throw new BrokenReportError(file, 'it is empty')
  const valid = XMLValidator.validate(text)
  if (valid !== true)
    throw new BrokenReportError(
      file,
      `it is no whole XML: ${valid.err.msg} (line ${valid.err.line})`,
    )
  let root: Element
  try {
    root = parser.parse(text) as Element
  } catch (error) {
    throw new BrokenReportError(file, (error as Error).message)
  }
  const top = elements(root, 'testsuites').concat('testsuite' in root ? [root] : [])
  if (top.length === 0) throw new BrokenReportError(file, 'it holds no <testsuites>')
  const cases = top.flatMap((one) => casesIn(one, { path: [] }))
  const dialect = dialectOf(root, top, cases)
  if (cases.some((one) => dialect.isCutOff?.(one) === true))
    throw new BrokenReportError(file, 'it ends in the middle of a test')
  return toReport(cases, dialect, cwd)
}

const DIALECTS: readonly JUnitDialect[] = ALL_RUNNERS.flatMap(({ junit }) => junit ?? [])

function dialectOf(root: Element, top: Element[], cases: readonly Case[]): JUnitDialect {
  const names = [
    ...elements(root, 'testsuites'),
    ...top.flatMap((one) => elements(one, 'testsuite')),
  ].map((one) => one['@']?.['name'])
  const byName = DIALECTS.find(({ suiteNames = [] }) =>
    suiteNames.some((name) => names.includes(name)),
  )
  return byName ?? DIALECTS.find((one) => one.isOwn?.(cases) === true) ?? COMMON_JUNIT
}

// A test may be outside of all suites: node:test writes those outside a describe so.
function casesIn(parent: Element, suite: Suite): Case[] {
  const own = elements(parent, 'testcase').map((one): Case => {
    const attributes = decoded(one['@'])
    const notRun =
      attributes['status'] === 'notrun'
        ? elements(one, 'skipped').find((reason) => !/^SKIP_/.test(reason['@']?.['message'] ?? ''))
        : undefined
    return {
      suite,
      attributes,
      failure: elements(one, 'failure')[0],
      problems: elements(one, 'failure').length + elements(one, 'error').length,
      // ctest calls a test skipped that it could not run (no executable, a failed fixture), and
      // fails for it.
      error: elements(one, 'error')[0] ?? notRun,
      // googletest: disabled, and nothing more is said of it.
      skipped: notRun === undefined && ('skipped' in one || attributes['status'] === 'notrun'),
      // nextest and surefire: failed first, passed on a retry of the runner's own.
      flaky: elements(one, 'flakyFailure')[0] ?? elements(one, 'flakyError')[0],
    }
  })
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
  return [
    {
      suite,
      attributes: { name },
      failure: undefined,
      error: { '@': { message: 'the report only says that the suite had an error' } },
      skipped: false,
      flaky: undefined,
      noTests: true,
    },
  ]
}

function toReport(cases: Case[], dialect: JUnitDialect, cwd: string): Report {
  const tests = new Tests()
  const unloaded: Report['unloaded'] = []
  const loaded = dialect.isLoaded(cases)
  const places: Places = {
    projectFile: (file) => projectFile(file, cwd),
    exists: (file) => existsSync(path.join(cwd, file)),
  }
  for (const one of cases) {
    const { file, test } = dialect.nameOf(one, places)
    const problem =
      dialect.skippedMayFail === true && one.skipped ? undefined : (one.failure ?? one.error)
    if (problem !== undefined && !loaded(one)) {
      unloaded.push({
        file,
        error: problemText(problem),
        ...(isGoBuild(one) && holdsNoTest(moduleOf(cwd), file) && { holdsNoTest: true as const }),
      })
      continue
    }
    const found = {
      file,
      test,
      status:
        problem !== undefined
          ? 'failed'
          : one.skipped
            ? 'skipped'
            : one.flaky !== undefined
              ? 'flaky'
              : 'passed',
      error: problem ?? one.flaky,
      durationMs: Number(one.attributes['time'] ?? NaN) * 1000,
    } as const
    const stored = { ...found, error: found.error && problemText(found.error) }
    const earlier = dialect.listsAgain === true ? tests.named(file, test) : undefined
    if (earlier === undefined)
      tests.add(stored, dialect.suitesAreProjects === true ? one.suite : undefined)
    else if (problem !== undefined && earlier.status !== 'failed')
      Object.assign(earlier, { status: 'failed', error: stored.error })
  }
  // Several of one test, as with subtests, are several.
  const failures = cases.reduce((sum, one) => sum + (one.problems ?? 0), 0)
  const untimed = cases
    .filter(
      (one) =>
        !one.skipped &&
        one.failure === undefined &&
        one.error === undefined &&
        one.attributes['time'] === '0',
    )
    .map((one) => dialect.nameOf(one, places).file)
  return {
    tests: tests.list,
    unloaded,
    failures,
    ...(dialect.listsLostTests === true && untimed.length > 0 ? { untimed } : {}),
  }
}

/** Whether it stands for a package of Go that did not build. */
function isGoBuild({ attributes: { name = '' } }: Case): boolean {
  return /^\[(build|setup) failed\]$/.test(name)
}

function problemText(element: Element): string {
  const message = decode(element['@']?.['message'] ?? '').trim()
  const cdata = element.cdata ?? ''
  const text = (
    decode(element['#text'] ?? '') + (Array.isArray(cdata) ? cdata.join('') : cdata)
  ).trim()
  const type = element['@']?.['type']
  const repeated =
    text.startsWith(message) ||
    (type !== undefined && text.startsWith(`${decode(type)}: ${message}`))
  const whole = message === '' || repeated ? text : `${message}\n${text}`
  return errorText(whole)
}

// An element without attributes and children is an empty string.
function elements(parent: Element, name: string): Element[] {
  const found = parent[name]
  const all = Array.isArray(found) ? (found as unknown[]) : found === undefined ? [] : [found]
  return all.map((one) =>
    typeof one === 'object' && one !== null ? (one as Element) : { '#text': String(one) },
  )
}

function decoded(attributes: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, plainText(decode(value))]),
  )
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : whole
    },
  )
}
