// Real runs of the runners that are told where to report: jest (29.7) and mocha (12.0) of this repository, this node, the go of this machine. nextest is played.
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resolveTestPlan } from '../../../src/adapters/tests/command.js'
import { runTests } from '../../../src/adapters/tests/run.js'
import type { RunTestsOptions } from '../../../src/adapters/tests/run.js'
import { readStoredRun } from '../../../src/adapters/tests/stored-run.js'
import { Config } from '../../../src/contract/config.js'
import type { Measured, NotMeasured, TestRun } from '../../../src/contract/test-run.js'
import { makeProject, removeProject, writeFiles } from '../../support/test-projects.js'

const MODULES = path.resolve(import.meta.dirname, '../../../node_modules')
const JEST = `node ${MODULES}/jest/bin/jest.js`
const MOCHA = `node ${MODULES}/mocha/bin/mocha.js`

let dirs: string[] = []
let outDir = ''
beforeEach(() => {
  outDir = mkdtempSync(path.join(os.tmpdir(), 'ratchet run, '))
  dirs.push(outDir)
})
afterEach(() => {
  dirs.forEach(removeProject)
  dirs = []
})

function project(files: Record<string, string>): string {
  const dir = makeProject(files)
  dirs.push(dir)
  return dir
}
const script = (line: string, files: Record<string, string>) => project({ 'package.json': JSON.stringify({ name: 'small', scripts: { test: line } }), ...files })
const MODULE = { 'go.mod': 'module example.com/calc\n\ngo 1.21\n' }
const goTest = (name: string, body: string) => `package ${name}\n\nimport "testing"\n\n${body}\n`

let steps = 0
async function measure(cwd: string, more: Partial<RunTestsOptions> = {}, config: Partial<Config['test']> = {}): Promise<TestRun> {
  const step = `step-${++steps}`
  return runTests({
    plan: resolveTestPlan({ cwd, config: { ...Config.parse({}).test, ...config } }), cwd, commit: 'c0ffee', env: process.env, run: path.basename(outDir), step, outDir: path.join(outDir, step),
    timeoutMs: 60_000, flakyRetries: 0, signal: new AbortController().signal, ...more,
  })
}
async function measured(...args: Parameters<typeof measure>): Promise<Measured> {
  const result = await measure(...args)
  if (result.kind !== 'measured') throw new Error(`${result.kind}: ${result.reason}\n${result.tail}`)
  return result
}
async function refused(...args: Parameters<typeof measure>): Promise<NotMeasured> {
  const result = await measure(...args)
  if (result.kind === 'measured') throw new Error(`measured ${result.passed} of ${result.total}`)
  return result
}
const names = (result: Measured) => readStoredRun(result.results).tests.map((t) => `${t.file} | ${t.test} | ${t.status}`).sort()
const output = (result: Measured) => readFileSync(result.output.path, 'utf8')

