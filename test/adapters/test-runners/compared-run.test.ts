// Consecutive runs of a fake pytest: streaks, criticality, and affected tests first.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeClaims } from '../../../src/adapters/test-runners/claim-reports.js'
import type { TestProgress } from '../../../src/adapters/test-runners/run.js'
import { readStoredRun, writeStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import { Config } from '../../../src/contract/config/config.js'
import type { FileRef } from '../../../src/contract/files.js'
import type { Compare } from '../../../src/contract/step.js'
import type { Comparison, Measured } from '../../../src/contract/test-run.js'
import { reportedFailures } from '../../../src/core/run/reported-failures.js'
import {
  apartRuns,
  at,
  lastOut,
  measured as ran,
  programs,
  project,
  pytestReport,
  REPORT,
  reports,
  sh,
  type More,
} from '../../support/runs/measured-runs.js'
import { writeFiles } from '../../support/repositories/test-projects.js'

apartRuns()

async function measured(
  cwd: string,
  compare: Compare | undefined,
  more: More = {},
): Promise<Measured & { comparison: Comparison }> {
  const rules = { ...Config.parse({}).test, ...more.test }.criticality
  return (await ran(cwd, {
    rules,
    ...(compare === undefined ? {} : { compare }),
    ...more,
  })) as Measured & { comparison: Comparison }
}
const stored = (run: Measured) =>
  readStoredRun(run.results)
    .tests.map((t) =>
      [
        `${t.file} > ${t.test}`,
        t.status,
        t.streak ?? '-',
        t.criticality ?? '-',
        t.source ?? '-',
      ].join(' '),
    )
    .sort()

describe('full runs in a row', () => {
  test('the third failure of a test is stuck; what a fix broke is high; claims and rules count', async () => {
    const cwd = project()
    const criticality = [{ match: 'AUTH', level: 'medium' as const }]
    const before = {
      ...reports({
        'test_a.py': { test_one: 'failed', test_two: 'passed' },
        'test_auth.py': { test_login: 'failed' },
      }),
      criticality,
    }
    const first = await measured(cwd, { lastKept: true }, { test: before })
    expect(stored(first)).toEqual([
      'test_a.py > test_one failed 1 high default',
      'test_a.py > test_two passed - - -',
      'test_auth.py > test_login failed 1 medium config',
    ])
    expect(first.comparison).toMatchObject({
      levels: { high: 1, medium: 1, low: 0, undecided: 1, barring: 1 },
      stuck: 0,
      stuckTests: [],
      repaired: 0,
      broken: 0,
      moved: 0,
    })

    const after = {
      ...reports({
        'test_a.py': { test_one: 'failed', test_two: 'failed' },
        'test_auth.py': { test_login: 'failed' },
      }),
      criticality,
    }
    const claims = writeClaims(at.outDir, [
      { test: 'test_a.py::test_one', level: 'low', source: 'analysis', agent: 'a', iteration: 1 },
      { test: 'test_a.py::test_two', level: 'low', source: 'analysis', agent: 'a', iteration: 1 },
    ])
    const second = await measured(
      cwd,
      { lastKept: true, before: first.results, lastFull: first.results, claims },
      { baseline: first.results, test: after },
    )
    expect(stored(second)).toEqual([
      'test_a.py > test_one failed 2 low analysis',
      'test_a.py > test_two failed 1 high regression',
      'test_auth.py > test_login failed 2 medium config',
    ])
    expect(second.comparison).toMatchObject({
      levels: { high: 1, medium: 1, low: 1, undecided: 1, barring: 2 },
      stuck: 0,
      broken: 1,
    })
    expect(second.comparison.similarity).toBeCloseTo(2 / 3)

    const third = await measured(
      cwd,
      { lastKept: true, before: first.results, lastFull: second.results, claims },
      { baseline: first.results, test: after },
    )
    expect(third.comparison).toMatchObject({
      stuck: 2,
      stuckTests: ['test_a.py > test_one', 'test_auth.py > test_login'],
      broken: 1,
      similarity: 1,
    })
    expect(
      third.failures.map(({ test, streak, criticality, source }) => [
        test,
        streak,
        criticality,
        source,
      ]),
    ).toEqual([
      ['test_one', 3, 'low', 'analysis'],
      ['test_two', 2, 'high', 'regression'],
      ['test_login', 3, 'medium', 'config'],
    ])
  })

  test('a test of node that fails at a later assertion got further', async () => {
    const source = (values: number[]) => `export const table = ${JSON.stringify(values)}\n`
    const checks = [0, 1, 2].map((n) => `  assert.equal(table[${n}], ${n})`).join('\n')
    const cwd = project({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
      'src/table.js': source([-1, -1, -1]),
      'test/table.test.js': `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { table } from '../src/table.js'\ntest('table', () => {\n${checks}\n})\n`,
    })
    const more = {
      changed: ['src/table.js'],
      projectFiles: () => Promise.resolve(['package.json', 'src/table.js', 'test/table.test.js']),
    }
    let last = await measured(cwd, { lastKept: true }, more)
    const seen = []
    for (const values of [
      [-1, 1, 2],
      [0, -1, -1],
      [0, 1, -1],
      [0, -1, 2],
      [0, 1, -1],
    ]) {
      writeFiles(cwd, { 'src/table.js': source(values) })
      const { results } = last
      const compare = { lastKept: true, before: results, lastFull: results }
      last = await measured(cwd, compare, { ...more, baseline: results })
      seen.push([last.comparison.moved, last.failures[0]?.streak])
    }
    expect(seen).toEqual([
      [0, 2],
      [1, 1],
      [1, 1],
      [0, 2],
      [0, 3],
    ])
  })

  test('a missing baseline test keeps failing, and a flaky one is listed low', async () => {
    const shaky = (status: 'passed' | 'failed') =>
      pytestReport({ 'test_a.py': { test_gone: 'failed' }, 'test_b.py': { test_shaky: status } })
    const cwd = project({ 'first.xml': shaky('failed'), 'again.xml': shaky('passed') })
    const first = await measured(
      cwd,
      { lastKept: true },
      {
        flakyRetries: 1,
        test: {
          ...sh(
            'if test -e seen; then cp again.xml report.xml; else cp first.xml report.xml; fi; : > seen; exit 1',
          ),
          report: REPORT,
        },
      },
    )
    expect(stored(first)).toEqual([
      'test_a.py > test_gone failed 1 high default',
      'test_b.py > test_shaky flaky - low flaky',
    ])
    expect(first.comparison.levels).toEqual({
      high: 1,
      medium: 0,
      low: 0,
      undecided: 1,
      barring: 0,
    })
    const second = await measured(
      cwd,
      { lastKept: true, before: first.results, lastFull: first.results },
      { baseline: first.results, test: reports({ 'test_b.py': { test_shaky: 'passed' } }) },
    )
    expect(readStoredRun(second.results).missing).toMatchObject([
      { test: 'test_gone', streak: 1, criticality: 'high', source: 'default', missing: true },
    ])
    expect(second.comparison).toMatchObject({ levels: { high: 1 }, broken: 0, similarity: 1 })
  })

  test('a test that the tip ran for the first time and that is skipped now is broken', async () => {
    const cwd = project()
    const first = await measured(
      cwd,
      { lastKept: true },
      { test: reports({ 'test_a.py': { test_one: 'passed' } }) },
    )
    const second = await measured(
      cwd,
      { lastKept: true, before: first.results, lastFull: first.results },
      {
        baseline: first.results,
        test: reports({ 'test_a.py': { test_one: 'passed' }, 'test_b.py': { test_two: 'passed' } }),
      },
    )
    const third = reports({
      'test_a.py': { test_one: 'passed' },
      'test_b.py': { test_two: 'skipped' },
    })
    const compare = { lastKept: true, before: second.results, lastFull: second.results }
    expect(await measured(cwd, compare, { baseline: first.results, test: third })).toMatchObject({
      total: 2,
      failed: 1,
      comparison: { broken: 1, brokenTests: ['test_b.py > test_two'] },
    })
    expect(
      await measured(cwd, { ...compare, ownTests: true }, { baseline: first.results, test: third }),
    ).toMatchObject({ total: 1, failed: 0, comparison: { broken: 0 } })
  })

  test('a run without comparison has counts and nothing else', async () => {
    const run = await measured(project(), undefined, {
      test: reports({ 'test_a.py': { test_one: 'failed' } }),
    })
    expect(run.comparison).toBeUndefined()
    expect(run.failures).toEqual([
      { test: 'test_one', file: 'test_a.py', error: expect.any(String) as string },
    ])
    expect(stored(run)).toEqual(['test_a.py > test_one failed - - -'])
    expect(reportedFailures(run.failures)).toMatchObject([
      { test: 'test_one', criticality: 'high' },
    ])
  })

  test.each(['x', '試', '&quot;'])(
    'a result stays below 8 kB with long names of %s in stuck, flaky and failing tests',
    async (unit) => {
      const cases = (flaky: string) =>
        Array.from(
          { length: 60 },
          (_, n) =>
            `<testcase classname="s.x" name="${n} ${unit.repeat(3_000)}">${n < 30 ? `<failure message="${unit.repeat(3_000)}"/>` : flaky}</testcase>`,
        ).join('')
      const report = (flaky: string) =>
        `<testsuites><testsuite name="s.x">${cases(flaky)}</testsuite></testsuites>`
      const cwd = project({ 'bad.xml': report('<failure/>'), 'good.xml': report('') })
      const test = {
        ...sh(
          'if test -e ran; then cp good.xml report.xml; else cp bad.xml report.xml; fi; : > ran; exit 1',
        ),
        report: REPORT,
      }
      const first = await measured(cwd, { lastKept: true }, { test, flakyRetries: 1 })
      const lastFull = await writeStoredRun(
        at.outDir,
        {
          ...readStoredRun(first.results),
          memory: (readStoredRun(first.results).memory ?? []).map((one) =>
            one.signature === undefined ? one : { ...one, streak: 2 },
          ),
        },
        false,
      )
      rmSync(path.join(cwd, 'ran'))
      const second = await measured(
        cwd,
        { lastKept: true, before: first.results, lastFull },
        { test, flakyRetries: 1, baseline: first.results },
      )
      expect([second.failuresTotal, second.flaky, second.comparison.stuck]).toEqual([30, 30, 30])
      expect([
        second.failures.length > 1,
        second.flakyTests.length > 0,
        second.comparison.stuckTests.length > 0,
      ]).toEqual([true, true, true])
      expect(Buffer.byteLength(JSON.stringify(second))).toBeLessThan(8_000)
    },
  )
})

describe('affected tests', () => {
  // A fake pytest that takes file arguments: each file has the results of its two tests.
  const play = `#!/bin/sh
for one; do case $one in --junitxml=*) report=\${one#*=} ;; *.py) files="$files $one" ;; esac; done
code=0 cases= collected=0
for file in \${files:-test_*.py}; do
  if grep -q nowhere "$file"; then code=2 cases="$cases<testcase classname='' name='\${file%.py}' file='$file'><error message='collection failure'>no module nowhere</error></testcase>"; continue; fi
  for name in \${file%.py} \${file%.py}2; do
    collected=$((collected + 1)) inner=
    if grep -q "$name fails" "$file"; then code=1 inner='<failure message="no"/>'; fi
    cases="$cases<testcase classname='\${file%.py}' name='$name' file='$file'>$inner</testcase>"
  done
done
echo "collected $collected items"
printf %s "<testsuites name='pytest tests'><testsuite name='pytest'>$cases</testsuite></testsuites>" > "$report"
exit $code`
  const files = (...failing: string[]) =>
    Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `test_${name}.py`,
        failing.includes(name) ? `test_${name} fails` : '',
      ]),
    )
  const measuredBy = (cwd: string, compare: Compare, more: More = {}) =>
    measured(cwd, compare, {
      ...more,
      test: { command: [path.join(programs({ pytest: play }), 'pytest')] },
    })
  /** A stored run like this one, of another length. */
  const lasting = (run: Measured, durationMs: number): Promise<FileRef> =>
    writeStoredRun(
      path.dirname(run.results.path),
      { ...readStoredRun(run.results), durationMs },
      false,
    )
  const affectedLog = () => path.join(lastOut(), 'output-affected.log')

  test('run first and are reported, and the full run alone decides', async () => {
    const cwd = project(files('a', 'b'))
    const first = await measuredBy(cwd, { lastKept: true })
    writeFiles(cwd, files('c'))
    const progress: TestProgress[] = []
    const lastFull = await lasting(first, 20_001)
    const run = await measuredBy(
      cwd,
      {
        lastKept: true,
        before: first.results,
        lastFull,
        affectedFiles: ['./test_a.py', 'test_a.py', '--collect-only', 'setup.py'],
      },
      { onProgress: (p) => progress.push(p) },
    )
    expect(progress).toContainEqual(
      expect.objectContaining({ phase: 'affected tests', affected: '2 of 2 pass' }),
    )
    expect(readFileSync(affectedLog(), 'utf8')).toMatch(/collected 2 items/)
    expect(run).toMatchObject({
      total: 8,
      passed: 7,
      comparison: { affected: { passed: 2, total: 2 }, broken: 1 },
    })
    expect(readStoredRun(run.results)).toMatchObject({
      durationMs: expect.any(Number) as number,
      tests: { length: 8 },
    })
  })

  test('that cannot be loaded report nothing, and the full run has the reason', async () => {
    const cwd = project(files('a'))
    const first = await measuredBy(cwd, { lastKept: true })
    const lastFull = await lasting(first, 30_000)
    writeFiles(cwd, { 'test_a.py': 'import nowhere' })
    await expect(
      measuredBy(cwd, {
        lastKept: true,
        before: first.results,
        lastFull,
        affectedFiles: ['test_a.py'],
      }),
    ).rejects.toThrow(/not_started: .*test_a\.py/)
    expect(existsSync(affectedLog())).toBe(true)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'the last full run took 20 s, no longer',     lastedMs: 20_000, affectedFiles: ['test_a.py'] },
    { why: 'they are half of the files',                 lastedMs: 60_000, affectedFiles: ['test_a.py', 'test_b.py'] },
    { why: 'none of them is a file with tests',          lastedMs: 60_000, affectedFiles: ['src/a.py', '-x'] },
    { why: 'no file is named',                           lastedMs: 60_000, affectedFiles: [] },
  ],
  )('do not run first where $why', async ({ lastedMs, affectedFiles }) => {
    const cwd = project(files('a'))
    const first = await measuredBy(cwd, { lastKept: true })
    const run = await measuredBy(cwd, {
      lastKept: true,
      before: first.results,
      lastFull: await lasting(first, lastedMs),
      affectedFiles,
    })
    expect(existsSync(affectedLog())).toBe(false)
    expect(run.comparison.affected).toBeUndefined()
    expect(run).toMatchObject({ total: 8, passed: 7 })
  })
})
