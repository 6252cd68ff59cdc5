// One real run of each runner: vitest, jest (29.7) and mocha (12.0) of this repository, the pytest
// and go of this machine, this node; nextest is a fake. test/exhaustive/tests has the failures of
// each of them.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Measured } from '../../../src/contract/test-run.js'
import { readStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import {
  apartRuns,
  measured,
  names,
  programs,
  project,
  pytest,
  refused,
  REPORT,
  sh,
  vitest,
} from '../../support/runs/measured-runs.js'
import { goTest, MODULE, RUNNERS } from '../../support/repositories/runner-projects.js'
import { present } from '../../support/present.js'
import { writeFiles } from '../../support/repositories/test-projects.js'

apartRuns()

const output = (result: Measured) => readFileSync(result.output.path, 'utf8')

describe('vitest', () => {
  test('npm test of a package: counts, names, errors, and files with blanks and other alphabets', async () => {
    const cwd = vitest({
      'a.test.js': `
        describe('outer <x>', () => { describe('in', () => { test('passes', () => {}); test('fails & "q"', () => expect(1).toBe(2)) }) })
        test.skip('skipped', () => {}); test.todo('later')
        test('twice', () => {}); test('twice', () => expect([1]).toEqual([2]))`,
      'sub/b ü 試.test.js': "test('passes', () => {})",
      'sub/a.test.js': "test('twice', () => {})",
    })
    const result = await measured(cwd)
    expect(result).toMatchObject({
      commit: expect.stringMatching(/^commit-\d+$/) as string,
      total: 6,
      passed: 4,
      failed: 2,
      skipped: 2,
      flaky: 0,
      failuresTotal: 2,
    })
    expect(names(result)).toEqual([
      'a.test.js | later | skipped',
      'a.test.js | outer <x> > in > fails & "q" | failed',
      'a.test.js | outer <x> > in > passes | passed',
      'a.test.js | skipped | skipped',
      'a.test.js | twice (2) | failed',
      'a.test.js | twice | passed',
      'sub/a.test.js | twice | passed',
      'sub/b ü 試.test.js | passes | passed',
    ])
    expect(result.failures[0]).toMatchObject({
      file: 'a.test.js',
      test: 'outer <x> > in > fails & "q"',
    })
    expect(result.failures[0]?.error).toMatch(/^AssertionError: expected 1 to be 2/)
    expect(result.failures.every((f) => f.error.length <= 200)).toBe(true)
    expect(readFileSync(result.output.path, 'utf8')).toContain('Test Files')
  })
})

describe('pytest', () => {
  test('parametrised, class-based and unicode names, skips, expected failures, errors in fixtures', async () => {
    const cwd = pytest({
      'test_a.py': `
import pytest
@pytest.mark.parametrize("a", ["x", "y z", "a::b/c"])
def test_p(a): assert a != "x"
class TestC:
    class TestD:
        def test_n(self): pass
    def test_m(self): assert 0, "first\\nsecond"
@pytest.mark.skip
def test_s(): pass
@pytest.mark.xfail
def test_xf(): assert 0
@pytest.fixture
def bad(): raise RuntimeError("set-up")
def test_setup(bad): pass
@pytest.fixture
def late():
    yield
    raise RuntimeError("tear-down")
def test_late(late): pass
def test_both(late): assert 0
`,
      'sub ü/test_b.py': 'def test_m(): pass\n',
    })
    const result = await measured(cwd)
    expect(result).toMatchObject({ total: 9, passed: 4, failed: 5, skipped: 2 })
    expect(names(result)).toEqual([
      'sub ü/test_b.py | test_m | passed',
      'test_a.py | TestC::TestD::test_n | passed',
      'test_a.py | TestC::test_m | failed',
      'test_a.py | test_both | failed',
      'test_a.py | test_late | failed',
      'test_a.py | test_p[a::b/c] | passed',
      'test_a.py | test_p[x] | failed',
      'test_a.py | test_p[y z] | passed',
      'test_a.py | test_s | skipped',
      'test_a.py | test_setup | failed',
      'test_a.py | test_xf | skipped',
    ])
    expect(result.failures.find((f) => f.test === 'TestC::test_m')?.error).toMatch(
      /^AssertionError: first\n/,
    )
    expect(existsSync(path.join(cwd, '__pycache__'))).toBe(false)
  })
})

describe.each(RUNNERS)('$runner, by flags', ({ make, tests, prints, runner }) => {
  test('counts, names, errors, and an output that people can read', async () => {
    const result = await measured(make())
    expect(names(result)).toEqual(tests)
    expect(result).toMatchObject({ failed: 1, skipped: 1 })
    expect(result.failures[0]?.error).toContain('boom')
    expect(output(result)).toContain(prints)
    expect(output(result)).not.toContain('"Action"')
    expect(readStoredRun(result.results).runner).toBe(runner)
  })
})

test('node:test with a reporter of its own: counts tests in nested describes and outside of any, and fixed ones pass', async () => {
  const own = {
    command: ['node', '--test', '--test-reporter=junit', '--test-reporter-destination=report.xml'],
    report: REPORT,
  }
  const head =
    "import { describe, it, test } from 'node:test'; import assert from 'node:assert/strict'\n"
  const cwd = project({
    'package.json': '{ "type": "module" }',
    'test/a b ü.test.js': `${head}test('top', () => assert.equal(1, 2)); test('fine', () => {}); describe('outer', () => { describe('inner', () => { it('deep', () => assert.equal(1, 3)) }); it('flat', () => {}) })`,
  })
  const baseline = await measured(cwd, { test: own })
  expect(names(baseline)).toEqual([
    '(no file) | fine | passed',
    '(no file) | outer > flat | passed',
    '(no file) | outer > inner > deep | failed',
    '(no file) | top | failed',
  ])
  expect(baseline).toMatchObject({ total: 4, passed: 2, failed: 2 })
  expect(baseline.failures.map((f) => f.error)).toEqual([
    expect.stringContaining('1 !== 3') as string,
    expect.stringContaining('1 !== 2') as string,
  ])
  writeFiles(cwd, {
    'test/a b ü.test.js': `${head}test('top', () => {}); test('fine', () => {}); describe('outer', () => { it('flat', () => {}) })`,
  })
  const after = await measured(cwd, { test: own, baseline: baseline.results })
  expect(after).toMatchObject({
    total: 4,
    passed: 3,
    failed: 1,
    failures: [{ test: 'outer > inner > deep', missing: true }],
  })
})

describe('flags reach the runner', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'sh -c', files: { 'sub x/test_a.py': 'def test_a(): pass\n' }, command: ['sh', '-c', 'cd "sub x" && python3 -m pytest -q'], want: ['test_a.py | test_a | passed'] },
    { why: 'a script that calls a script', files: { 'package.json': JSON.stringify({ scripts: { test: 'true && npm run unit', unit: 'python3 -m pytest -q' } }), 'test_a.py': 'def test_a(): pass\n' }, command: ['npm', 'test'], want: ['test_a.py | test_a | passed'] },
  ],
  )('through $why', async ({ files, command, want }) => {
    expect(names(await measured(project(present(files)), { test: { command } }))).toEqual(want)
  })
})