// One row a runner: the same small project in its own words, behind `npm test` where it has scripts.
const RUNNERS = [
  {
    runner: 'jest', make: () => script(JEST, { 'a.test.js': "describe('outer', () => { test('passes', () => {}); test('fails', () => { throw new Error('boom') }) })", 'sub/b ü.test.js': "test('passes', () => {}); test.skip('later', () => {})" }),
    tests: ['a.test.js | outer > fails | failed', 'a.test.js | outer > passes | passed', 'sub/b ü.test.js | later | skipped', 'sub/b ü.test.js | passes | passed'], prints: 'Tests:',
    breaks: { 'c.test.js': "require('./gone')\ntest('x', () => {})" }, reason: /c\.test\.js \(Cannot find module '\.\/gone'/,
  },
  {
    runner: 'mocha', make: () => script(MOCHA, { 'test/a.spec.js': "describe('outer', () => { it('passes', () => {}); it('fails', () => { throw new Error('boom') }) })", 'test/b ü.spec.js': "it('passes', () => {}); it.skip('later', () => {})" }),
    tests: ['test/a.spec.js | outer > fails | failed', 'test/a.spec.js | outer > passes | passed', 'test/b ü.spec.js | later | skipped', 'test/b ü.spec.js | passes | passed'], prints: 'FAIL outer > fails',
    breaks: { 'test/c.spec.js': "require('./gone')\nit('x', () => {})" }, reason: /did not start: exit code 1 and no report/,
  },
  {
    runner: 'node', make: () => script('node --test', { 'a.test.js': "const { describe, test } = require('node:test')\ndescribe('outer', () => { test('passes', () => {}); test('fails', () => { throw new Error('boom') }) })", 'sub/b ü.test.js': "const { test } = require('node:test')\ntest('passes', () => {}); test.skip('later', () => {})" }),
    tests: ['a.test.js | outer > fails | failed', 'a.test.js | outer > passes | passed', 'sub/b ü.test.js | later | skipped', 'sub/b ü.test.js | passes | passed'], prints: '✖ fails',
    breaks: { 'c.test.js': "require('./gone')" }, reason: /c\.test\.js \(Error: Cannot find module '\.\/gone'/,
  },
  {
    runner: 'go', make: () => project({ ...MODULE, 'a/a_test.go': goTest('a', 'func TestOuter(t *testing.T) {\n\tt.Run("passes", func(t *testing.T) {})\n\tt.Run("fails", func(t *testing.T) { t.Error("boom") })\n}'), 'b/b_test.go': goTest('b', 'func TestLater(t *testing.T) { t.Skip() }'), 'c/c.go': 'package c\n' }),
    tests: ['a/a_test.go | TestOuter > fails | failed', 'a/a_test.go | TestOuter > passes | passed', 'b/b_test.go | TestLater | skipped'], prints: '--- FAIL: TestOuter/fails',
    breaks: { 'c/c_test.go': goTest('c', 'func TestC(t *testing.T) { gone() }') }, reason: /c \(c\/c_test\.go:5:28: undefined: gone/,
  },
]
describe.each(RUNNERS)('$runner, told by flags', ({ make, tests, prints, breaks, reason, runner }) => {
  test('counts, names, errors, and an output that people can read', async () => {
    const result = await measured(make())
    expect(names(result)).toEqual(tests)
    expect(result).toMatchObject({ failed: 1, skipped: 1 })
    expect(result.failures[0]?.error).toContain('boom')
    expect(output(result)).toContain(prints)
    expect(output(result)).not.toContain('"Action"')
    expect(readStoredRun(result.results).runner).toBe(runner)
  })

  test('one file that cannot be loaded: not started, though others pass and fail', async () => {
    const cwd = make()
    writeFiles(cwd, breaks)
    expect(await refused(cwd)).toMatchObject({ kind: 'not_started', reason: expect.stringMatching(reason) as string })
  })
})

test.each([
  { runner: 'jest', cwd: () => script(`${JEST} -i --bail`, { 'a.test.js': "test('a', () => { throw 1 })", 'b.test.js': "test('b', () => { throw 1 })" }) },
  { runner: 'mocha', cwd: () => script(`${MOCHA} --bail`, { 'test/a.js': "it('a', () => { throw 1 }); it('b', () => { throw 1 })" }) },
  { runner: 'vitest', cwd: () => script(`node ${MODULES}/vitest/vitest.mjs run`, { 'vitest.config.mjs': 'export default { test: { globals: true, bail: 1 } }', 'a.test.js': "test('a', () => { throw 1 }); test('b', () => { throw 1 })" }) },
  { runner: 'pytest', cwd: () => project({ 'pytest.ini': '[pytest]\naddopts = -x\n', 'test_x.py': 'def test_a(): assert 0\ndef test_b(): assert 0\n' }) },
  { runner: 'go', cwd: () => project({ ...MODULE, 'a_test.go': goTest('a', 'func TestA(t *testing.T) { t.Fail() }\nfunc TestB(t *testing.T) { t.Fail() }') }), config: { command: 'go test -failfast ./...' } },
])('$runner goes on behind its first failure, whatever the project says', async ({ cwd, config }) => {
  expect(await measured(cwd(), {}, config ?? {})).toMatchObject({ total: 2, failed: 2 })
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
  const bin = project({ go: play })
  chmodSync(path.join(bin, 'go'), 0o755)
  const result = await measured(project(MODULE), {}, { command: [path.join(bin, 'go'), 'test', './...'] })
  expect(names(result)).toEqual(['a | TestSeen | failed', 'p | TestLoud | passed', 'q | TestInTheMiddle | failed'])
})

test('mocha: a test that calls done() twice has failed, and the others count', async () => {
  const result = await measured(script(MOCHA, { 'test/a.js': "it('twice', (done) => { done(); done() }); it('passes', () => {}); describe('s', () => { it('late', (done) => { done(); setTimeout(done, 1) }); it('waits', (done) => setTimeout(done, 50)) })" }))
  expect(names(result)).toEqual(['test/a.js | passes | passed', 'test/a.js | s > late | failed', 'test/a.js | s > waits | passed', 'test/a.js | twice | failed'])
})

test('nextest, played by a stand-in: the configuration that names the report, and its exit code', async () => {
  const play = `#!/usr/bin/env node
const fs = require('fs')
const config = process.argv.find((one) => one.startsWith('--tool-config-file=ratchet:')).replace('--tool-config-file=ratchet:', '')
fs.copyFileSync(${JSON.stringify(path.join(import.meta.dirname, 'fixtures/nextest.xml'))}, JSON.parse(/path = (.*)/.exec(fs.readFileSync(config, 'utf8'))[1]))
process.exit(Number(process.env.CODE))`
  const bin = project({ cargo: play, 'cargo-nextest': play })
  for (const name of ['cargo', 'cargo-nextest']) chmodSync(path.join(bin, name), 0o755)
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const command = { command: 'cargo nextest run' }
  expect(await measured(project({ 'Cargo.toml': '' }), { env: { ...env, CODE: '100' } }, command)).toMatchObject({ total: 6, passed: 4, failed: 2, flaky: 1 })
  expect(await refused(project({ 'Cargo.toml': '' }), { env: { ...env, CODE: '105' } }, command)).toMatchObject({ kind: 'not_started', reason: expect.stringContaining('exit code 105') as string })
})

describe('flaky tests are run again, and only they', () => {
  const counts = (file: string) => `const fs = require('fs'); const at = __dirname + '/${file}'; const n = fs.existsSync(at) ? fs.readFileSync(at).length : 0; fs.writeFileSync(at, 'x'.repeat(n + 1))\n`
  const failsOnce = "if (n === 0) throw new Error('first')"
  test.each([
    { runner: 'jest', cwd: () => script(JEST, { 'a.test.js': `${counts('a')}test('flaky', () => { ${failsOnce} })`, 'b.test.js': `${counts('b')}test('b', () => {})` }) },
    { runner: 'mocha', cwd: () => script(`${MOCHA}`, { 'test/a.js': `${counts('../a')}it('flaky', () => { ${failsOnce} })`, 'test/b.js': `${counts('../b')}it('b', () => {})` }) },
    { runner: 'node:test', cwd: () => script('node --test', { 'a.test.js': `${counts('a')}require('node:test').test('flaky', () => { ${failsOnce} })`, 'b.test.js': `${counts('b')}require('node:test').test('b', () => {})` }) },
  ])('$runner', async ({ cwd }) => {
    const dir = cwd()
    expect(await measured(dir, { flakyRetries: 1 })).toMatchObject({ total: 2, passed: 2, flaky: 1 })
    expect(['a', 'b'].map((name) => readFileSync(path.join(dir, name), 'utf8').length)).toEqual([2, 1])
  })

  test('go, by package', async () => {
    const mark = (name: string) => `func mark() int {\n\tf, _ := os.ReadFile("n")\n\tos.WriteFile("n", append(f, 'x'), 0o600)\n\treturn len(f)\n}\nfunc Test${name}(t *testing.T) {\n\tif mark() == 0 && "${name}" == "A" { t.Error("first") }\n}`
    const source = (name: string) => `package ${name.toLowerCase()}\n\nimport (\n\t"os"\n\t"testing"\n)\n\n${mark(name)}\n`
    const cwd = project({ ...MODULE, 'a/a_test.go': source('A'), 'b/b_test.go': source('B') })
    expect(await measured(cwd, { flakyRetries: 1 })).toMatchObject({ total: 2, passed: 2, flaky: 1 })
    expect(['a/n', 'b/n'].map((name) => readFileSync(path.join(cwd, name), 'utf8').length)).toEqual([2, 1])
  })

  test("the runner's own retries are seen: jest.retryTimes, mocha --retries", async () => {
    const own = "let n = 0; (typeof jest === 'object' ? test : it)('flaky', () => { if (n++ === 0) throw new Error('first') })"
    expect(await measured(script(JEST, { 'a.test.js': `jest.retryTimes(1); ${own}` }))).toMatchObject({ passed: 1, flaky: 1 })
    expect(await measured(script(`${MOCHA} --retries 1`, { 'test/a.js': own }))).toMatchObject({ passed: 1, flaky: 1 })
  })
})

describe('what is no measurement', () => {
  test.each([
    { why: 'jest that ends its process', cwd: () => script(JEST, { 'a.test.js': "test('a', () => {})", 'b.test.js': "test('x', () => process.exit(0))" }), says: /no report|report is missing/ },
    { why: 'mocha that ends its process', cwd: () => script(MOCHA, { 'test/a.js': "it('a', () => {}); it('x', () => process.exit(0))" }), says: /report is missing/ },
    { why: 'node:test with an error after the last test of a file', cwd: () => script('node --test', { 'a.test.js': "require('node:test').test('a', () => {}); setTimeout(() => { throw new Error('late') }, 20)" }), says: /a\.test\.js \(.*late/ },
    { why: 'go with a package that panics', cwd: () => project({ ...MODULE, 'a/a_test.go': goTest('a', 'func TestA(t *testing.T) { panic("no") }\nfunc TestB(t *testing.T) {}') }), says: /a \(panic: no/ },
    { why: 'go outside of a module', cwd: () => project({ 'a.go': 'package a\n' }), config: { command: 'go test ./...' }, says: /could not be loaded: .*main module/ },
    { why: 'go without tests', cwd: () => project({ ...MODULE, 'a/a.go': 'package a\n' }), says: /No tests were found/ },
    { why: 'mocha behind a command that hides its failures', cwd: () => script(`${MOCHA}`, { 'test/a.js': "it('a', () => { throw new Error('x') }); after(() => process.on('exit', () => { process.exitCode = 0; process.reallyExit(0) }))" }), says: /1 failed test, but the command ended with exit code 0/ },
  ])('$why', async ({ cwd, config, says }) => expect((await refused(cwd(), {}, config ?? {})).reason).toMatch(says))

  test.each([{ runner: 'jest', line: JEST }, { runner: 'mocha', line: MOCHA }, { runner: 'node:test', line: 'node --test' }])('$runner without tests: only a person can mend it', async ({ line }) => {
    expect(await refused(script(line, {}))).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('No tests were found') as string })
  })
})

test('the set-up of a suite that was mended is not missed, whoever reports it', async () => {
  const files = (body: string) => ({ 'test/a.js': `describe('s', () => { before(() => { ${body} }); it('x', () => {}) })\nit('y', () => {})` })
  const cwd = script(MOCHA, files("throw new Error('no')"))
  const baseline = await measured(cwd)
  expect(names(baseline)).toEqual(['test/a.js | s > x | skipped', 'test/a.js | s | failed', 'test/a.js | y | passed'])
  writeFiles(cwd, files(''))
  expect(await measured(cwd, { baseline: baseline.results })).toMatchObject({ total: 2, passed: 2, failed: 0 })
})

test('a test that failed before its subtests began is not missed once they run', async () => {
  const files = (first: string) => ({ 'a_test.go': goTest('a', `func TestA(t *testing.T) {\n\t${first}\n\tt.Run("sub", func(t *testing.T) {})\n}`) })
  const cwd = project({ ...MODULE, ...files('t.Fatal("no fixture")') })
  const baseline = await measured(cwd)
  expect(names(baseline)).toEqual(['a_test.go | TestA | failed'])
  writeFiles(cwd, files(''))
  const after = await measured(cwd, { baseline: baseline.results })
  expect(names(after)).toEqual(['a_test.go | TestA > sub | passed'])
  expect(after).toMatchObject({ total: 1, passed: 1, failed: 0 })
})

test('reports by path are read in the format that is named, and old ones are removed first', async () => {
  const cwd = script(`${JEST} --json --outputFile=out/r.json`, { 'a.test.js': "test('a', () => {})", 'out/old.json': '{"numTotalTests":1,"testResults":[]}', 'out/other.json': '{"kept":true}' })
  const report = { format: 'jest' as const, path: 'out/*.json' }
  expect(names(await measured(cwd, {}, { report }))).toEqual(['a.test.js | a | passed'])
  expect(readFileSync(path.join(cwd, 'out/other.json'), 'utf8')).toBe('{"kept":true}')
  expect(() => readFileSync(path.join(cwd, 'out/old.json'))).toThrow('ENOENT')
})

test("a reporter of the command's own keeps its place on the output of node:test", async () => {
  const result = await measured(script('node --test --test-reporter=tap', { 'a.test.js': "require('node:test').test('a', () => {})" }))
  expect(output(result)).toContain('TAP version 13')
  expect(names(result)).toEqual(['a.test.js | a | passed'])
})
