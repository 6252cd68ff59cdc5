// The vitest of this repository on what goes wrong in small projects.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { measured, names, refused, vitest } from '../../support/measured-runs.js'
import { writeFiles } from '../../support/test-projects.js'

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
