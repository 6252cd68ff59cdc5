// A run of the test command: whether it measured, its comparison, its result, and that no process
// outlives it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findMarked } from '../../../src/adapters/process/find.js'
import { spawnGroup } from '../../../src/adapters/process/spawn-group.js'
import { readStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import {
  apartRuns,
  at,
  FAILED,
  hands,
  junit,
  measure,
  measured,
  names,
  PASSED,
  project,
  put,
  pytestReport,
  refused,
  REPORT,
  reports,
  sh,
  writes,
  type Results,
} from '../../support/runs/measured-runs.js'
import { waitFor } from '../../support/wait.js'

apartRuns()

describe('compared with a baseline', () => {
  const FIRST: Results = {
    'test_a.py': { test_a: 'passed', test_b: 'passed', test_c: 'failed', test_s: 'skipped' },
  }
  test('missing and newly skipped tests count as failed, those skipped before do not', async () => {
    const cwd = project()
    const baseline = await measured(cwd, { test: reports(FIRST) })
    expect(baseline).toMatchObject({ total: 3, passed: 2, failed: 1, skipped: 1 })
    const after = await measured(cwd, {
      test: reports({ 'test_a.py': { test_a: 'passed', test_b: 'skipped' } }),
      baseline: baseline.results,
    })
    expect(after).toMatchObject({ total: 3, passed: 1, failed: 2, skipped: 0, failuresTotal: 2 })
    expect(after.failures).toEqual(
      // prettier-ignore
      [
      { file: 'test_a.py', test: 'test_b', error: 'ran in an earlier run, is skipped now', missing: true },
      { file: 'test_a.py', test: 'test_c', error: 'was in an earlier run, is missing now', missing: true },
    ],
    )
    expect(readStoredRun(after.results).missing).toHaveLength(2)
  })

  test('no test left: not started, as it came with a change', async () => {
    const cwd = project()
    const baseline = await measured(cwd, { test: reports(FIRST) })
    expect(await refused(cwd, { test: reports({}), baseline: baseline.results })).toMatchObject({
      kind: 'not_started',
    })
  })

  test('results that were changed since are refused', async () => {
    const cwd = project()
    const baseline = await measured(cwd, { test: reports(FIRST) })
    await expect(
      measure(cwd, { test: reports(FIRST), baseline: { ...baseline.results, sha256: 'other' } }),
    ).rejects.toThrow('results of a test run were changed')
  })

  test('the fingerprint is equal for the same failures with other numbers, and differs for others', async () => {
    const cwd = project()
    const fails = (error: string) => ({
      ...sh(
        `n=$$; ${put(pytestReport({ 'test_a.py': { test_a: 'failed' } }, error)).replaceAll('NOW', `'"$n"'`)}; exit 1`,
      ),
      report: REPORT,
    })
    const [one, two] = [
      await measured(cwd, { test: fails('ValueError: at NOW.5 in /tmp/xNOW.5') }),
      await measured(cwd, { test: fails('ValueError: at NOW.5 in /tmp/xNOW.5') }),
    ]
    const three = await measured(cwd, { test: fails('ValueError: otherwise') })
    expect(one.failures[0]?.error).not.toBe(two.failures[0]?.error)
    expect(one.fingerprint).toBe(two.fingerprint)
    expect(three.fingerprint).not.toBe(one.fingerprint)
  })
})

describe('exit code and report must agree', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'passed and failed tests, exit 1', test: writes(PASSED + FAILED, 1), kind: 'measured', says: '' },
    { why: 'a failed test, exit 0', test: writes(PASSED + FAILED, 0), kind: 'cannot_execute', says: '1 failed test, but the command ended with exit code 0' },
    { why: 'nothing failed, exit 3', test: writes(PASSED, 3), kind: 'not_started', says: 'exit code 3, but no test failed' },
    { why: 'a report without tests, exit 0', test: writes('', 0), kind: 'cannot_execute', says: 'No tests were found' },
    { why: 'no report, exit 0', test: writes(PASSED, 0, 'elsewhere.xml'), kind: 'cannot_execute', says: 'its report is missing' },
    { why: 'no report, exit 1', test: writes(PASSED, 1, 'elsewhere.xml'), kind: 'not_started', says: 'exit code 1 and no report' },
    { why: 'half a report, exit 0', test: { ...writes('', 0), ...sh(put('<testsuites><testsuite name=')) }, kind: 'cannot_execute', says: 'report cannot be read' },
    { why: 'half a report, exit 1', test: { ...writes('', 0), ...sh(`${put('<testsuites>')}; exit 1`) }, kind: 'not_started', says: 'report cannot be read' },
    { why: 'no command', test: { ...writes(''), command: ['no-such-command-xyz'] }, kind: 'cannot_execute', says: 'was not found or is not executable' },
    { why: 'a command that is a directory', test: { ...writes(''), command: ['/'] }, kind: 'cannot_execute', says: 'was not found or is not executable' },
    { why: 'a shell that finds no command', test: { ...writes(''), command: ['sh', '-c', 'no-such-command-xyz'] }, kind: 'cannot_execute', says: 'was not found or is not executable' },
    { why: 'a command that is killed', test: { ...writes(''), ...sh('kill -9 $$') }, kind: 'not_started', says: 'ended by SIGKILL' },
  ],
  )('$why: $kind', async ({ test: own, kind, says }) => {
    const result = await measure(project(), { test: own })
    expect(result.kind).toBe(kind)
    if (result.kind !== 'measured') expect(result.reason).toContain(says)
  })

  test('a report from before the run is removed, so that it cannot pass for a new one', async () => {
    const dir = project({ 'report.xml': junit(PASSED), 'other.xml': '<config/>' })
    const result = await refused(dir, {
      test: { ...sh('true'), report: { format: 'junit', path: '*.xml' } },
    })
    expect(result).toMatchObject({ kind: 'cannot_execute' })
    expect([
      existsSync(path.join(dir, 'report.xml')),
      existsSync(path.join(dir, 'other.xml')),
    ]).toEqual([false, true])
  })

  test('a report with an old date, as a cache restores it, is stale', async () => {
    const own = { ...sh(`${put(junit(PASSED))}; touch -t 200109090146 report.xml`), report: REPORT }
    expect(await refused(project(), { test: own })).toMatchObject({
      kind: 'cannot_execute',
      reason: expect.stringContaining('from before this run') as string,
    })
  })

  test('several reports of one run are added up', async () => {
    const own = {
      ...sh(
        `mkdir r; ${['1', '2'].map((n) => put(junit(PASSED).replaceAll('s.x', `${n}.x`), `r/${n}.xml`)).join('; ')}`,
      ),
      report: { format: 'junit' as const, path: 'r/*.xml' },
    }
    expect(names(await measured(project(), { test: own }))).toEqual([
      '1.x | a | passed',
      '2.x | a | passed',
    ])
  })
})

