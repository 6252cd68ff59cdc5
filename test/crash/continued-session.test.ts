// The fix continues the session of its analysis. A worker that dies between the two changes
// nothing: the next one resumes the session, and neither turn is bought twice.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  analysis,
  endState,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type Step,
} from '../support/runs/real-run.js'

let user: InProcessUser
beforeEach(async () => {
  user = await inProcessUser()
})
afterEach(() => user.close())

/** Long enough not to count as weak. */
const WORDS = 'Each function uses another operator than its name says. '.repeat(15)
const STEPS: Step[] = [
  {
    when: { role: 'cli-planning-agent' },
    do: [
      {
        say: `${WORDS}\n\n${analysis(['calc.py:add:1-2', 'calc.py:mul:5-6'], ['tests/test_calc.py'])}`,
      },
    ],
  },
  { when: { role: 'test-fix-agent', iteration: 1 }, do: [RIGHT_ADD] },
  { when: { role: 'test-fix-agent', iteration: 2 }, do: [RIGHT_MUL] },
]

test('what an analysis changed is gone before its fix', async () => {
  const [analyse, ...fixes] = STEPS as [Step, ...Step[]]
  const edits = { write: { path: 'left.txt', text: 'an analysis may not edit\n' } }
  const project = makeProject(user, 'edits', [{ ...analyse, do: [edits, ...analyse.do] }, ...fixes])
  const result = await user.finish(await user.fix(project, 'WFS-test-edits'))
  expect(result.history[1]?.sessions).toMatchObject({ fix: { use: 'continued' } })
  const { outcome, tree } = endState(project, result)
  expect(outcome).toBe('success')
  expect(String(tree)).toContain('calc.py')
  expect(String(tree)).not.toContain('left.txt')
}, 60_000)

async function run(name: string, dies: boolean) {
  const project = makeProject(user, name, STEPS)
  if (dies) user.dieAt('turn:noted', project)
  const result = await user.finish(await user.fix(project, `WFS-test-${name}`))
  expect(user.hasDiedAt('turn:noted', project)).toBe(dies)
  const turns = markers(user, name)
  const sessions = [...new Set(turns.map(({ session }) => session))]
  return {
    end: endState(project, result),
    uses: result.history.map((one) => one.sessions),
    turns: turns.map(
      ({ role, iteration, attempt, session }) =>
        `${role} ${iteration} attempt ${attempt} session ${sessions.indexOf(session) + 1}`,
    ),
  }
}

test('killed between analysis and fix: the fix continues the session, and nothing is bought twice', async () => {
  const still = await run('still', false)
  expect(still.end).toMatchObject({ outcome: 'success', iterations: 2 })
  // The scripted agent does not report its context, so a session has two turns.
  expect(still.turns).toEqual([
    'cli-planning-agent 1 attempt 1 session 1',
    'test-fix-agent 1 attempt 1 session 1',
    'cli-planning-agent 2 attempt 1 session 2',
    'test-fix-agent 2 attempt 1 session 2',
  ])
  expect(still.uses.slice(1)).toMatchObject([
    { analysis: { use: 'first' }, fix: { use: 'continued' } },
    { analysis: { use: 'turns' }, fix: { use: 'continued' } },
  ])
  const killed = await run('killed', true)
  expect(killed.turns).toEqual(still.turns)
  expect(killed.end).toEqual(still.end)
  expect(killed.uses.slice(1)).toMatchObject([
    { fix: { use: 'continued' } },
    { fix: { use: 'continued' } },
  ])
}, 120_000)
