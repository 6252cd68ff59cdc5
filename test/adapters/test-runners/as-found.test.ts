// Odd suites of real projects: a runner that does not exit, a report with less than its runner
// printed, a test twice in a report, an old mocha. A line of shell acts as the runner;
// test/exhaustive/tests has the real ones.
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  FORMATS,
  type ReportFormat,
} from '../../../src/adapters/test-runners/reports/read-report.js'

apartRuns()
import {
  apartRuns,
  junit,
  measured,
  names,
  programs,
  project,
  put,
  pytestReport,
  refused,
  sh,
  type Results,
} from '../../support/runs/measured-runs.js'

/** A fake pytest: writes this report to the given path, prints, and continues with `then`. */
function fakePytest(
  results: Results,
  {
    prints = '',
    then = 'exit 1',
    report = pytestReport(results),
  }: { prints?: string; then?: string; report?: string },
): { command: string[] } {
  const play = `#!/bin/sh\nfor one; do case $one in --junitxml=*) report=\${one#*=} ;; esac; done\nprintf %s '${report.replaceAll("'", '"')}' > "$report"\nprintf '%s\\n' '${prints}'\n${then}\n`
  return { command: [path.join(programs({ pytest: play }), 'pytest')] }
}

const MIXED: Results = { 'test_a.py': { test_a: 'passed', test_b: 'failed' } }
const GREEN: Results = { 'test_a.py': { test_a: 'passed', test_b: 'passed' } }

describe('a runner that has written its complete report and does not exit', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'failures', results: MIXED, then: 'exec sleep 1000', says: { total: 2, passed: 1, failed: 1 } },
    { why: 'none', results: GREEN, then: 'exec sleep 1000', says: { total: 2, passed: 2, failed: 0 } },
    { why: 'none, and a bad exit code on TERM', results: GREEN, then: "trap 'exit 3' TERM; sleep 1000 & wait", says: { total: 2, passed: 2, failed: 0 } },
  ],
  )('is ended after a while, and its results count: $why', async ({ results, then, says }) => {
    expect(
      await measured(project(), { idleMs: 200, test: fakePytest(results, { then }) }),
    ).toMatchObject({ ...says, note: expect.stringContaining('did not exit') as string })
  })

  test('not while it prints', async () => {
    const run = await measured(project(), {
      idleMs: 2_500,
      test: fakePytest(GREEN, {
        then: 'for n in 1 2 3 4; do sleep 1; echo still here; done; exit 0',
      }),
    })
    expect([run.passed, run.note]).toEqual([2, undefined])
    expect(readFileSync(run.output.path, 'utf8').match(/still here/g)).toHaveLength(4)
  })

  test('not where its report has no end', async () => {
    const own = fakePytest(GREEN, {
      report: pytestReport(GREEN).replace('</testsuites>', ''),
      then: 'exec sleep 1000',
    })
    expect(await refused(project(), { idleMs: 200, timeoutMs: 2_500, test: own })).toMatchObject({
      reason: expect.stringContaining('did not end within') as string,
    })
  })
})

describe('a first run that reaches its limit', () => {
  /** Each test takes 0.3 s; what follows them is `then`. */
  const slow = (tests: number, then = 'exit 0') =>
    fakePytest(GREEN, {
      then: `n=0; while [ $n -lt ${tests} ]; do sleep 0.3; n=$((n+1)); echo "test_$n.py ."; done; ${then}`,
    })

  test('gets more time once while tests finish, and names the value to set', async () => {
    const run = await measured(project(), { timeoutMs: 2_500, test: slow(10) })
    expect([run.passed, run.note]).toEqual([
      2,
      'the tests took longer than test.timeout, so it was extended once: set it to "1m"',
    ])
  })

  test('not where a test hangs', async () => {
    expect(
      await refused(project(), {
        timeoutMs: 1_500,
        graceMs: 100,
        test: slow(1, 'exec sleep 1000'),
      }),
    ).toMatchObject({ reason: expect.stringContaining('did not end within 1500 ms') as string })
  })

  test('not twice', async () => {
    expect(
      await refused(project(), { timeoutMs: 1_200, graceMs: 100, test: slow(1_000) }),
    ).toMatchObject({ kind: 'not_started' })
  })

  test('later runs have the same time limit', async () => {
    const cwd = project()
    const { results: baseline } = await measured(cwd, { timeoutMs: 2_500, test: slow(10) })
    expect(await measured(cwd, { baseline, timeoutMs: 2_500, test: slow(10) })).toMatchObject({
      passed: 2,
    })
    expect(
      await refused(cwd, { baseline, timeoutMs: 800, graceMs: 100, test: slow(1_000) }),
    ).toMatchObject({ kind: 'not_started' })
  })
})

