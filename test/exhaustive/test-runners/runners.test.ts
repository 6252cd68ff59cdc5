// Real runs, on small broken projects, of the runners that take a report path.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Measured } from '../../../src/contract/test-run.js'
import { apartRuns, measured, names, project, refused } from '../../support/runs/measured-runs.js'
import {
  goTest,
  JEST,
  MOCHA,
  MODULE,
  MODULES,
  RUNNERS,
  script,
} from '../../support/repositories/runner-projects.js'
import { writeFiles } from '../../support/repositories/test-projects.js'
import { present } from '../../support/present.js'

apartRuns()

const output = (result: Measured) => readFileSync(result.output.path, 'utf8')

test.each(RUNNERS)(
  '$runner, with report flags: a file that cannot be loaded is one failing entry, and the others are measured',
  async ({ make, tests, breaks, unloaded, error }) => {
    const cwd = make()
    writeFiles(cwd, present(breaks))
    const result = await measured(cwd)
    expect(names(result)).toEqual([...tests, `${unloaded} | (could not be loaded) | failed`].sort())
    expect(result.failures.find((one) => one.file === unloaded)?.error).toMatch(error)
  },
)

test.each(
  // prettier-ignore
  [
  { runner: 'jest', cwd: () => script(`${JEST} -i --bail`, { 'a.test.js': "test('a', () => { throw 1 })", 'b.test.js': "test('b', () => { throw 1 })" }) },
  { runner: 'mocha', cwd: () => script(`${MOCHA} --bail`, { 'test/a.js': "it('a', () => { throw 1 }); it('b', () => { throw 1 })" }) },
  { runner: 'vitest', cwd: () => script(`node ${MODULES}/vitest/vitest.mjs run`, { 'vitest.config.mjs': 'export default { test: { globals: true, bail: 1 } }', 'a.test.js': "test('a', () => { throw 1 }); test('b', () => { throw 1 })" }) },
  { runner: 'pytest', cwd: () => project({ 'pytest.ini': '[pytest]\naddopts = -x\n', 'test_x.py': 'def test_a(): assert 0\ndef test_b(): assert 0\n' }) },
  { runner: 'go', cwd: () => project({ ...MODULE, 'a_test.go': goTest('a', 'func TestA(t *testing.T) { t.Fail() }\nfunc TestB(t *testing.T) { t.Fail() }') }), config: { command: 'go test -failfast ./...' } },
],
)(
  "$runner continues after its first failure, regardless of the project's settings",
  async ({ cwd, config }) => {
    expect(await measured(cwd(), { test: config ?? {} })).toMatchObject({ total: 2, failed: 2 })
  },
)

test('mocha: a test that calls done() twice has failed, and the others count', async () => {
  const result = await measured(
    script(MOCHA, {
      'test/a.js':
        "it('twice', (done) => { done(); done() }); it('passes', () => {}); describe('s', () => { it('late', (done) => { done(); setTimeout(done, 1) }); it('waits', (done) => setTimeout(done, 50)) })",
    }),
  )
  expect(names(result)).toEqual([
    'test/a.js | passes | passed',
    'test/a.js | s > late | failed',
    'test/a.js | s > waits | passed',
    'test/a.js | twice | failed',
  ])
})

