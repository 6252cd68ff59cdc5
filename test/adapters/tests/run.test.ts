// Real runs: the vitest of this repository and the pytest of this machine, on small projects.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endMarked } from '../../../src/adapters/process/end.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { spawnGroup } from '../../../src/adapters/process/spawn-group.js'
import { resolveTestPlan } from '../../../src/adapters/tests/command.js'
import type { RunTestsOptions } from '../../../src/adapters/tests/run.js'
import { runTests } from '../../../src/adapters/tests/run.js'
import { readStoredRun } from '../../../src/adapters/tests/stored-run.js'
import { Config } from '../../../src/contract/config.js'
import type { Measured, NotMeasured, TestRun } from '../../../src/contract/test-run.js'
import { TestRun as TestRunSchema } from '../../../src/contract/test-run.js'
import { makeProject, makePytestProject, makeVitestProject, removeProject, writeFiles } from '../../support/test-projects.js'
import { waitFor } from '../../support/wait.js'

let outDir = ''
let run = ''
let steps = 0
let projects: string[] = []

beforeEach(() => {
  outDir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-run-'))
  run = path.basename(outDir)
  steps = 0
})
afterEach(async () => {
  await endMarked('RATCHET_RUN', run, { graceMs: 0 })
  for (const dir of [outDir, ...projects]) removeProject(dir)
  projects = []
})

type Test = Config['test']
type More = Partial<RunTestsOptions> & { test?: Partial<Test> }

const vitest = (files: Record<string, string>) => kept(makeVitestProject(files))
const pytest = (files: Record<string, string>) => kept(makePytestProject(files))
function kept(dir: string): string {
  projects.push(dir)
  return dir
}

async function measure(cwd: string, { test: own, ...more }: More = {}): Promise<TestRun> {
  const config: Test = { ...Config.parse({}).test, flakyRetries: 0, ...own }
  const result = await runTests({
    plan: resolveTestPlan({ cwd, config }), cwd, commit: 'c0ffee', env: process.env, run, step: `step-${++steps}`, outDir: path.join(outDir, String(steps)),
    timeoutMs: 60_000, flakyRetries: 0, signal: new AbortController().signal, ...more,
  })
  expect(TestRunSchema.parse(result)).toEqual(result)
  expect(findMarked('RATCHET_RUN', run)).toEqual([])
  return result
}
async function measured(cwd: string, more?: More): Promise<Measured> {
  const result = await measure(cwd, more)
  if (result.kind !== 'measured') throw new Error(`${result.kind}: ${result.reason}\n${result.tail}`)
  return result
}
async function refused(cwd: string, more?: More): Promise<NotMeasured> {
  const result = await measure(cwd, more)
  if (result.kind === 'measured') throw new Error(`measured ${result.passed} of ${result.total}`)
  return result
}
const names = (result: Measured) => readStoredRun(result.results).tests.map((t) => `${t.file} | ${t.test} | ${t.status}`).sort()
const node = (code: string) => ({ command: ['node', '-e', code] })
const junit = (cases: string) => `<testsuites><testsuite name="s.x">${cases}</testsuite></testsuites>`
const writes = (cases: string, exit = 0, file = 'report.xml') =>
  ({ ...node(`require('fs').writeFileSync('${file}', ${JSON.stringify(junit(cases))}); process.exit(${exit})`), report: { format: 'junit' as const, path: 'report.xml' } })
