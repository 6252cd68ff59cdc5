// Writes JUnit XML, which nearly every CI shows. One suite for each file; `criticality` is a
// property of its test.
import { XMLBuilder } from 'fast-xml-parser'
import { oneLine, printable, type FinalRun, type ReportedTest } from './final-run.js'

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributesGroupName: '@',
  attributeNamePrefix: '',
  textNodeName: '#text',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false, // otherwise a test called "true" has no name
})

/**
 * Returns the report as text. A run without a measurement is one test with an error, so that no CI
 * shows it as green.
 */
export function junitXml(run: FinalRun, name: string): string {
  const suites = [
    ...(run.problem === undefined ? suitesOf(run.tests) : [problemSuite(run.problem)]),
    ...(run.note === undefined ? [] : [noteSuite(run.note)]),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ testsuites: { '@': { name, ...counts(run) }, testsuite: suites } })}`
}

type Counted = Pick<FinalRun, 'tests' | 'problem'>

function counts({ tests, problem }: Counted): Record<string, string> {
  const of = (status: ReportedTest['status']): number =>
    tests.filter((one) => one.status === status).length
  const broken = problem === undefined ? 0 : 1
  return {
    tests: String(tests.length + broken),
    failures: String(of('failed')),
    errors: String(broken),
    skipped: String(of('skipped')),
    time: seconds(tests.reduce((sum, one) => sum + one.durationMs, 0)),
  }
}

function suitesOf(tests: readonly ReportedTest[]): object[] {
  const byFile = new Map<string, ReportedTest[]>()
  for (const one of tests) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one])
  return [...byFile].map(([file, own]) => ({
    '@': { name: file, ...counts({ tests: own }) },
    testcase: own.map(testCase),
  }))
}

function testCase({ file, test, status, error, durationMs, criticality }: ReportedTest): object {
  const problem = { '@': { message: oneLine(error.split('\n', 1)[0] ?? '') }, '#text': error }
  return {
    '@': { classname: file, name: test, file, time: seconds(durationMs) },
    ...(criticality === undefined
      ? {}
      : { properties: { property: [{ '@': { name: 'criticality', value: criticality } }] } }),
    ...(status === 'failed' ? { failure: problem } : {}),
    ...(status === 'skipped' ? { skipped: {} } : {}),
    // Like Surefire: the test passed in the end.
    ...(status === 'flaky'
      ? {
          flakyFailure:
            error === '' ? { '@': { message: 'failed, then passed on re-run' } } : problem,
        }
      : {}),
  }
}

function problemSuite(problem: string): object {
  return {
    '@': { name: 'test run', ...counts({ tests: [], problem }) },
    testcase: [
      {
        '@': { classname: 'test run', name: 'the tests run', time: '0.000' },
        error: {
          '@': { message: oneLine(problem.split('\n', 1)[0] ?? '') },
          '#text': printable(problem),
        },
      },
    ],
  }
}

// A suite without a test: the only place in the format for properties and output that belong to no
// test.
function noteSuite(note: string): object {
  return {
    '@': { name: 'ratchet', ...counts({ tests: [] }) },
    properties: { property: [{ '@': { name: 'incomplete', value: oneLine(note) } }] },
    'system-out': printable(note),
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
