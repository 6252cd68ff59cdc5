// The agent worker is dropped, as by kill -9, at every boundary of a run. agreement.test.ts
// compares a drop with a real kill.
//
// Each case must end like the undisturbed run, without buying a finished turn twice or changing a
// byte of the user's repository. The assertions read the agent's start markers, git and the files.
import { writeFileSync } from 'node:fs'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import { fingerprint, outsideOfRecord } from '../support/repositories/repos.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  ANALYSE,
  endState,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type Step,
} from '../support/runs/real-run.js'

// Iteration 1 breaks everything and is rolled back, 2 fixes add, 3 fixes mul: every step occurs.
const STEPS: Step[] = [
  ANALYSE,
  {
    when: { role: 'test-fix-agent', iteration: 1 },
    do: [
      {
        write: {
          path: 'calc.py',
          text: 'def add(a, b):\n    return 7\n\n\ndef mul(a, b):\n    return 7\n',
        },
      },
    ],
  },
  { when: { role: 'test-fix-agent', iteration: 2 }, do: [RIGHT_ADD] },
  { when: { role: 'test-fix-agent', iteration: 3 }, do: [RIGHT_MUL] },
]

let user: InProcessUser
let undisturbed: Record<string, unknown>
beforeAll(async () => {
  user = await inProcessUser()
  const project = makeProject(user, 'undisturbed', STEPS)
  const result = await user.finish(await user.fix(project, 'WFS-test-undisturbed'))
  undisturbed = endState(project, result)
  expect(undisturbed).toMatchObject({ outcome: 'success', iterations: 3, passRate: 100 })
  expect(result.history.map((h) => h.result)).toEqual(['baseline', 'rolled_back', 'kept', 'kept'])
  await user.close()
})
afterEach(() => user.close())

/** Of an undisturbed run: one prompt for each turn, no second attempts. */
function boughtTwice(name: string): string[] {
  const seen = markers(user, name).map((m) => `${m.role} ${m.iteration} ${m.turn}`)
  return seen.filter((turn, n) => seen.indexOf(turn) !== n)
}

test.each<{ when: string; points: FaultPoint[] }>(
  // prettier-ignore
  [
  { when: 'after preparing the workspace, before a turn and between a finished turn and its answer', points: ['prepare:done', 'turn:begin', 'turn:done'] },
  { when: 'before a test run, between it and its answer, and between turn and commit', points: ['tests:begin', 'tests:done', 'commit:begin'] },
  { when: 'between commit and completion, before a rollback and between rollback and completion', points: ['commit:done', 'rollback:begin', 'rollback:done'] },
  { when: 'before the record and between record and completion', points: ['record:begin', 'record:done'] },
],
)('killed $when, the run ends as if nothing had happened', async ({ points }) => {
  user = await inProcessUser()
  const name = (points[0] ?? '').replace(':', '-')
  const project = makeProject(user, name, STEPS)
  const before = fingerprint(project)
  for (const point of points) user.dieAt(point, project)
  const result = await user.finish(await user.fix(project, `WFS-test-${name}`))
  expect(points.filter((point) => !user.hasDiedAt(point, project))).toEqual([])
  expect(endState(project, result)).toEqual(undisturbed)
  expect(boughtTwice(name)).toEqual([])
  expect(outsideOfRecord(project)).toEqual(before)
})

test('a worker that cannot restart ends the wait for its run at once', async () => {
  user = await inProcessUser()
  const project = makeProject(user, 'not-kept', STEPS)
  writeFileSync(`${project}.as-it-was`, 'where the copy would be\n')
  user.dieAt('prepare:done', project)
  const run = await user.fix(project, 'WFS-test-not-kept')
  await expect(user.finish(run)).rejects.toThrow(`cannot copy ${project}`)
}, 60_000)
