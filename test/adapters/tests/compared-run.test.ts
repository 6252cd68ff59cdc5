// Real runs in a row, with the pytest of this machine: streaks, criticality, and affected tests first.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeClaims } from '../../../src/adapters/tests/claims.js'
import { resolveTestPlan } from '../../../src/adapters/tests/command.js'
import type { RunTestsOptions, TestProgress } from '../../../src/adapters/tests/run.js'
import { runTests } from '../../../src/adapters/tests/run.js'
import { readStoredRun, writeStoredRun } from '../../../src/adapters/tests/stored-run.js'
import { Config } from '../../../src/contract/config.js'
import type { FileRef } from '../../../src/contract/files.js'
import type { Compare } from '../../../src/contract/step.js'
import { TestRun } from '../../../src/contract/test-run.js'
import type { Comparison, Measured } from '../../../src/contract/test-run.js'
import { reportedFailures } from '../../../src/core/test-fix-view.js'
import { makeProject, makePytestProject, removeProject, writeFiles } from '../../support/test-projects.js'

let outDir = ''
let cwd = ''
let steps = 0
beforeEach(() => {
  outDir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-compared-'))
  steps = 0
})
afterEach(() => [outDir, cwd].forEach(removeProject))

async function measured(compare: Compare | undefined, more: Partial<RunTestsOptions> & { test?: Partial<Config['test']> } = {}): Promise<Measured & { comparison: Comparison }> {
  const config = { ...Config.parse({}).test, ...more.test }
  const result = await runTests({
    plan: resolveTestPlan({ cwd, config }), cwd, commit: 'c0ffee', env: process.env, run: path.basename(outDir), step: `step-${++steps}`, outDir: path.join(outDir, String(steps)),
    timeoutMs: 60_000, flakyRetries: 0, signal: new AbortController().signal, rules: config.criticality, ...(compare === undefined ? {} : { compare }), ...more,
  })
  expect(TestRun.parse(result)).toEqual(result)
  if (result.kind !== 'measured') throw new Error(`${result.kind}: ${result.reason}\n${result.tail}`)
  return result as Measured & { comparison: Comparison }
}
const stored = (run: Measured) => readStoredRun(run.results).tests.map((t) => [`${t.file} > ${t.test}`, t.status, t.streak ?? '-', t.criticality ?? '-', t.source ?? '-'].join(' ')).sort()

describe('full runs in a row', () => {
  test('004: the third failure of a test is stuck; what a fix broke is high; claims and rules count', async () => {
    cwd = makePytestProject({ 'test_a.py': 'def test_one():\n    assert False\n\ndef test_two():\n    assert True\n', 'test_auth.py': 'def test_login():\n    assert False\n' })
    const test = { criticality: [{ match: 'AUTH', level: 'medium' as const }] }
    const first = await measured({}, { test })
    expect(stored(first)).toEqual(['test_a.py > test_one failed 1 high default', 'test_a.py > test_two passed - - -', 'test_auth.py > test_login failed 1 medium config'])
    expect(first.comparison).toEqual({ levels: { high: 1, medium: 1, low: 0, undecided: 1, barring: 1 }, stuck: 0, stuckTests: [], newFailures: 0 })

    writeFiles(cwd, { 'test_a.py': 'def test_one():\n    assert False\n\ndef test_two():\n    assert 1 == 2\n' })
    const claims = writeClaims(outDir, [
      { test: 'test_a.py::test_one', level: 'low', source: 'analysis', agent: 'a', iteration: 1 }, { test: 'test_a.py::test_two', level: 'low', source: 'analysis', agent: 'a', iteration: 1 },
    ])
    const second = await measured({ before: first.results, lastFull: first.results, claims }, { baseline: first.results, test })
    expect(stored(second)).toEqual(['test_a.py > test_one failed 2 low analysis', 'test_a.py > test_two failed 1 high regression', 'test_auth.py > test_login failed 2 medium config'])
    expect(second.comparison).toMatchObject({ levels: { high: 1, medium: 1, low: 1, undecided: 1, barring: 2 }, stuck: 0, newFailures: 1 })
    expect(second.comparison.similarity).toBeCloseTo(2 / 3)

    const third = await measured({ before: first.results, lastFull: second.results, claims }, { baseline: first.results, test })
    expect(third.comparison).toMatchObject({ stuck: 2, stuckTests: ['test_a.py > test_one', 'test_auth.py > test_login'], newFailures: 1, similarity: 1 })
    expect(third.failures.map(({ test, streak, criticality, source }) => [test, streak, criticality, source])).toEqual([
      ['test_one', 3, 'low', 'analysis'], ['test_two', 2, 'high', 'regression'], ['test_login', 3, 'medium', 'config'],
    ])
  })

  test('a missing baseline test goes on failing, and a flaky one is listed low', async () => {
    cwd = makePytestProject({
      'test_a.py': 'def test_gone():\n    assert False\n',
      'test_b.py': 'import os\n\ndef test_shaky():\n    seen = os.path.exists("seen")\n    open("seen", "w").close()\n    assert seen\n',
    })
    const first = await measured({}, { flakyRetries: 1 })
    expect(stored(first)).toEqual(['test_a.py > test_gone failed 1 high default', 'test_b.py > test_shaky flaky - low flaky'])
    expect(first.comparison.levels).toEqual({ high: 1, medium: 0, low: 0, undecided: 1, barring: 0 })
    writeFiles(cwd, { 'test_a.py': '' })
    const second = await measured({ before: first.results, lastFull: first.results }, { baseline: first.results })
    expect(readStoredRun(second.results).missing).toMatchObject([{ test: 'test_gone', streak: 2, criticality: 'high', source: 'default', missing: true }])
    expect(second.comparison).toMatchObject({ levels: { high: 1 }, newFailures: 0, similarity: 1 })
  })

  test('a run of rules 1 is measured as before', async () => {
    cwd = makePytestProject({ 'test_a.py': 'def test_one():\n    assert False\n' })
    const run = await measured(undefined)
    expect(run.comparison).toBeUndefined()
    expect(run.failures).toEqual([{ test: 'test_one', file: 'test_a.py', error: expect.any(String) as string }])
    expect(stored(run)).toEqual(['test_a.py > test_one failed - - -'])
    expect(reportedFailures(run.failures)).toMatchObject([{ test: 'test_one', criticality: 'high' }])
  })

  test.each(['x', '試', '&quot;'])('a result stays below 8 kB, whatever %s is stuck, flaky and failing', async (unit) => {
    const cases = (flaky: string) => Array.from({ length: 60 }, (_, n) => `<testcase classname="s.x" name="${n} ${unit.repeat(3_000)}">${n < 30 ? `<failure message="${unit.repeat(3_000)}"/>` : flaky}</testcase>`).join('')
    const report = (flaky: string) => `<testsuites><testsuite name="s.x">${cases(flaky)}</testsuite></testsuites>`
    cwd = makeProject({ 'bad.xml': report('<failure/>'), 'good.xml': report('') })
    const command = ['node', '-e', "const fs = require('fs'); const again = fs.existsSync('ran'); fs.writeFileSync('ran', ''); fs.copyFileSync(again ? 'good.xml' : 'bad.xml', 'report.xml'); process.exit(1)"]
    const test = { command, report: { format: 'junit' as const, path: 'report.xml' } }
    const first = await measured({}, { test, flakyRetries: 1 })
    const lastFull = await writeStoredRun(outDir, { ...readStoredRun(first.results), tests: readStoredRun(first.results).tests.map((t) => ({ ...t, streak: 2 })) }, false)
    removeProject(path.join(cwd, 'ran'))
    const second = await measured({ before: first.results, lastFull }, { test, flakyRetries: 1, baseline: first.results })
    expect([second.failuresTotal, second.flaky, second.comparison.stuck]).toEqual([30, 30, 30])
    expect([second.failures.length > 1, second.flakyTests.length > 0, second.comparison.stuckTests.length > 0]).toEqual([true, true, true])
    expect(Buffer.byteLength(JSON.stringify(second))).toBeLessThan(8_000)
  })
})