const PASSED = '<testcase classname="s.x" name="a"/>'
const FAILED = '<testcase classname="s.x" name="b"><failure message="no"/></testcase>'

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
    expect(result).toMatchObject({ commit: 'c0ffee', total: 6, passed: 4, failed: 2, skipped: 2, flaky: 0, failuresTotal: 2 })
    expect(names(result)).toEqual([
      'a.test.js | later | skipped', 'a.test.js | outer <x> > in > fails & "q" | failed', 'a.test.js | outer <x> > in > passes | passed', 'a.test.js | skipped | skipped',
      'a.test.js | twice (2) | failed', 'a.test.js | twice | passed', 'sub/a.test.js | twice | passed', 'sub/b ü 試.test.js | passes | passed',
    ])
    expect(result.failures[0]).toMatchObject({ file: 'a.test.js', test: 'outer <x> > in > fails & "q"' })
    expect(result.failures[0]?.error).toMatch(/^AssertionError: expected 1 to be 2/)
    expect(result.failures.every((f) => f.error.length <= 200)).toBe(true)
    expect(readFileSync(result.output.path, 'utf8')).toContain('Test Files')
  })

  test.each([
    { why: 'an import that leads nowhere', file: "import './nope.js'; test('x', () => {})", reason: /could not be loaded: b\.test\.js .*nope\.js/ },
    { why: 'a file without a test', file: '', reason: /could not be loaded: b\.test\.js .*No test suite found/ },
    { why: 'a set-up of the whole file that throws', file: "beforeAll(() => { throw new Error('top') }); test('x', () => {})", reason: /could not be loaded: b\.test\.js .*top/ },
    { why: 'a syntax error', file: "test('x', () => {", reason: /could not be loaded: b\.test\.js/ },
    { why: 'a worker that dies, whose tests the report calls passed', file: "test('x', () => process.kill(process.pid, 'SIGKILL'))", reason: /1 error outside of any test/ },
    { why: 'a rejection nobody awaits', file: "test('x', () => { void Promise.reject(new Error('boo')) })", reason: /1 error outside of any test/ },
  ])('ccw §3.7 trap 3, $why: not started, though other files fail and pass', async ({ file, reason }) => {
    const result = await refused(vitest({ 'a.test.js': "test('a', () => {}); test('f', () => expect(1).toBe(2))", 'b.test.js': file }))
    expect(result.kind).toBe('not_started')
    expect(result.reason).toMatch(reason)
    expect(result.reason).toContain('tried twice')
  })

  test('a hook at the end of a file that throws is a failure like any other', async () => {
    const result = await measured(vitest({ 'a.test.js': "afterAll(() => { throw new Error('late') }); test('a', () => {})" }))
    expect(names(result)).toEqual(['a.test.js | a | passed', 'a.test.js | a.test.js | failed'])
  })

  test('the mended set-up of a suite is not missed, its tests count again', async () => {
    const cwd = vitest({ 'a.test.js': "describe('s', () => { beforeAll(() => { throw new Error('no') }); test('x', () => {}) }); test('y', () => {})" })
    const baseline = await measured(cwd)
    expect(names(baseline)).toEqual(['a.test.js | s > x | skipped', 'a.test.js | s | failed', 'a.test.js | y | passed'])
    writeFiles(cwd, { 'a.test.js': "describe('s', () => { test('x', () => {}) }); test('y', () => {})" })
    expect(await measured(cwd, { baseline: baseline.results })).toMatchObject({ total: 2, passed: 2, failed: 0 })
  })

  test('no test file is found: only a person can mend it', async () => {
    const result = await refused(vitest({}))
    expect(result).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('No tests were found') as string })
  })

  test('a global set-up that throws leaves a report without tests: not started', async () => {
    const cwd = vitest({ 'a.test.js': "test('a', () => {})", 'vitest.config.js': "export default { test: { globals: true, globalSetup: './s.js' } }", 's.js': "export default () => { throw new Error('gs') }" })
    expect(await refused(cwd)).toMatchObject({ kind: 'not_started', reason: expect.stringContaining('1 error outside of any test') as string })
  })

  test('a junit reporter of the own config is read where it writes, whatever it calls the classes', async () => {
    const cwd = vitest({
      'a.test.js': "test('a', () => {})",
      'vitest.config.js': "export default { test: { globals: true, reporters: [['junit', { outputFile: 'out/in.xml', classnameTemplate: 'C {filename}' }]] } }",
    })
    expect(names(await measured(cwd))).toEqual(['a.test.js | a | passed'])
  })

  test('a test that is flaky passes on its second run and is listed', async () => {
    const cwd = vitest({
      'a.test.js': "import fs from 'node:fs'; test('flaky', () => { fs.appendFileSync('runs-a', 'x'); expect(fs.readFileSync('runs-a', 'utf8').length).toBe(2) }); test('bad', () => expect(1).toBe(2))",
      'b.test.js': "import fs from 'node:fs'; test('good', () => fs.appendFileSync('runs-b', 'x'))",
    })
    const result = await measured(cwd, { flakyRetries: 1 })
    expect(result).toMatchObject({ total: 3, passed: 2, failed: 1, flaky: 1, flakyTests: ['a.test.js > flaky'] })
    expect(names(result)).toEqual(['a.test.js | bad | failed', 'a.test.js | flaky | flaky', 'b.test.js | good | passed'])
    expect(readFileSync(path.join(cwd, 'runs-b'), 'utf8')).toBe('x') // only failing files run again
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
      'sub ü/test_b.py | test_m | passed', 'test_a.py | TestC::TestD::test_n | passed', 'test_a.py | TestC::test_m | failed', 'test_a.py | test_both | failed', 'test_a.py | test_late | failed',
      'test_a.py | test_p[a::b/c] | passed', 'test_a.py | test_p[x] | failed', 'test_a.py | test_p[y z] | passed', 'test_a.py | test_s | skipped', 'test_a.py | test_setup | failed', 'test_a.py | test_xf | skipped',
    ])
    expect(result.failures.find((f) => f.test === 'TestC::test_m')?.error).toMatch(/^AssertionError: first\n/)
    expect(existsSync(path.join(cwd, '__pycache__'))).toBe(false)
  })

  test('a subfolder of the root that pytest finds: files are named from where the tests ran', async () => {
    const root = pytest({ 'sub/test_a.py': 'import os\ndef test_a():\n  open("runs", "a").write("x")\n  assert os.path.getsize("runs") == 2\n', 'sub/test_b.py': 'def test_b(): pass\n' })
    const result = await measured(path.join(root, 'sub'), { flakyRetries: 1 })
    expect(names(result)).toEqual(['test_a.py | test_a | flaky', 'test_b.py | test_b | passed'])
  })

  test.each([
    { why: 'a file that imports what is not there', files: { 'test_b.py': 'import nope\n' }, reason: /could not be loaded: test_b\.py/ },
    { why: 'a conftest that throws', files: { 'conftest.py': 'import nope\n' }, reason: /exit code 4 and no report/ },
    { why: 'a process that leaves in the middle', files: { 'test_b.py': 'import os\ndef test_b(): os._exit(1)\n' }, reason: /exit code 1 and no report/ },
    { why: 'a bad option', files: { 'pytest.ini': '[pytest]\naddopts = --no-such-option\n' }, reason: /exit code 4 and no report/ },
  ])('ccw §3.7 trap 3, $why: not started', async ({ files, reason }) => {
    const result = await refused(pytest({ 'test_a.py': 'def test_a(): pass\n', ...files }))
    expect(result.kind).toBe('not_started')
    expect(result.reason).toMatch(reason)
  })

  test('ccw §3.7 trap 3, no test, and only skipped tests: only a person can mend it', async () => {
    expect(await refused(pytest({}))).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('No tests were found') as string })
    const skipped = pytest({ 'test_a.py': 'import pytest\n@pytest.mark.skip\ndef test_a(): pass\n' })
    expect(await refused(skipped)).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('No test ran: the only one is skipped') as string })
  })
})

