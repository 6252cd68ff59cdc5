// kill -9 of the agent worker at every boundary of a run and inside the long steps.
//
// Each case must end as the undisturbed run does, with no finished turn bought twice and the user's
// repository untouched to the byte. The assertions read the agent's start markers, git and the files.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/fault-point.js'
import { fingerprint } from '../support/repos.js'
import { ANALYSE, endState, makeProject, markers, realUser, RIGHT_ADD, RIGHT_MUL } from '../support/real-run.js'
import type { RealUser, Step } from '../support/real-run.js'

// Iteration 1 breaks everything and is rolled back, 2 mends add, 3 mends mul: every step occurs.
const STEPS: Step[] = [
  ANALYSE,
  { when: { role: 'test-fix-agent', iteration: 1 }, do: [{ write: { path: 'calc.py', text: 'def add(a, b):\n    return 7\n\n\ndef mul(a, b):\n    return 7\n' } }] },
  { when: { role: 'test-fix-agent', iteration: 2 }, do: [RIGHT_ADD] },
  { when: { role: 'test-fix-agent', iteration: 3 }, do: [RIGHT_MUL] },
]

let user: RealUser
let undisturbed: Record<string, unknown>
beforeAll(async () => {
  user = await realUser()
  const project = makeProject(user, 'undisturbed', STEPS)
  const result = await user.finish(await user.fix(project, 'WFS-test-undisturbed'))
  undisturbed = endState(project, result)
  expect(undisturbed).toMatchObject({ outcome: 'success', iterations: 3, passRate: 100 })
  expect(result.history.map((h) => h.result)).toEqual(['baseline', 'rolled_back', 'kept', 'kept'])
})
afterAll(() => user.close())

/** Of an undisturbed run: one prompt for each turn, none a second attempt. */
function boughtTwice(name: string): string[] {
  const seen = markers(user, name).map((m) => `${m.role} ${m.iteration} ${m.turn}`)
  return seen.filter((turn, n) => seen.indexOf(turn) !== n)
}

test.each<{ when: string; point: FaultPoint }>([
  { when: 'with the workspace ready, before it is said', point: 'prepare:done' },
  { when: 'before a turn has begun', point: 'turn:begin' },
  { when: 'between a finished turn and its answer', point: 'turn:done' },
  { when: 'before a test run', point: 'tests:begin' },
  { when: 'between a test run and its answer', point: 'tests:done' },
  { when: 'between turn and commit', point: 'commit:begin' },
  { when: 'between commit and completion', point: 'commit:done' },
  { when: 'before a rollback', point: 'rollback:begin' },
  { when: 'between rollback and completion', point: 'rollback:done' },
  { when: 'before the record', point: 'record:begin' },
  { when: 'between record and completion', point: 'record:done' },
])('killed $when, the run ends as if nothing had happened', async ({ point }) => {
  const name = point.replace(':', '-')
  const project = makeProject(user, name, STEPS)
  const before = fingerprint(project)
  user.dieAt(point, project)
  const result = await user.finish(await user.fix(project, `WFS-test-${name}`))
  expect(user.hasDiedAt(point, project)).toBe(true)
  expect(endState(project, result)).toEqual(undisturbed)
  expect(boughtTwice(name)).toEqual([])
  const after = fingerprint(project)
  expect(Object.fromEntries(Object.entries(after).filter(([file]) => !file.startsWith('.workflow')))).toEqual(before)
})