test('nextest, as a fake: the configuration that names the report, and its exit code', async () => {
  const play = `#!/usr/bin/env node
const fs = require('fs')
const config = process.argv.find((one) => one.startsWith('--tool-config-file=ratchet:')).replace('--tool-config-file=ratchet:', '')
fs.copyFileSync(${JSON.stringify(path.join(import.meta.dirname, 'fixtures/nextest.xml'))}, JSON.parse(/path = (.*)/.exec(fs.readFileSync(config, 'utf8'))[1]))
process.exit(Number(process.env.CODE))`
  const bin = programs({ cargo: play, 'cargo-nextest': play })
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const own = { command: 'cargo nextest run' }
  expect(
    await measured(project({ 'Cargo.toml': '' }), { env: { ...env, CODE: '100' }, test: own }),
  ).toMatchObject({ total: 6, passed: 4, failed: 2, flaky: 1 })
  expect(
    await refused(project({ 'Cargo.toml': '' }), { env: { ...env, CODE: '105' }, test: own }),
  ).toMatchObject({
    kind: 'not_started',
    reason: expect.stringContaining('exit code 105') as string,
  })
})

describe('go: a package that does not build', () => {
  const BROKEN = 'func F() int { return "one" }\n'
  const REPAIRED = 'func F() int { return 1 }\n'
  const files = { 'a/a_test.go': goTest('a', 'func TestA(t *testing.T) {}') }

  test('without tests: one failing entry, which is gone once the package builds', async () => {
    const cwd = project({ ...MODULE, ...files, 'b/b.go': `package b\n\n${BROKEN}` })
    const baseline = await measured(cwd, { flakyRetries: 1 })
    expect(names(baseline)).toEqual([
      'a/a_test.go | TestA | passed',
      'b | (error outside of any test) | failed',
    ])
    expect(baseline).toMatchObject({ total: 2, passed: 1, failed: 1, flaky: 0 })
    expect(baseline.failures[0]?.error).toMatch(/^b\/b\.go:3:23: cannot use "one"/)
    writeFiles(cwd, { 'b/b.go': `package b\n\n${REPAIRED}` })
    const after = await measured(cwd, { baseline: baseline.results })
    expect(names(after)).toEqual(['a/a_test.go | TestA | passed'])
    expect(after).toMatchObject({ total: 1, passed: 1, failed: 0, flaky: 0 })
  })

  test('with tests: without them it runs no test, also once it builds', async () => {
    const own = { 'b/b_test.go': goTest('b', 'func TestB(t *testing.T) { F() }') }
    const cwd = project({ ...MODULE, ...files, ...own, 'b/b.go': `package b\n\n${BROKEN}` })
    const baseline = await measured(cwd)
    expect(names(baseline)).toEqual([
      'a/a_test.go | TestA | passed',
      'b | (could not be loaded) | failed',
    ])
    rmSync(path.join(cwd, 'b/b_test.go'))
    writeFiles(cwd, { 'b/b.go': `package b\n\n${REPAIRED}` })
    const after = await measured(cwd, { baseline: baseline.results })
    expect(after).toMatchObject({ total: 2, passed: 1, failed: 1 })
    expect(after.failures).toMatchObject([{ file: 'b', missing: true }])
  })
})