describe('flags reach the runner', () => {
  test.each([
    { why: 'sh -c', files: { 'sub x/test_a.py': 'def test_a(): pass\n' }, command: ['sh', '-c', 'cd "sub x" && python3 -m pytest -q'], want: ['test_a.py | test_a | passed'] },
    { why: 'a script that calls a script', files: { 'package.json': JSON.stringify({ scripts: { test: 'true && npm run unit', unit: 'python3 -m pytest -q' } }), 'test_a.py': 'def test_a(): pass\n' }, command: ['npm', 'test'], want: ['test_a.py | test_a | passed'] },
  ])('through $why', async ({ files, command, want }) => {
    expect(names(await measured(kept(makeProject(files)), { test: { command } }))).toEqual(want)
  })
})

describe('compared with a baseline', () => {
  const FIRST = 'import pytest\ndef test_a(): pass\ndef test_b(): pass\ndef test_c(): assert 0\n@pytest.mark.skip\ndef test_s(): pass\n'
  test('§6 rule 2: missing and newly skipped tests count as failed, those skipped before do not', async () => {
    const cwd = pytest({ 'test_a.py': FIRST })
    const baseline = await measured(cwd)
    expect(baseline).toMatchObject({ total: 3, passed: 2, failed: 1, skipped: 1 })
    writeFiles(cwd, { 'test_a.py': 'import pytest\ndef test_a(): pass\n@pytest.mark.skip\ndef test_b(): pass\n' })
    const after = await measured(cwd, { baseline: baseline.results })
    expect(after).toMatchObject({ total: 3, passed: 1, failed: 2, skipped: 0, failuresTotal: 2 })
    expect(after.failures).toEqual([
      { file: 'test_a.py', test: 'test_b', error: 'ran in the first run, is skipped now', missing: true },
      { file: 'test_a.py', test: 'test_c', error: 'was in the first run, is missing now', missing: true },
    ])
    expect(readStoredRun(after.results).missing).toHaveLength(2)
  })

  test('no test left: not started, as it came with a change', async () => {
    const cwd = pytest({ 'test_a.py': FIRST })
    const baseline = await measured(cwd)
    rmSync(path.join(cwd, 'test_a.py'))
    expect(await refused(cwd, { baseline: baseline.results })).toMatchObject({ kind: 'not_started' })
  })

  test('results that were changed since are refused', async () => {
    const cwd = pytest({ 'test_a.py': FIRST })
    const baseline = await measured(cwd)
    await expect(measure(cwd, { baseline: { ...baseline.results, sha256: 'other' } })).rejects.toThrow('results of a test run were changed')
  })

  test('the fingerprint is equal for the same failures with other numbers, and differs for others', async () => {
    const cwd = pytest({ 'test_a.py': 'import time\ndef test_a(): raise ValueError(f"at {time.time()} in /tmp/x{time.time()}")\n' })
    const [one, two] = [await measured(cwd), await measured(cwd)]
    writeFiles(cwd, { 'test_a.py': 'def test_a(): raise ValueError("otherwise")\n' })
    const three = await measured(cwd)
    expect(one.fingerprint).toBe(two.fingerprint)
    expect(three.fingerprint).not.toBe(one.fingerprint)
  })
})