describe('only flaky tests run again', () => {
  const counts = (file: string) =>
    `const fs = require('fs'); const at = __dirname + '/${file}'; const n = fs.existsSync(at) ? fs.readFileSync(at).length : 0; fs.writeFileSync(at, 'x'.repeat(n + 1))\n`
  const failsOnce = "if (n === 0) throw new Error('first')"
  test.each(
    // prettier-ignore
    [
    { runner: 'jest', cwd: () => script(JEST, { 'a.test.js': `${counts('a')}test('flaky', () => { ${failsOnce} })`, 'b.test.js': `${counts('b')}test('b', () => {})` }) },
    { runner: 'mocha', cwd: () => script(`${MOCHA}`, { 'test/a.js': `${counts('../a')}it('flaky', () => { ${failsOnce} })`, 'test/b.js': `${counts('../b')}it('b', () => {})` }) },
    { runner: 'node:test', cwd: () => script('node --test', { 'a.test.js': `${counts('a')}require('node:test').test('flaky', () => { ${failsOnce} })`, 'b.test.js': `${counts('b')}require('node:test').test('b', () => {})` }) },
  ],
  )('$runner', async ({ cwd }) => {
    const dir = cwd()
    expect(await measured(dir, { flakyRetries: 1 })).toMatchObject({
      total: 2,
      passed: 2,
      flaky: 1,
    })
    expect(['a', 'b'].map((name) => readFileSync(path.join(dir, name), 'utf8').length)).toEqual([
      2, 1,
    ])
  })

  test('go, by package', async () => {
    const mark = (name: string) =>
      `func mark() int {\n\tf, _ := os.ReadFile("n")\n\tos.WriteFile("n", append(f, 'x'), 0o600)\n\treturn len(f)\n}\nfunc Test${name}(t *testing.T) {\n\tif mark() == 0 && "${name}" == "A" { t.Error("first") }\n}`
    const source = (name: string) =>
      `package ${name.toLowerCase()}\n\nimport (\n\t"os"\n\t"testing"\n)\n\n${mark(name)}\n`
    const cwd = project({ ...MODULE, 'a/a_test.go': source('A'), 'b/b_test.go': source('B') })
    expect(await measured(cwd, { flakyRetries: 1 })).toMatchObject({
      total: 2,
      passed: 2,
      flaky: 1,
    })
    expect(['a/n', 'b/n'].map((name) => readFileSync(path.join(cwd, name), 'utf8').length)).toEqual(
      [2, 1],
    )
  })

  test("the runner's own retries are detected: jest.retryTimes, mocha --retries", async () => {
    const own =
      "let n = 0; (typeof jest === 'object' ? test : it)('flaky', () => { if (n++ === 0) throw new Error('first') })"
    expect(
      await measured(script(JEST, { 'a.test.js': `jest.retryTimes(1); ${own}` })),
    ).toMatchObject({ passed: 1, flaky: 1 })
    expect(await measured(script(`${MOCHA} --retries 1`, { 'test/a.js': own }))).toMatchObject({
      passed: 1,
      flaky: 1,
    })
  })
})

describe('runs without a valid measurement', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'jest that ends its process', cwd: () => script(JEST, { 'a.test.js': "test('a', () => {})", 'b.test.js': "test('x', () => process.exit(0))" }), says: /no report|report is missing/ },
    { why: 'mocha that ends its process', cwd: () => script(MOCHA, { 'test/a.js': "it('a', () => {}); it('x', () => process.exit(0))" }), says: /report is missing/ },
    { why: 'go with nothing but a package that panics', cwd: () => project({ ...MODULE, 'a/a_test.go': goTest('a', 'func TestA(t *testing.T) { panic("no") }\nfunc TestB(t *testing.T) {}') }), says: /a \(panic: no/ },
    { why: 'go outside of a module', cwd: () => project({ 'a.go': 'package a\n' }), config: { command: 'go test ./...' }, says: /could not be loaded: .*main module/ },
    { why: 'go without tests', cwd: () => project({ ...MODULE, 'a/a.go': 'package a\n' }), says: /No tests were found/ },
    { why: 'mocha behind a command that hides its failures', cwd: () => script(`${MOCHA}`, { 'test/a.js': "it('a', () => { throw new Error('x') }); after(() => process.on('exit', () => { process.exitCode = 0; process.reallyExit(0) }))" }), says: /1 failed test, but the command ended with exit code 0/ },
  ],
  )('$why', async ({ cwd, config, says }) =>
    expect((await refused(cwd(), { test: config ?? {} })).reason).toMatch(says),
  )

  test.each([
    { runner: 'jest', line: JEST },
    { runner: 'mocha', line: MOCHA },
    { runner: 'node:test', line: 'node --test' },
  ])('$runner without tests: a person has to fix it', async ({ line }) => {
    expect(await refused(script(line, {}))).toMatchObject({
      kind: 'cannot_execute',
      reason: expect.stringContaining('No tests were found') as string,
    })
  })
})

