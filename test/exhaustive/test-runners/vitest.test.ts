// The vitest of this repository on small broken projects.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { apartRuns, measured, names, refused, vitest } from '../../support/runs/measured-runs.js'
import { MODULES } from '../../support/repositories/runner-projects.js'
import { writeFiles } from '../../support/repositories/test-projects.js'

apartRuns()

const LOADED = 'b.test.js | (could not be loaded) | failed'
const LATE = 'b.test.js | (error outside of any test) | failed'

test.each(
  // prettier-ignore
  [
  { why: 'an import that leads nowhere', file: "import './nope.js'; test('x', () => {})", entries: [LOADED], error: /nope\.js/ },
  { why: 'a file without a test', file: '', entries: [LOADED], error: /No test suite found/ },
  { why: 'a set-up of the whole file that throws', file: "beforeAll(() => { throw new Error('top') }); test('x', () => {})", entries: [LOADED, 'b.test.js | x | skipped'], error: /top/ },
  { why: 'a syntax error', file: "test('x', () => {", entries: [LOADED], error: /./ },
  { why: 'a worker that dies, whose tests the report calls passed', file: "test('w', () => {}); test('x', () => process.kill(process.pid, 'SIGKILL'))", entries: [LOADED], error: /Worker/ },
  { why: 'an unhandled rejection', file: "test('x', () => { void Promise.reject(new Error('boo')) })", entries: [LATE, 'b.test.js | x | passed'], error: /^Error: boo/ },
],
)('$why: one failing entry, and the other files are measured', async ({ file, entries, error }) => {
  const result = await measured(
    vitest({
      'a.test.js': "test('a', () => {}); test('f', () => expect(1).toBe(2))",
      'b.test.js': file,
    }),
  )
  expect(names(result)).toEqual(['a.test.js | a | passed', 'a.test.js | f | failed', ...entries])
  expect(result.failures.find((one) => one.file === 'b.test.js')?.error).toMatch(error)
})

test('no file can be loaded: not started', async () => {
  expect((await refused(vitest({ 'b.test.js': "import './nope.js'" }))).reason).toMatch(
    /could not be loaded: b\.test\.js .*nope\.js.*tried twice/,
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'its own --run', script: 'vitest --run' },
  { why: 'its own reporter and file', script: 'vitest run --reporter=junit --outputFile=own.xml' },
  { why: 'a file in JSON', script: 'vitest run --reporter=dot --reporter=json --outputFile=own.json' },
],
)('a script with $why is measured as it is', async ({ script }) => {
  const cwd = vitest({
    'a.test.js': "test('a', () => {}); test('f', () => expect(1).toBe(2))",
    'package.json': JSON.stringify({
      name: 'own',
      scripts: { test: script.replace('vitest', `node ${MODULES}/vitest/vitest.mjs`) },
    }),
  })
  expect(await measured(cwd)).toMatchObject({ total: 2, passed: 1, failed: 1 })
})

test('tests of a file in two projects count once, with the worse result', async () => {
  const cwd = vitest({
    'a.test.js': "test('x', () => expect(process.env.WHICH).toBe('one')); test('y', () => {})",
    'vitest.config.js':
      "export default { test: { globals: true, projects: [{ extends: true, test: { name: 'one', env: { WHICH: 'one' } } }, { extends: true, test: { name: 'two', env: { WHICH: 'two' } } }] } }",
  })
  expect(names(await measured(cwd))).toEqual(['a.test.js | x | failed', 'a.test.js | y | passed'])
})

test('an afterAll hook that throws is a normal failure', async () => {
  const result = await measured(
    vitest({ 'a.test.js': "afterAll(() => { throw new Error('late') }); test('a', () => {})" }),
  )
  expect(names(result)).toEqual(['a.test.js | a | passed', 'a.test.js | a.test.js | failed'])
})

test('the entry of a repaired suite set-up does not count as a missing test, its tests count again', async () => {
  const cwd = vitest({
    'a.test.js':
      "describe('s', () => { beforeAll(() => { throw new Error('no') }); test('x', () => {}) }); test('y', () => {})",
  })
  const baseline = await measured(cwd)
  expect(names(baseline)).toEqual([
    'a.test.js | s > x | skipped',
    'a.test.js | s | failed',
    'a.test.js | y | passed',
  ])
  writeFiles(cwd, {
    'a.test.js': "describe('s', () => { test('x', () => {}) }); test('y', () => {})",
  })
  expect(await measured(cwd, { baseline: baseline.results })).toMatchObject({
    total: 2,
    passed: 2,
    failed: 0,
  })
})

test('no test file is found: a person has to fix it', async () => {
  const result = await refused(vitest({}))
  expect(result).toMatchObject({
    kind: 'cannot_execute',
    reason: expect.stringContaining('No tests were found') as string,
  })
})

test('a global set-up that throws leaves a report without tests: not started', async () => {
  const cwd = vitest({
    'a.test.js': "test('a', () => {})",
    'vitest.config.js': "export default { test: { globals: true, globalSetup: './s.js' } }",
    's.js': "export default () => { throw new Error('gs') }",
  })
  expect(await refused(cwd)).toMatchObject({
    kind: 'not_started',
    reason: expect.stringContaining('1 error outside of any test') as string,
  })
})

test("the report of the project's own junit reporter is read at its path, with any class names", async () => {
  const cwd = vitest({
    'a.test.js': "test('a', () => {})",
    'vitest.config.js':
      "export default { test: { globals: true, reporters: [['junit', { outputFile: 'out/in.xml', classnameTemplate: 'C {filename}' }]] } }",
  })
  expect(names(await measured(cwd))).toEqual(['a.test.js | a | passed'])
})

test('a flaky test passes on its second run and is listed', async () => {
  const cwd = vitest({
    'a.test.js':
      "import fs from 'node:fs'; test('flaky', () => { fs.appendFileSync('runs-a', 'x'); expect(fs.readFileSync('runs-a', 'utf8').length).toBe(2) }); test('bad', () => expect(1).toBe(2))",
    'b.test.js': "import fs from 'node:fs'; test('good', () => fs.appendFileSync('runs-b', 'x'))",
  })
  const result = await measured(cwd, { flakyRetries: 1 })
  expect(result).toMatchObject({
    total: 3,
    passed: 2,
    failed: 1,
    flaky: 1,
    flakyTests: ['a.test.js > flaky'],
  })
  expect(names(result)).toEqual([
    'a.test.js | bad | failed',
    'a.test.js | flaky | flaky',
    'b.test.js | good | passed',
  ])
  expect(readFileSync(path.join(cwd, 'runs-b'), 'utf8')).toBe('x') // only failing files run again
})