describe('exit code and report must agree', () => {
  const cwd = () => kept(makeProject({}))
  test.each([
    { why: 'passed and failed tests, exit 1', test: writes(PASSED + FAILED, 1), kind: 'measured', says: '' },
    { why: 'a failed test, exit 0', test: writes(PASSED + FAILED, 0), kind: 'cannot_execute', says: '1 failed test, but the command ended with exit code 0' },
    { why: 'nothing failed, exit 3', test: writes(PASSED, 3), kind: 'not_started', says: 'exit code 3, but no test failed' },
    { why: 'a report without tests, exit 0', test: writes('', 0), kind: 'cannot_execute', says: 'No tests were found' },
    { why: 'no report, exit 0', test: writes(PASSED, 0, 'elsewhere.xml'), kind: 'cannot_execute', says: 'its report is missing' },
    { why: 'no report, exit 1', test: writes(PASSED, 1, 'elsewhere.xml'), kind: 'not_started', says: 'exit code 1 and no report' },
    { why: 'half a report, exit 0', test: { ...writes('', 0), ...node('require("fs").writeFileSync("report.xml", "<testsuites><testsuite name=")') }, kind: 'cannot_execute', says: 'report cannot be read' },
    { why: 'half a report, exit 1', test: { ...writes('', 0), ...node('require("fs").writeFileSync("report.xml", "<testsuites>"); process.exit(1)') }, kind: 'not_started', says: 'report cannot be read' },
    { why: 'no command', test: { ...writes(''), command: ['no-such-command-xyz'] }, kind: 'cannot_execute', says: 'was not found or is not executable' },
    { why: 'a command that is no program', test: { ...writes(''), command: ['/'] }, kind: 'cannot_execute', says: 'was not found or is not executable' },
    { why: 'a shell that finds no command', test: { ...writes(''), command: ['sh', '-c', 'no-such-command-xyz'] }, kind: 'cannot_execute', says: 'was not found or is not executable' },
    { why: 'a command that is killed', test: { ...writes(''), ...node('process.kill(process.pid, "SIGKILL")') }, kind: 'not_started', says: 'ended by SIGKILL' },
  ])('$why: $kind', async ({ test: own, kind, says }) => {
    const result = await measure(cwd(), { test: own })
    expect(result.kind).toBe(kind)
    if (result.kind !== 'measured') expect(result.reason).toContain(says)
  })

  test('a report from before the run is removed, so that it cannot pass for a new one', async () => {
    const dir = kept(makeProject({ 'report.xml': junit(PASSED), 'other.xml': '<config/>' }))
    const result = await refused(dir, { test: { ...node(''), report: { format: 'junit', path: '*.xml' } } })
    expect(result).toMatchObject({ kind: 'cannot_execute' })
    expect([existsSync(path.join(dir, 'report.xml')), existsSync(path.join(dir, 'other.xml'))]).toEqual([false, true])
  })

  test('a report with an old date, as a cache restores it, is stale', async () => {
    const own = { ...node(`const fs = require('fs'); fs.writeFileSync('report.xml', ${JSON.stringify(junit(PASSED))}); fs.utimesSync('report.xml', 1e9, 1e9)`), report: { format: 'junit' as const, path: 'report.xml' } }
    expect(await refused(cwd(), { test: own })).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('from before this run') as string })
  })

  test('several reports of one run are added up', async () => {
    const own = { ...node(`const fs = require('fs'); fs.mkdirSync('r'); for (const n of ['1', '2']) fs.writeFileSync('r/' + n + '.xml', ${JSON.stringify(junit(PASSED))}.replaceAll('s.x', n + '.x'))`), report: { format: 'junit' as const, path: 'r/*.xml' } }
    expect(names(await measured(cwd(), { test: own }))).toEqual(['1.x | a | passed', '2.x | a | passed'])
  })
})