describe('architecture §6.10: affected tests', () => {
  const files = (...failing: string[]) => Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`test_${name}.py`, `def test_${name}():\n    assert ${failing.includes(name) ? 'False' : 'True'}\n\ndef test_${name}2():\n    assert True\n`]))
  /** A stored run like this one, of another length. */
  const lasting = (run: Measured, durationMs: number): Promise<FileRef> => writeStoredRun(path.dirname(run.results.path), { ...readStoredRun(run.results), durationMs }, false)
  const affectedLog = () => path.join(outDir, String(steps), 'output-affected.log')

  test('run first and are told, and the full run alone decides', async () => {
    cwd = makePytestProject(files('a', 'b'))
    const first = await measured({})
    writeFiles(cwd, files('c'))
    const progress: TestProgress[] = []
    const lastFull = await lasting(first, 20_001)
    const run = await measured({ before: first.results, lastFull, affectedFiles: ['./test_a.py', 'test_a.py', '--collect-only', 'setup.py'] }, { onProgress: (p) => progress.push(p) })
    expect(progress).toContainEqual(expect.objectContaining({ phase: 'affected tests', affected: '2 of 2 pass' }))
    expect(readFileSync(affectedLog(), 'utf8')).toMatch(/collected 2 items/)
    expect(run).toMatchObject({ total: 8, passed: 7, comparison: { affected: { passed: 2, total: 2 }, newFailures: 1 } })
    expect(readStoredRun(run.results)).toMatchObject({ durationMs: expect.any(Number) as number, tests: { length: 8 } })
  })

  test('that cannot be loaded say nothing, and the full run says why', async () => {
    cwd = makePytestProject(files('a'))
    const first = await measured({})
    const lastFull = await lasting(first, 30_000)
    writeFiles(cwd, { 'test_a.py': 'import nowhere\n' })
    await expect(measured({ before: first.results, lastFull, affectedFiles: ['test_a.py'] })).rejects.toThrow(/not_started: .*test_a\.py/)
    expect(existsSync(affectedLog())).toBe(true)
  })

  test.each([
    { why: 'the last full run took 20 s, no longer',     lastedMs: 20_000, affectedFiles: ['test_a.py'] },
    { why: 'they are half of the files',                 lastedMs: 60_000, affectedFiles: ['test_a.py', 'test_b.py'] },
    { why: 'none of them is a file with tests',          lastedMs: 60_000, affectedFiles: ['src/a.py', '-x'] },
    { why: 'no file is named',                           lastedMs: 60_000, affectedFiles: [] },
  ])('do not run first where $why', async ({ lastedMs, affectedFiles }) => {
    cwd = makePytestProject(files('a'))
    const first = await measured({})
    const run = await measured({ before: first.results, lastFull: await lasting(first, lastedMs), affectedFiles })
    expect(existsSync(affectedLog())).toBe(false)
    expect(run.comparison.affected).toBeUndefined()
    expect(run).toMatchObject({ total: 8, passed: 7 })
  })
})
