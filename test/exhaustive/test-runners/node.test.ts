// node:test with its own junit reporter, set by the configuration, on small broken projects.
import { expect, test } from 'vitest'
import {
  apartRuns,
  measured,
  names,
  project,
  refused,
  REPORT,
} from '../../support/runs/measured-runs.js'

apartRuns()

const command = [
  'node',
  '--test',
  '--test-reporter=junit',
  '--test-reporter-destination=report.xml',
]
const own = { command, report: REPORT }
const head =
  "import { describe, it, test } from 'node:test'; import assert from 'node:assert/strict'\n"
const nodeProject = (more: Record<string, string> = {}): string =>
  project({
    'package.json': '{ "type": "module" }',
    'test/a b ü.test.js': `${head}test('top', () => assert.equal(1, 2)); test('fine', () => {}); describe('outer', () => { describe('inner', () => { it('deep', () => assert.equal(1, 3)) }); it('flat', () => {}) })`,
    ...more,
  })

test('a failing test outside of any describe is not a success, even if the exit code hides it', async () => {
  const cwd = nodeProject()
  expect(
    await refused(cwd, { test: { ...own, command: ['sh', '-c', `${command.join(' ')} || true`] } }),
  ).toMatchObject({
    kind: 'cannot_execute',
    reason: expect.stringContaining(
      '2 failed tests, but the command ended with exit code 0',
    ) as string,
  })
})

test('a report of another run does not count', async () => {
  const cwd = nodeProject()
  await measured(cwd, { test: own })
  expect(await refused(cwd, { test: { ...own, command: ['node', '--test'] } })).toMatchObject({
    kind: 'not_started',
    reason: expect.stringContaining('no report') as string,
  })
})

test('a file that cannot be loaded is one failing entry, and the others are measured', async () => {
  const result = await measured(nodeProject({ 'test/broken.test.js': "import './gone.js'\n" }), {
    test: own,
  })
  expect(result).toMatchObject({ total: 5, passed: 2, failed: 3 })
  expect(names(result)).toContain('test/broken.test.js | (could not be loaded) | failed')
})