describe('node:test', () => {
  const command = ['node', '--test', '--test-reporter=junit', '--test-reporter-destination=report.xml']
  const own = { command, report: { format: 'junit' as const, path: 'report.xml' } }
  const head = "import { describe, it, test } from 'node:test'; import assert from 'node:assert/strict'\n"
  const project = (more: Record<string, string> = {}) => kept(makeProject({
    'package.json': '{ "type": "module" }',
    'test/a b ü.test.js': `${head}test('top', () => assert.equal(1, 2)); test('fine', () => {}); describe('outer', () => { describe('inner', () => { it('deep', () => assert.equal(1, 3)) }); it('flat', () => {}) })`,
    ...more,
  }))

  test('tests in nested describes and outside of any are counted, and mended ones pass', async () => {
    const cwd = project()
    const baseline = await measured(cwd, { test: own })
    expect(names(baseline)).toEqual(['(no file) | fine | passed', '(no file) | outer > flat | passed', '(no file) | outer > inner > deep | failed', '(no file) | top | failed'])
    expect(baseline).toMatchObject({ total: 4, passed: 2, failed: 2 })
    expect(baseline.failures.map((f) => f.error)).toEqual([expect.stringContaining('1 !== 3') as string, expect.stringContaining('1 !== 2') as string])
    writeFiles(cwd, { 'test/a b ü.test.js': `${head}test('top', () => {}); test('fine', () => {}); describe('outer', () => { it('flat', () => {}) })` })
    const after = await measured(cwd, { test: own, baseline: baseline.results })
    expect(after).toMatchObject({ total: 4, passed: 3, failed: 1, failures: [{ test: 'outer > inner > deep', missing: true }] })
  })

  test('a failing test outside of any describe that the exit code hides is no success', async () => {
    const cwd = project()
    expect(await refused(cwd, { test: { ...own, command: ['sh', '-c', `${command.join(' ')} || true`] } })).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('2 failed tests, but the command ended with exit code 0') as string })
  })

  test('a report that this run did not write does not count', async () => {
    const cwd = project()
    await measured(cwd, { test: own })
    expect(await refused(cwd, { test: { ...own, command: ['node', '--test'] } })).toMatchObject({ kind: 'not_started', reason: expect.stringContaining('no report') as string })
  })

  test('a file that cannot be loaded: not started', async () => {
    const result = await refused(project({ 'test/broken.test.js': "import './gone.js'\n" }), { test: own })
    expect(result).toMatchObject({ kind: 'not_started', reason: expect.stringContaining('could not be loaded: test/broken.test.js') as string })
  })
})

