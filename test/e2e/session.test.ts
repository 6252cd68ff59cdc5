// Sessions on the command line: planned by another tool, and in CI. More are in
// test/runs/session.test.ts.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseJUnit } from '../../src/adapters/test-runners/reports/junit.js'
import { Ctrf } from '../../src/cli/report/ctrf.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { plannedSession } from '../support/runs/planned-session.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

type Failed = { error: { type: string; message: string } }
const sessionFile = (dir: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(dir, 'workflow-session.json'), 'utf8')) as Record<
    string,
    unknown
  >

test('fix runs the only planned session in place, and says so', async () => {
  const project = repository(user, 'planned', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }])
  const dir = plannedSession(project, 'active/WFS-test-login', {
    type: 'test',
    workflow_type: undefined,
    custom: 'kept',
  })
  const { exitCode, stdout } = await user.run(project, 'fix')
  expect(stdout).toContain(
    'the session WFS-test-login is unfinished (planning) and continues; --session <name> starts a new one\n',
  )
  expect(stdout).toMatch(/^iteration 1 {2}33\.3 % → 100\.0 % {2}kept {2}conservative$/m)
  expect(exitCode).toBe(0)
  expect(sessionFile(dir)).toMatchObject({
    status: 'completed',
    outcome: 'success',
    custom: 'kept',
  })
  expect(existsSync(path.join(project, '.workflow/WFS-test-login'))).toBe(false)
  expect(
    (await user.json<Failed>(project, 'resume', 'WFS-test-login')).document.error,
  ).toMatchObject({ type: 'BadInput', message: 'the session WFS-test-login is completed' })
})

test('in CI questions get the recommended answer, and the reports show the last full run', async () => {
  // Denied, so there is no second fix: one test keeps failing.
  const project = repository(
    user,
    'ci',
    [ANALYSE, { do: [RIGHT_ADD, { ask: 'edit calc.py' }, RIGHT_MUL] }],
    { permissions: 'ask' },
  )
  const page = path.join(user.root, 'page.md')
  user.env['GITHUB_STEP_SUMMARY'] = page
  const { exitCode, stdout, stderr } = await user.run(
    project,
    'fix',
    '--ci',
    '--ci-dir',
    '../reports',
    '--max-iterations',
    '1',
  )
  delete user.env['GITHUB_STEP_SUMMARY']
  expect(exitCode).toBe(1)
  expect(stderr).toContain('gave the recommended answer: deny\n')
  expect(stderr).toContain('iteration 1  33.3 % → 66.6 %  kept')
  expect(stdout + stderr).not.toContain('\u001b')
  expect(stdout.split('\n')[0]).toBe('failed after 1 iteration, pass rate 66.6 %')
  expect(stdout).toMatch(
    /^ {2}junit .*\/reports\/junit\.xml\n {2}ctrf .*\/reports\/ctrf\.json\n {2}summary .*\/reports\/summary\.md$/m,
  )

  const file = (name: string): string =>
    readFileSync(path.join(project, '../reports', name), 'utf8')
  const tests = parseJUnit(file('junit.xml'), 'junit.xml', project).tests.map(
    (one) => `${one.file} ${one.test} ${one.status}`,
  )
  expect(tests).toEqual([
    'tests/test_calc.py test_add passed',
    'tests/test_calc.py test_mul failed',
    'tests/test_calc.py test_zero passed',
  ])
  expect(Ctrf.parse(JSON.parse(file('ctrf.json'))).results.summary).toMatchObject({
    tests: 3,
    passed: 2,
    failed: 1,
  })
  expect(file('summary.md')).toMatch(/^- `tests\/test_calc\.py` `test_mul` \(high\): /m)
  expect(readFileSync(page, 'utf8')).toBe(file('summary.md'))
})