test('go with more output than is kept of others: no test is lost in the middle of it', async () => {
  const play = `#!/usr/bin/env node
const say = (event) => require('fs').writeSync(1, JSON.stringify(event) + '\\n')
const noise = () => { for (let n = 0; n < 50; n++) say({ Action: 'output', Package: 'p', Test: 'TestLoud', Output: 'x'.repeat(100000) + '\\n' }) }
const test = (Package, Test, Action) => { say({ Action: 'run', Package, Test }); say({ Action, Package, Test }) }
const end = (Package, Action) => { say({ Action: 'output', Package, Output: Action.toUpperCase() + '\\n' }); say({ Action, Package }) }
test('a', 'TestSeen', 'fail'); end('a', 'fail')
noise(); test('q', 'TestInTheMiddle', 'fail'); end('q', 'fail'); noise()
test('p', 'TestLoud', 'pass'); end('p', 'pass')
process.exit(1)`
  const bin = programs({ go: play })
  const result = await measured(project(MODULE), {
    test: { command: [path.join(bin, 'go'), 'test', './...'] },
  })
  expect(names(result)).toEqual([
    'a | TestSeen | failed',
    'p | TestLoud | passed',
    'q | TestInTheMiddle | failed',
  ])
})

test('reports by path are read in the format that is named, and old ones are removed first', async () => {
  const report = JSON.stringify({
    numTotalTests: 1,
    testResults: [
      {
        name: 'a.test.js',
        status: 'passed',
        message: '',
        assertionResults: [
          { ancestorTitles: [], title: 'a', fullName: 'a', status: 'passed', failureMessages: [] },
        ],
      },
    ],
  })
  const cwd = project({
    'new.json': report,
    'out/old.json': '{"numTotalTests":1,"testResults":[]}',
    'out/other.json': '{"kept":true}',
  })
  expect(
    names(
      await measured(cwd, {
        test: { ...sh('cp new.json out/r.json'), report: { format: 'jest', path: 'out/*.json' } },
      }),
    ),
  ).toEqual(['a.test.js | a | passed'])
  expect(readFileSync(path.join(cwd, 'out/other.json'), 'utf8')).toBe('{"kept":true}')
  expect(() => readFileSync(path.join(cwd, 'out/old.json'))).toThrow('ENOENT')
})

test('flaky tests are run again, and only their files: what passes then is flaky', async () => {
  // Counts the runs of each file in a file; flaky tests fail the first time.
  const play = `#!/bin/sh
for one; do case $one in --junitxml=*) report=\${one#*=} ;; *.py) files="$files $one" ;; esac; done
code=0 cases=
for file in \${files:-test_*.py}; do
  printf x >> "$file.runs"
  inner=
  if grep -q fails "$file" || { grep -q flaky "$file" && test "$(wc -c < "$file.runs")" -eq 1; }; then inner='<failure message="no"/>' code=1; fi
  cases="$cases<testcase classname='\${file%.py}' name='test_a' file='$file'>$inner</testcase>"
done
printf %s "<testsuites name='pytest tests'><testsuite name='pytest'>$cases</testsuite></testsuites>" > "$report"
exit $code`
  const cwd = project({ 'test_a.py': 'flaky', 'test_b.py': 'passes', 'test_c.py': 'fails' })
  const result = await measured(cwd, {
    flakyRetries: 1,
    test: { command: [path.join(programs({ pytest: play }), 'pytest')] },
  })
  expect(result).toMatchObject({
    total: 3,
    passed: 2,
    failed: 1,
    flaky: 1,
    flakyTests: ['test_a.py > test_a'],
  })
  expect(names(result)).toEqual([
    'test_a.py | test_a | flaky',
    'test_b.py | test_a | passed',
    'test_c.py | test_a | failed',
  ])
  expect(
    ['a', 'b', 'c'].map(
      (name) => readFileSync(path.join(cwd, `test_${name}.py.runs`), 'utf8').length,
    ),
  ).toEqual([2, 1, 2])
})