describe('a result stays below 8 kB', () => {
  const long = (unit: string, n: number) => unit.repeat(n)
  test.each([
    { why: 'failures with long names and errors', unit: 'x' }, { why: 'names and errors of wide characters', unit: '試' }, { why: 'names and errors of quotes', unit: '&quot;' },
  ])('$why', async ({ unit }) => {
    const cases = Array.from({ length: 200 }, (_, n) => `<testcase classname="s.x" name="${n} ${long(unit, 3_000)}"><failure message="${long(unit, 3_000)}"/></testcase>`).join('')
    const cwd = kept(makeProject({ 'in.xml': junit(cases) }))
    const own = { ...node("require('fs').copyFileSync('in.xml', 'report.xml'); process.exit(1)"), report: { format: 'junit' as const, path: 'report.xml' } }
    const result = await measured(cwd, { test: own })
    expect([result.failuresTotal, result.failures.length > 1]).toEqual([200, true])
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8_000)
  })

  test('many flaky tests: the first 20 are named', async () => {
    const cases = (failing: string) => Array.from({ length: 30 }, (_, n) => `<testcase classname="s.x" name="t${n}">${failing}</testcase>`).join('')
    const cwd = kept(makeProject({ 'bad.xml': junit(cases('<failure/>')), 'good.xml': junit(cases('')) }))
    const own = { ...node("const fs = require('fs'); const again = fs.existsSync('ran'); fs.writeFileSync('ran', ''); fs.copyFileSync(again ? 'good.xml' : 'bad.xml', 'report.xml'); process.exit(again ? 0 : 1)"), report: { format: 'junit' as const, path: 'report.xml' } }
    const result = await measured(cwd, { test: own, flakyRetries: 1 })
    expect([result.flaky, result.flakyTests.length]).toEqual([30, 20])
  })

  test.each(['x', '試', '&quot;', '&#10;'])('files that could not be loaded, with long names, errors and output of %s', async (unit) => {
    const cases = Array.from({ length: 50 }, (_, n) => `<testcase classname="Test suite failed to run" name="${n}${long(unit, 3_000)}"><error message="${long(unit, 9_000)}"/></testcase>`).join('')
    const cwd = kept(makeProject({ 'in.xml': `<testsuites><testsuite name="${long(unit, 2_000)}">${cases}</testsuite></testsuites>` }))
    const own = { ...node("require('fs').copyFileSync('in.xml', 'report.xml'); process.stdout.write(require('fs').readFileSync('in.xml', 'utf8').slice(-20_000)); process.exit(1)"), report: { format: 'junit' as const, path: 'report.xml' } }
    const result = await refused(cwd, { test: own })
    expect(result.reason).toMatch(/^50 test files could not be loaded: .* Next: mend what the files import or define\. It was tried twice\.$/s)
    expect(result.reason.length).toBeLessThanOrEqual(1_500)
    expect(result.tail.length).toBeLessThanOrEqual(2_000)
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8_000)
  })
})

