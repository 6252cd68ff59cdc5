// Whole runs with agents that misbehave. Each must end with a clear outcome, a true measurement, no
// process of the agent, and an unchanged user tree. More are in test/runs/agents.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { CALCULATOR, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { filesIn } from '../support/repositories/repos.js'
import { fixer, whole } from '../support/runs/whole-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('an agent that lies gets the measured results', async () => {
  const { result } = await whole(
    user,
    'lying',
    fixer({ patch: RIGHT_ADD.patch }, { lie: 'Done: 100% of tests pass.' }),
  )
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]).toMatchObject({ claimed: 100, passRate: 66.6 })
})

test('tests that an agent weakens are restored, and the real ones judge its fix', async () => {
  const { result, project } = await whole(
    user,
    'tampering',
    fixer(
      { write: { path: 'tests/test_calc.py', text: 'def test_add():\n    assert True\n' } },
      { write: { path: 'conftest.py', text: 'collect_ignore = ["tests"]\n' } },
      { write: { path: 'pytest.ini', text: '[pytest]\naddopts = --deselect tests\n' } },
      RIGHT_ADD,
    ),
  )
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]?.note).toMatch(
    /conftest.py.*tests\/test_calc.py.*restored|tests\/test_calc.py.*conftest.py.*restored/,
  )
  const files = filesIn(project, result.branch ?? '')
  expect(files['tests/test_calc.py']).toBe(CALCULATOR['tests/test_calc.py'])
  expect(files['pytest.ini']).toBeUndefined()
})

test('leftover children of an agent, outside of its group and ignoring TERM, are found and ended', async () => {
  const { result } = await whole(
    user,
    'leaving',
    fixer(RIGHT_ADD, RIGHT_MUL, { fork: { setsid: true, 'ignore-term': true } }),
  )
  expect(result).toMatchObject({ outcome: 'success' })
})
