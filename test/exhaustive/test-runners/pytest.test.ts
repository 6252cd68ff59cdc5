// The pytest of this machine on small broken projects.
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunTestsOptions } from '../../../src/adapters/test-runners/run.js'
import { readStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import type { FileRef } from '../../../src/contract/files.js'
import { apartRuns, measured, names, pytest, refused } from '../../support/runs/measured-runs.js'
import { writeFiles } from '../../support/repositories/test-projects.js'
import { present } from '../../support/present.js'

apartRuns()

test("in a subfolder of pytest's root, files are named relative to the directory of the test run", async () => {
  const root = pytest({
    'sub/test_a.py':
      'import os\ndef test_a():\n  open("runs", "a").write("x")\n  assert os.path.getsize("runs") == 2\n',
    'sub/test_b.py': 'def test_b(): pass\n',
  })
  const result = await measured(path.join(root, 'sub'), { flakyRetries: 1 })
  expect(names(result)).toEqual(['test_a.py | test_a | flaky', 'test_b.py | test_b | passed'])
})

test.each(
  // prettier-ignore
  [
  { why: 'a conftest that throws', files: { 'conftest.py': 'import nope\n' }, reason: /exit code 4 and no report/ },
  { why: 'a process that leaves in the middle', files: { 'test_b.py': 'import os\ndef test_b(): os._exit(1)\n' }, reason: /exit code 1 and no report/ },
  { why: 'a bad option', files: { 'pytest.ini': '[pytest]\naddopts = --no-such-option\n' }, reason: /exit code 4 and no report/ },
],
)('$why: not started', async ({ files, reason }) => {
  const result = await refused(pytest({ 'test_a.py': 'def test_a(): pass\n', ...present(files) }))
  expect(result.kind).toBe('not_started')
  expect(result.reason).toMatch(reason)
})

test('no file can be loaded: not started', async () => {
  expect(await refused(pytest({ 'test_b.py': 'import nope\n' }))).toMatchObject({
    kind: 'not_started',
    reason: expect.stringMatching(/could not be loaded: test_b\.py/) as string,
  })
})

test('each file that cannot be loaded is one failing entry, and the other files are measured', async () => {
  const cwd = pytest({
    'test_a.py': 'import nope\n',
    'sub/conftest.py': 'import nope\n',
    'sub/test_s.py': 'def test_s(): pass\n',
    'test_b.py': 'def test_b(): assert 0\ndef test_c(): pass\n',
  })
  const baseline = await measured(cwd, { flakyRetries: 1 })
  expect(names(baseline)).toEqual([
    'sub | (could not be loaded) | failed',
    'test_a.py | (could not be loaded) | failed',
    'test_b.py | test_b | failed',
    'test_b.py | test_c | passed',
  ])
  writeFiles(cwd, {
    'test_a.py': 'import pytest\npytest.skip("later", allow_module_level=True)\n',
    'sub/conftest.py': '',
    'test_b.py': 'def test_b(): pass\ndef test_c(): pass\n',
  })
  const after = await measured(cwd, { baseline: baseline.results })
  expect(after).toMatchObject({
    total: 4,
    passed: 3,
    failed: 1,
    failures: [
      {
        file: 'test_a.py',
        test: '(could not be loaded)',
        error: 'it could not be loaded in an earlier run, and no test of it runs now',
        missing: true,
      },
    ],
  })
})

test('a file that loads again and later raises SkipTest breaks the tests that it ran in between', async () => {
  const cwd = pytest({
    'words.py': 'import nope\n',
    'test_a.py': 'def test_a(): pass\n',
    'test_two.py': 'import words\ndef test_two(): assert words.two() == 2\n',
  })
  const baseline = await measured(cwd)
  writeFiles(cwd, { 'words.py': 'def two(): return 2\n' })
  const loads = await measured(cwd, {
    baseline: baseline.results,
    compare: { lastKept: true, before: baseline.results, lastFull: baseline.results },
  })
  expect(loads).toMatchObject({ total: 2, failed: 0, comparison: { repaired: 1 } })
  writeFiles(cwd, { 'words.py': 'import unittest\ndef two(): raise unittest.SkipTest("later")\n' })
  const skips = await measured(cwd, {
    baseline: baseline.results,
    compare: {
      lastKept: true,
      before: loads.results,
      best: loads.results,
      lastFull: loads.results,
    },
  })
  expect(skips).toMatchObject({
    failed: 1,
    comparison: { broken: 1, brokenTests: ['test_two.py > test_two'] },
  })
})

describe('nothing starts at the base, and in the first measured run one file raises SkipTest', () => {
  const TESTS = {
    'tests/test_one.py': 'import words\ndef test_one(): assert words.one() == 1\n',
    'tests/test_two.py': 'import words\ndef test_two(): assert words.two() == 2\n',
  }
  const HONEST = 'def one(): return 1\ndef two(): return 2\n'
  const SKIPS =
    'import unittest\ndef one(): return 1\ndef two(): raise unittest.SkipTest("later")\n'
  test.each(
    // prettier-ignore
    [
    { why: 'the runner lists the files', base: { 'words.py': 'import nope\n' }, fix: {} },
    { why: 'the runner lists nothing', base: { 'words.py': HONEST, 'plug.py': 'import nope\n', 'conftest.py': 'import plug\n' }, fix: { 'plug.py': '' } },
  ],
  )('$why: the file is missing, and the honest fix misses nothing', async ({ base, fix }) => {
    const cwd = pytest({ 'pytest.ini': '[pytest]\npythonpath = .\n', ...TESTS, ...present(base) })
    const projectFiles = () => Promise.resolve(Object.keys(TESTS))
    const start = await refused(cwd, { compare: { lastKept: true }, projectFiles })
    expect(start).toMatchObject({ kind: 'not_started', notLoaded: expect.any(Object) as object })
    const compare = {
      lastKept: true,
      before: start.notLoaded as FileRef,
      lastFull: start.notLoaded as FileRef,
    }
    writeFiles(cwd, { ...present(fix), 'words.py': SKIPS })
    const skips = await measured(cwd, { compare })
    expect(skips).toMatchObject({
      total: 2,
      failed: 1,
      failures: [{ file: 'tests/test_two.py', missing: true }],
    })
    const still = await measured(cwd, {
      baseline: skips.results,
      compare: {
        lastKept: true,
        before: skips.results,
        best: skips.results,
        lastFull: skips.results,
      },
    })
    expect(still).toMatchObject({ total: 2, failed: 1 })
    writeFiles(cwd, { 'words.py': HONEST })
    expect(
      await measured(cwd, {
        baseline: skips.results,
        compare: {
          lastKept: true,
          before: still.results,
          best: skips.results,
          lastFull: still.results,
        },
      }),
    ).toMatchObject({ total: 2, failed: 0 })
  })
})

/** Shows the files of an earlier commit, and restores those of the measured one. */
const showing =
  (
    cwd: string,
    there: Record<string, string>,
    here: Record<string, string>,
  ): NonNullable<RunTestsOptions['onCommit']> =>
  async (_commit, body) => {
    writeFiles(cwd, there)
    try {
      return await body()
    } finally {
      writeFiles(cwd, here)
    }
  }

test('parameters that differ between runs are compared by count: the repaired code has no failing test, one that raises SkipTest has', async () => {
  const wrong = { 'calc.py': 'def double(n): return n + n if n % 2 == 0 else 0\n' }
  const cwd = pytest({
    ...wrong,
    'test_calc.py':
      'import random, pytest, calc\nrun = random.randrange(10**9) * 2\n@pytest.mark.parametrize("n", [run, run + 1, run + 2, run + 3])\ndef test_double(n): assert calc.double(n) == 2 * n\ndef test_zero(): assert calc.double(0) == 0\n',
  })
  const baseline = await measured(cwd)
  expect(baseline).toMatchObject({ total: 5, failed: 2 })
  const compare = {
    lastKept: true,
    before: baseline.results,
    best: baseline.results,
    lastFull: baseline.results,
  }
  const right = { 'calc.py': 'def double(n): return 2 * n\n' }
  writeFiles(cwd, right)
  const fixed = await measured(cwd, {
    baseline: baseline.results,
    compare,
    onCommit: showing(cwd, wrong, right),
  })
  expect(fixed).toMatchObject({
    total: 5,
    failed: 0,
    flaky: 0,
    comparison: { repaired: 2, broken: 0, flaky: 0, counts: { baselinePassing: 5, broken: 0 } },
  })
  const skips = {
    'calc.py':
      'import unittest\ndef double(n):\n  if n == 0 or n % 2 == 0: return 2 * n\n  raise unittest.SkipTest("later")\n',
  }
  writeFiles(cwd, skips)
  const after = await measured(cwd, {
    baseline: baseline.results,
    compare: {
      lastKept: true,
      before: fixed.results,
      best: fixed.results,
      lastFull: fixed.results,
    },
    onCommit: showing(cwd, right, skips),
  })
  expect(after).toMatchObject({ total: 5, failed: 2, comparison: { broken: 2 } })
})

test('a test that is skipped in one of two runs of a commit is flaky, not broken', async () => {
  const base = { 'lib.py': 'def one(): return 1\n' }
  const cwd = pytest({
    ...base,
    'test_a.py': 'import lib\ndef test_a(): assert lib.one() == 1\ndef test_b(): pass\n',
  })
  const baseline = await measured(cwd)
  const once = {
    'lib.py':
      'import os, unittest\ndef one():\n  if os.path.exists("ran"): return 1\n  open("ran", "w").close()\n  raise unittest.SkipTest("first")\n',
  }
  writeFiles(cwd, once)
  const run = await measured(cwd, {
    baseline: baseline.results,
    compare: {
      lastKept: true,
      before: baseline.results,
      best: baseline.results,
      lastFull: baseline.results,
    },
    onCommit: showing(cwd, base, once),
  })
  expect(run).toMatchObject({ total: 2, failed: 0, flaky: 1, comparison: { broken: 0, flaky: 1 } })
})

test('after test generation this run is the baseline, and a test that passed before and now fails is broken', async () => {
  const cwd = pytest({ 'test_a.py': 'def test_a(): pass\ndef test_b(): pass\n' })
  const before = await measured(cwd)
  writeFiles(cwd, {
    'conftest.py': 'import os\nos.environ["NEW"] = "1"\n',
    'test_a.py': 'import os\ndef test_a(): pass\ndef test_b(): assert "NEW" not in os.environ\n',
    'test_new.py': 'def test_new(): pass\n',
  })
  const founding = await measured(cwd, {
    baseline: before.results,
    founds: true,
    compare: { lastKept: true, before: before.results, lastFull: before.results },
  })
  expect(founding).toMatchObject({
    total: 3,
    failed: 1,
    comparison: { counts: { baselinePassing: 2, broken: 1 } },
  })
  const baseline = founding.baseline as FileRef
  expect(
    readStoredRun(baseline)
      .tests.map(({ test: name, status }) => `${name} ${status}`)
      .sort(),
  ).toEqual(['test_a passed', 'test_b passed', 'test_new passed'])
  writeFiles(cwd, { 'test_new.py': '' })
  const gone = await measured(cwd, {
    baseline,
    compare: {
      lastKept: true,
      before: founding.results,
      best: founding.results,
      lastFull: founding.results,
    },
  })
  expect(gone.comparison).toMatchObject({
    brokenSinceBaseline: expect.arrayContaining([
      'test_new.py > test_new',
      'test_a.py > test_b',
    ]) as string[],
  })
})

test('an error in the teardown of a session is a failure of its last test', async () => {
  const result = await measured(
    pytest({
      'conftest.py':
        'import pytest\n@pytest.fixture(scope="session", autouse=True)\ndef s():\n  yield\n  raise RuntimeError("late")\n',
      'test_a.py': 'def test_a(): pass\ndef test_b(): pass\n',
    }),
  )
  expect(names(result)).toEqual(['test_a.py | test_a | passed', 'test_a.py | test_b | failed'])
})

test('no test, and only skipped tests: a person has to fix it', async () => {
  expect(await refused(pytest({}))).toMatchObject({
    kind: 'cannot_execute',
    reason: expect.stringContaining('No tests were found') as string,
  })
  const skipped = pytest({ 'test_a.py': 'import pytest\n@pytest.mark.skip\ndef test_a(): pass\n' })
  expect(await refused(skipped)).toMatchObject({
    kind: 'cannot_execute',
    reason: expect.stringContaining('No test ran: the only one is skipped') as string,
  })
})