describe('compares the printed summary of the runner with the report', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'more failures than the report has', results: GREEN, prints: '=== 1 failed, 1 passed in 0.1s ===', then: 'exit 0' },
    { why: 'more failures than the report has, exit 1', results: MIXED, prints: '=== 2 failed in 0.1s ===', then: 'exit 1' },
  ],
  )('refused: $why', async ({ results, prints, then }) => {
    const run = await refused(project(), { test: fakePytest(results, { prints, then }) })
    expect(run.kind).toBe('cannot_execute')
    expect(run.reason).toMatch(
      /^The runner printed \d failed tests?, but its report lists \d failures?\. /,
    )
  })

  test('after a measured run it came with a change', async () => {
    const cwd = project()
    const baseline = (
      await measured(cwd, {
        test: fakePytest(MIXED, { prints: '=== 1 failed, 1 passed in 0.1s ===' }),
      })
    ).results
    expect(
      await refused(cwd, {
        baseline,
        test: fakePytest(GREEN, { prints: '=== 1 failed, 1 passed in 0.1s ===', then: 'exit 0' }),
      }),
    ).toMatchObject({ kind: 'not_started' })
  })

  test('a set-up and a test of one name that fail are one test, and two failures', async () => {
    const twice =
      '<testsuites name="pytest tests"><testsuite name="pytest"><testcase classname="test_a" name="test_a" file="test_a.py"><failure message="no"/></testcase><testcase classname="test_a" name="test_a" file="test_a.py"><failure message="late"/></testcase></testsuite></testsuites>'
    expect(
      await measured(project(), {
        test: fakePytest({}, { report: twice, prints: '=== 2 failed in 0.1s ===' }),
      }),
    ).toMatchObject({ total: 1, failed: 1 })
  })
})

describe('a test that a report lists twice counts with its worse result', () => {
  const assertion = (status: string) => ({
    ancestorTitles: [],
    title: 'x',
    status,
    failureMessages: status === 'failed' ? ['no'] : [],
  })
  const file = (...statuses: string[]) => ({
    name: '/project/a.js',
    status: statuses.includes('failed') ? 'failed' : 'passed',
    message: '',
    assertionResults: statuses.map(assertion),
  })
  const suite = (inner: string) =>
    `<testsuite name="a.js"><testcase classname="a.js" name="x" time="0.1">${inner}</testcase></testsuite>`
  const go = (...ends: string[]) =>
    [
      ...ends.flatMap((Action) => [
        { Action: 'run', Package: 'p', Test: 'TestX' },
        { Action, Package: 'p', Test: 'TestX' },
      ]),
      { Action: 'output', Package: 'p', Output: 'FAIL\n' },
      { Action: ends.includes('fail') ? 'fail' : 'pass', Package: 'p' },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n')
  test.each<{ why: string; format: ReportFormat; text: string; says: string[] }>(
    // prettier-ignore
    [
    { why: 'jest, a file of two projects, failed first', format: 'jest', text: JSON.stringify({ testResults: [file('failed'), file('passed')] }), says: ['x failed'] },
    { why: 'jest, a file of two projects, failed last', format: 'jest', text: JSON.stringify({ testResults: [file('passed'), file('failed')] }), says: ['x failed'] },
    { why: 'jest, skipped in one project', format: 'jest', text: JSON.stringify({ testResults: [file('pending'), file('passed')] }), says: ['x passed'] },
    { why: 'jest, two tests of one title in one file are two', format: 'jest', text: JSON.stringify({ testResults: [file('passed', 'failed')] }), says: ['x passed', 'x (2) failed'] },
    { why: 'vitest, a file of two projects', format: 'junit', text: `<testsuites name="vitest tests">${suite('')}${suite('<failure message="no"/>')}</testsuites>`, says: ['x failed'] },
    { why: 'go -count=2, failed first', format: 'go', text: go('fail', 'pass'), says: ['TestX failed'] },
    { why: 'go -count=2, failed last', format: 'go', text: go('pass', 'fail'), says: ['TestX failed'] },
  ],
  )('$why', ({ format, text, says }) =>
    expect(
      FORMATS[format]
        .parse(text, 'report', '/project')
        .tests.map((one) => `${one.test} ${one.status}`),
    ).toEqual(says),
  )

  test('also in two reports of one run', async () => {
    const bad = junit('<testcase classname="s.x" name="a"><failure message="no"/></testcase>')
    const good = junit('<testcase classname="s.x" name="a"/>')
    const own = {
      ...sh(`mkdir r; ${put(bad, 'r/1.xml')}; ${put(good, 'r/2.xml')}; exit 1`),
      report: { format: 'junit' as const, path: 'r/*.xml' },
    }
    expect(names(await measured(project(), { test: own }))).toEqual(['s.x | a | failed'])
  })
})

describe('mocha before version 4', () => {
  afterEach(() => vi.restoreAllMocks())
  test('keeps the names of its suites, continues after a failure, and works with --growl', () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const out = path.join(project({}), 'r.json')
    const bails: boolean[] = []
    const root = {
      root: true,
      title: '',
      bail: (on: boolean) => bails.push(on),
      suites: [{ title: 'outer', bail: (on: boolean) => bails.push(on) }],
    }
    const suite = { title: 'inner', parent: { title: 'outer', parent: root } }
    const entry = {
      title: 'adds',
      parent: suite,
      fullTitle: () => 'outer inner adds',
      file: '/project/a.js',
    }
    const Reporter = createRequire(import.meta.url)('../../../reporters/mocha.cjs') as new (
      runner: unknown,
    ) => { stats: Record<string, number> }
    const runner = Object.assign(new EventEmitter(), { suite: root, total: 1 })
    const reporter = new Reporter(runner)
    vi.stubEnv('RATCHET_TEST_REPORT', out)
    for (const [event, ...args] of [
      ['start'],
      ['fail', entry, new Error('no')],
      ['test end', entry],
      ['end'],
    ] as const)
      runner.emit(event, ...args)
    vi.unstubAllEnvs()
    expect(bails).toEqual([false, false])
    expect(reporter.stats).toMatchObject({ failures: 1 })
    expect(
      FORMATS.mocha.parse(readFileSync(out, 'utf8'), 'report', '/project').tests,
    ).toMatchObject([{ file: 'a.js', test: 'outer > inner > adds', status: 'failed' }])
  })
})