test('node:test: an error after the last test of a file is a failing entry', async () => {
  const result = await measured(
    script('node --test', {
      'a.test.js':
        "require('node:test').test('a', () => {}); setTimeout(() => { throw new Error('late') }, 20)",
    }),
  )
  expect(names(result)).toEqual([
    'a.test.js | (error outside of any test) | failed',
    'a.test.js | a | passed',
  ])
})

test('go: -count=2 counts the worse result of a test', async () => {
  const cwd = project({
    ...MODULE,
    'a_test.go': goTest(
      'a',
      'var n int\n\nfunc TestA(t *testing.T) {\n\tn++\n\tif n == 1 {\n\t\tt.Error("first")\n\t}\n}',
    ),
  })
  expect(await measured(cwd, { test: { command: 'go test -count=2 ./...' } })).toMatchObject({
    total: 1,
    failed: 1,
  })
})

describe('a runner that wrote its complete report and does not exit', () => {
  const open = "const server = require('node:net').createServer().listen(0)\n"
  test.each(
    // prettier-ignore
    [
    { runner: 'mocha', cwd: () => script(MOCHA, { 'test/a.js': `${open}it('a', () => {}); it('b', () => { throw new Error('no') })` }) },
    { runner: 'jest', cwd: () => script(JEST, { 'a.test.js': `${open}test('a', () => {}); test('b', () => { throw new Error('no') })` }) },
    { runner: 'pytest', cwd: () => project({ 'pytest.ini': '[pytest]\n', 'test_a.py': 'import threading, time\ndef test_a():\n  threading.Thread(target=time.sleep, args=(1000,)).start()\ndef test_b(): assert 0\n' }) },
  ],
  )('$runner is ended, and its results count', async ({ cwd }) => {
    const result = await measured(cwd(), { idleMs: 1_500 })
    expect(result).toMatchObject({
      total: 2,
      passed: 1,
      failed: 1,
      note: expect.stringContaining('did not exit') as string,
    })
  })

  test('a runner without a complete report is awaited until its limit', async () => {
    const result = await refused(
      script('node --test', { 'a.test.js': `${open}require('node:test').test('a', () => {})` }),
      { idleMs: 500, timeoutMs: 4_000 },
    )
    expect(result.reason).toContain('did not end within 4 s')
  })
})

test('the entry of a repaired suite set-up does not count as a missing test, with any runner', async () => {
  const files = (body: string) => ({
    'test/a.js': `describe('s', () => { before(() => { ${body} }); it('x', () => {}) })\nit('y', () => {})`,
  })
  const cwd = script(MOCHA, files("throw new Error('no')"))
  const baseline = await measured(cwd)
  expect(names(baseline)).toEqual([
    'test/a.js | s > x | skipped',
    'test/a.js | s | failed',
    'test/a.js | y | passed',
  ])
  writeFiles(cwd, files(''))
  expect(await measured(cwd, { baseline: baseline.results })).toMatchObject({
    total: 2,
    passed: 2,
    failed: 0,
  })
})

test('a test that failed before its subtests began does not count as missing once they run', async () => {
  const files = (first: string) => ({
    'a_test.go': goTest(
      'a',
      `func TestA(t *testing.T) {\n\t${first}\n\tt.Run("sub", func(t *testing.T) {})\n}`,
    ),
  })
  const cwd = project({ ...MODULE, ...files('t.Fatal("no fixture")') })
  const baseline = await measured(cwd)
  expect(names(baseline)).toEqual(['a_test.go | TestA | failed'])
  writeFiles(cwd, files(''))
  const after = await measured(cwd, { baseline: baseline.results })
  expect(names(after)).toEqual(['a_test.go | TestA > sub | passed'])
  expect(after).toMatchObject({ total: 1, passed: 1, failed: 0 })
})

test('a reporter set by the command keeps its output in node:test', async () => {
  const result = await measured(
    script('node --test --test-reporter=tap', {
      'a.test.js': "require('node:test').test('a', () => {})",
    }),
  )
  expect(output(result)).toContain('TAP version 13')
  expect(names(result)).toEqual(['a.test.js | a | passed'])
})
