// Reads vas/test-results.json, VAS's claim about the tests; Ratchet measures for itself.
//
// It accepts the documented form, flat forms, and counts of the suites without a summary. Counts
// have precedence over a rate.
import { count, percent, sentence } from '../../answers/agent-values.js'
import { fieldOf } from '../../text/field-of.js'
import { passRate } from '../../test-results/pass-rate.js'
import { jsonDocument } from './json-document.js'
import { keptItems } from '../kept-items.js'

/** `null` where the file does not say. Percent 0-100; `passRate` without the skipped tests. */
export type ReadTestResults = {
  version?: string
  total: number | null
  passed: number | null
  failed: number | null
  skipped: number | null
  passRate: number | null
  coverage: number | null
  failedTests: string[]
}

export function readTestResults(
  text: string,
): { ok: true; value: ReadTestResults } | { ok: false; problem: string } {
  const json = jsonDocument(text)
  if (!json.ok) return { ok: false, problem: `test-results.json cannot be read: ${json.problem}` }
  const top = json.value
  const tests = testsIn(top)
  const say = (...keys: string[]): number | null => {
    // `tests` stands twice in the sources' sample, as a count and as a list: only other names are
    // counts.
    const places = [fieldOf(top, 'summary'), fieldOf(top, 'totals'), fieldOf(top, 'stats'), top]
    for (const place of places)
      for (const key of keys) {
        const value = fieldOf(place, key)
        const n = Array.isArray(value) ? undefined : count(value)
        if (n !== undefined) return n
      }
    return null
  }
  const passed = say('passed', 'passing', 'passes') ?? counted(tests, /^pass/)
  const failed = say('failed', 'failing', 'failures') ?? counted(tests, FAILED)
  const skipped = say('skipped', 'pending') ?? counted(tests, /^(?:skip|pending|todo|ignored)/)
  const total =
    say('total', 'total_tests', 'tests_total') ??
    (tests.length > 0
      ? tests.length
      : passed !== null && failed !== null
        ? passed + failed + (skipped ?? 0)
        : null)
  const version = sentence(fieldOf(top, 'version'))
  const value = {
    ...(version === undefined || version === '' ? {} : { version: version.slice(0, 40) }),
    total,
    passed,
    failed,
    skipped,
    passRate:
      rate(passed, total, skipped) ??
      percent(
        fieldOf(top, 'pass_rate') ??
          fieldOf(top, 'test_pass_rate') ??
          fieldOf(fieldOf(top, 'summary'), 'pass_rate'),
      ),
    coverage: coverageIn(fieldOf(top, 'coverage')),
    failedTests: failedIn(top, tests),
  }
  if (
    [total, passed, failed, value.passRate, value.coverage].every((one) => one === null) &&
    value.failedTests.length === 0
  )
    return {
      ok: false,
      problem: 'test-results.json has no counts: summary needs total, passed, failed and skipped',
    }
  return { ok: true, value }
}

type NamedTest = { name: string; status: string }

const FAILED = /^(?:fail|error|broken)/

function testsIn(top: unknown): NamedTest[] {
  const suites = fieldOf(top, 'by_suite') ?? fieldOf(top, 'suites')
  const lists = Array.isArray(suites)
    ? (suites as unknown[]).map((suite) => ({
        suite: sentence(fieldOf(suite, 'suite') ?? fieldOf(suite, 'name')) ?? '',
        tests: fieldOf(suite, 'tests'),
      }))
    : []
  return [...lists, { suite: '', tests: fieldOf(top, 'tests') }].flatMap(({ suite, tests }) =>
    (Array.isArray(tests) ? (tests as unknown[]) : []).flatMap((test): NamedTest[] => {
      const name = sentence(
        fieldOf(test, 'name') ?? fieldOf(test, 'test') ?? fieldOf(test, 'title'),
      )
      const status = fieldOf(test, 'status')
      return name === undefined || typeof status !== 'string'
        ? []
        : [{ name: suite === '' ? name : `${suite} > ${name}`, status: status.toLowerCase() }]
    }),
  )
}

function counted(tests: readonly NamedTest[], status: RegExp): number | null {
  return tests.length === 0 ? null : tests.filter((test) => status.test(test.status)).length
}

function rate(passed: number | null, total: number | null, skipped: number | null): number | null {
  if (passed === null || total === null) return null
  const run = total - (skipped ?? 0)
  return run > 0 && passed <= run ? passRate(passed, run) : null
}

// Lines, as a number or as a reporter's `{ pct }`; a bare number is the whole.
function coverageIn(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return percent(value)
  const lines =
    fieldOf(value, 'lines') ??
    fieldOf(fieldOf(value, 'total'), 'lines') ??
    fieldOf(value, 'line') ??
    fieldOf(value, 'overall') ??
    fieldOf(value, 'percent')
  return percent(lines) ?? percent(fieldOf(lines, 'pct'))
}

function failedIn(top: unknown, tests: readonly NamedTest[]): string[] {
  const lists = [
    fieldOf(top, 'failed_tests'),
    fieldOf(top, 'failures'),
    fieldOf(fieldOf(top, 'summary'), 'failed_tests'),
  ]
  const said = lists
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .flatMap((one) => {
      const name = sentence(fieldOf(one, 'name') ?? fieldOf(one, 'test')) ?? sentence(one)
      const suite = fieldOf(one, 'suite')
      return name === undefined
        ? []
        : [typeof suite === 'string' && suite.trim() !== '' ? `${suite} > ${name}` : name]
    })
  return keptItems([
    ...said,
    ...tests.filter((test) => FAILED.test(test.status)).map(({ name }) => name),
  ])
}