describe('nothing outlives a run', () => {
  test('a child that left by setsid and one in the group are ended with it', async () => {
    const cwd = pytest({ 'test_a.py': 'import subprocess\ndef test_a():\n  for s in (True, False): subprocess.Popen(["sleep", "1000"], start_new_session=s)\n' })
    expect(await measured(cwd)).toMatchObject({ passed: 1 }) // measure() looks that nobody is left
  })

  test('the limit ends a hanging test, and what it started', async () => {
    const cwd = pytest({ 'test_a.py': 'import subprocess, time\ndef test_a():\n  print("hangs here", flush=True)\n  subprocess.Popen(["sleep", "1000"], start_new_session=True)\n  time.sleep(1000)\n' })
    const result = await refused(cwd, { timeoutMs: 1_500, test: { command: ['python3', '-m', 'pytest', '-s'] } })
    expect(result).toMatchObject({ kind: 'not_started', reason: expect.stringContaining('did not end within 1500 ms') as string })
    expect(result.tail).toContain('hangs here')
  })

  test('a command that ignores TERM is killed after the limit', async () => {
    const own = { ...writes(''), ...node("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)") }
    expect(await refused(kept(makeProject({})), { timeoutMs: 300, graceMs: 200, test: own })).toMatchObject({ kind: 'not_started' })
  })

  test('an abort rejects with its reason after everything has ended', async () => {
    const abort = new AbortController()
    const running = measure(kept(makeProject({})), { signal: abort.signal, test: { ...writes(''), ...node('setInterval(() => {}, 1000)') } })
    const rejected = expect(running).rejects.toThrow('stopped by the user')
    await waitFor(() => findMarked('RATCHET_RUN', run).length > 0, { what: 'the test command' })
    abort.abort(new Error('stopped by the user'))
    await rejected
    expect(findMarked('RATCHET_RUN', run)).toEqual([])
  })

  test('what an earlier attempt left is ended before the next begins', async () => {
    const cwd = kept(makeProject({}))
    const busy = path.join(cwd, 'busy') // like a port: there as long as the earlier one lives
    const holder = `const fs = require('fs'); process.on('SIGTERM', () => { fs.unlinkSync('busy'); process.exit(0) }); fs.writeFileSync('busy', ''); setInterval(() => {}, 1000)`
    const left = await spawnGroup({ argv: ['node', '-e', holder], cwd, env: { PATH: process.env['PATH'] }, markers: { run, step: 'step-1' }, stdin: 'ignore', stdout: { file: path.join(outDir, 'left') } })
    await waitFor(() => existsSync(busy), { what: 'the earlier attempt' })
    // A failed test, not a failed start, which would be tried again.
    const [clash, fine] = [writes(FAILED, 1), writes(PASSED)]
    const command = ['node', '-e', `if (require('fs').existsSync('busy')) { ${clash.command[2] ?? ''} } ${fine.command[2] ?? ''}`]
    expect(await measured(cwd, { test: { ...fine, command } })).toMatchObject({ passed: 1, failed: 0 })
    expect(await left.exited).toEqual({ code: 0, signal: null })
    await left.closeOutput()
  })

  test('a flood of output is bounded, and the run is measured all the same', async () => {
    const own = writes(PASSED)
    const flood = `const b = 'x'.repeat(1 << 20) + '\\n'; for (let i = 0; i < 50; i++) require('fs').writeSync(1, b); ${own.command[2] ?? ''}`
    const result = await measured(kept(makeProject({})), { test: { ...own, command: ['node', '-e', flood] } })
    expect(result.output.bytes).toBeLessThan((8 << 20) + 100)
    expect(readFileSync(result.output.path, 'utf8')).toContain('bytes cut')
  })

  test('progress tells phase, lines and time', async () => {
    const abort = new AbortController()
    const own = { ...writes(''), ...node('console.log("one"); setInterval(() => {}, 1000)') }
    const seen: object[] = []
    const running = measure(kept(makeProject({})), { test: own, signal: abort.signal, onProgress: (p) => { seen.push(p); abort.abort(new Error('seen')) } })
    await expect(running).rejects.toThrow('seen')
    expect(seen[0]).toEqual({ phase: 'tests', lines: 1, elapsedMs: expect.any(Number) as number })
  })
})