describe('a result stays below 8 kB', () => {
  const long = (unit: string, n: number) => unit.repeat(n)
  test.each([
    { why: 'failures with long names and errors', unit: 'x' },
    { why: 'names and errors of wide characters', unit: '試' },
    { why: 'names and errors of quotes', unit: '&quot;' },
  ])('$why', async ({ unit }) => {
    const cases = Array.from(
      { length: 200 },
      (_, n) =>
        `<testcase classname="s.x" name="${n} ${long(unit, 3_000)}"><failure message="${long(unit, 3_000)}"/></testcase>`,
    ).join('')
    const cwd = project({ 'in.xml': junit(cases) })
    const own = hands('in.xml', 1)
    const result = await measured(cwd, { test: own })
    expect([result.failuresTotal, result.failures.length > 1]).toEqual([200, true])
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8_000)
  })

  test('many flaky tests: the first 20 are named', async () => {
    const cases = (failing: string) =>
      Array.from(
        { length: 30 },
        (_, n) => `<testcase classname="s.x" name="t${n}">${failing}</testcase>`,
      ).join('')
    const cwd = project({ 'bad.xml': junit(cases('<failure/>')), 'good.xml': junit(cases('')) })
    const own = {
      ...sh(
        'if test -e ran; then cp good.xml report.xml; exit 0; fi; : > ran; cp bad.xml report.xml; exit 1',
      ),
      report: REPORT,
    }
    const result = await measured(cwd, { test: own, flakyRetries: 1 })
    expect([result.flaky, result.flakyTests.length]).toEqual([30, 20])
  })

  test.each(['x', '試', '&quot;', '&#10;'])(
    'files that could not be loaded, with long names, errors and output of %s',
    async (unit) => {
      const cases = Array.from(
        { length: 50 },
        (_, n) =>
          `<testcase classname="Test suite failed to run" name="${n}${long(unit, 3_000)}"><error message="${long(unit, 9_000)}"/></testcase>`,
      ).join('')
      const cwd = project({
        'in.xml': `<testsuites><testsuite name="${long(unit, 2_000)}">${cases}</testsuite></testsuites>`,
      })
      const own = { ...sh('cp in.xml report.xml; tail -c 20000 in.xml; exit 1'), report: REPORT }
      const result = await refused(cwd, { test: own })
      expect(result.reason).toMatch(
        /^50 test files could not be loaded: .* Next: correct what the files import or define\. It was tried twice\.$/s,
      )
      expect(result.reason.length).toBeLessThanOrEqual(1_500)
      expect(result.tail.length).toBeLessThanOrEqual(2_000)
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8_000)
    },
  )
})

describe('nothing outlives a run', () => {
  test('a child that left by setsid and one in the group are ended with it', async () => {
    const code = `import subprocess\nfor s in (True, False): subprocess.Popen(["sleep", "1000"], start_new_session=s)\nopen("report.xml", "w").write('${junit(PASSED)}')`
    expect(
      await measured(project(), { test: { command: ['python3', '-c', code], report: REPORT } }),
    ).toMatchObject({ passed: 1 }) // measure() looks that nothing is left
  })

  test('the limit ends a hanging test, and what it started', async () => {
    const code =
      'import subprocess, time\nprint("hangs here", flush=True)\nsubprocess.Popen(["sleep", "1000"], start_new_session=True)\ntime.sleep(1000)'
    const result = await refused(project(), {
      timeoutMs: 1_500,
      test: { command: ['python3', '-c', code], report: REPORT },
    })
    expect(result).toMatchObject({
      kind: 'not_started',
      reason: expect.stringContaining('did not end within 1500 ms') as string,
    })
    expect(result.tail).toContain('hangs here')
  })

  test('a command that ignores TERM is killed after the limit', async () => {
    const own = { ...writes(''), ...sh("trap '' TERM; exec sleep 1000") }
    expect(await refused(project(), { timeoutMs: 300, graceMs: 200, test: own })).toMatchObject({
      kind: 'not_started',
    })
  })

  test('an abort rejects with its reason after everything has ended', async () => {
    const abort = new AbortController()
    const running = measure(project(), {
      signal: abort.signal,
      test: { ...writes(''), ...sh('exec sleep 1000') },
    })
    const rejected = expect(running).rejects.toThrow('stopped by the user')
    await waitFor(() => findMarked('RATCHET_RUN', at.run).length > 0, { what: 'the test command' })
    abort.abort(new Error('stopped by the user'))
    await rejected
    expect(findMarked('RATCHET_RUN', at.run)).toEqual([])
  })

  test('processes of an earlier attempt are ended before the next begins', async () => {
    const cwd = project()
    const busy = path.join(cwd, 'busy') // like a port: there as long as the earlier one lives
    const holder = "trap 'rm busy; exit 0' TERM; : > busy; sleep 1000 & wait"
    const left = await spawnGroup({
      argv: ['sh', '-c', holder],
      cwd,
      env: { PATH: process.env['PATH'] },
      markers: { run: at.run, step: 'step-1' },
      stdin: 'ignore',
      stdout: { file: path.join(at.outDir, 'left') },
    })
    await waitFor(() => existsSync(busy), { what: 'the earlier attempt' })
    // A failed test, not a failed start, which would be tried again.
    const [clash, fine] = [writes(FAILED, 1), writes(PASSED)]
    const command = [
      'sh',
      '-c',
      `if test -e busy; then ${clash.command[2] ?? ''}; fi; ${fine.command[2] ?? ''}`,
    ]
    expect(await measured(cwd, { test: { ...fine, command } })).toMatchObject({
      passed: 1,
      failed: 0,
    })
    expect(await left.exited).toEqual({ code: 0, signal: null })
    await left.closeOutput()
  })

  test('a flood of output is bounded, and the run is still measured', async () => {
    const own = writes(PASSED)
    const flood = `head -c ${50 << 20} /dev/zero | tr '\\0' x | fold -w 1000000; ${own.command[2] ?? ''}`
    const result = await measured(project(), { test: { ...own, command: ['sh', '-c', flood] } })
    expect(result.output.bytes).toBeLessThan((8 << 20) + 100)
    expect(readFileSync(result.output.path, 'utf8')).toContain('bytes cut')
  })

  test('progress has phase, lines and time', async () => {
    const abort = new AbortController()
    const own = { ...writes(''), ...sh('echo one; exec sleep 1000') }
    const seen: object[] = []
    const running = measure(project(), {
      test: own,
      signal: abort.signal,
      onProgress: (p) => {
        seen.push(p)
        abort.abort(new Error('seen'))
      },
    })
    await expect(running).rejects.toThrow('seen')
    expect(seen[0]).toEqual({ phase: 'tests', lines: 1, elapsedMs: expect.any(Number) as number })
  })
})
