// The agent worker is dropped, as by kill -9, at several points of a run: nothing is bought twice,
// and the run ends like an undisturbed one. test/crash covers every point of every mode, and
// compares a drop with a real kill.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import { findMarked } from '../../src/adapters/process/find.js'
import type { RunHandle } from '../../src/client/index.js'
import { MARKERS } from '../../src/contract/names.js'
import { everybody } from '../support/cycle/cycle-play.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { develop, init, step, workers } from '../support/loop/loop-play.js'
import {
  ANALYSE,
  endState,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type Step,
} from '../support/runs/real-run.js'
import { runGit, outsideOfRecord } from '../support/repositories/repos.js'

// Only one worker runs when one is dropped.
let user: InProcessUser
beforeEach(async () => {
  user = await inProcessUser()
})
afterEach(() => user.close())

const NAME = 'dropped'
const RIGHT = 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b'

/**
 * The result of a run whose worker died at all of these points. Checks that no process is left and
 * that the user's repository is unchanged.
 */
async function ended(
  steps: Step[],
  points: FaultPoint[],
  start: (project: string) => Promise<RunHandle>,
) {
  const project = makeProject(user, NAME, steps)
  const own = () => outsideOfRecord(project)
  const before = own()
  for (const point of points) user.dieAt(point, project)
  const run = await start(project)
  const result = await user.finish(run)
  expect(points.filter((point) => !user.hasDiedAt(point, project))).toEqual([])
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  expect(own()).toEqual(before)
  expect(runGit(project, 'show', `${result.branch ?? ''}:calc.py`)).toBe(RIGHT)
  const { outcome, iterations, passRate, history, subjects } = endState(project, result)
  // An agent that ran when the worker died continues its session in a later attempt.
  const prompts = markers(user, NAME)
  const bought = prompts
    .filter(({ attempt }) => attempt === 1)
    .map(({ role, iteration, turn }) => `${iteration} ${role} ${turn}`)
    .sort()
  return {
    end: {
      outcome,
      iterations,
      passRate,
      subjects,
      rates: (history as { passRate: number }[]).map((one) => one.passRate),
    },
    bought,
    again: prompts.length - bought.length,
  }
}

test('fix: between a turn and its answer, a commit and its note, a test run and its answer', async () => {
  const points: FaultPoint[] = ['turn:done', 'commit:published', 'tests:done']
  expect(
    await ended(
      [ANALYSE, { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] }],
      points,
      (project) => user.fix(project, 'WFS-test-dropped'),
    ),
  ).toEqual({
    end: {
      outcome: 'success',
      iterations: 1,
      passRate: 100,
      rates: [33.3, 100],
      subjects:
        'fix(IMPL-fix-1): use the operator that the name of the function says (conservative, 33.3 → 100.0 %)\nSnapshot of the working tree',
    },
    bought: ['1 cli-planning-agent work', '1 test-fix-agent work'],
    again: 0,
  })
})

test('dev cycle: while its agents work in parallel, and after a commit', async () => {
  const { again, ...there } = await ended(
    everybody([RIGHT_ADD, RIGHT_MUL]),
    ['turn:done', 'commit:done'],
    (project) => user.cycle(project, 'cycle-v1-dropped'),
  )
  expect(there).toMatchObject({
    end: { outcome: 'completed', iterations: 1, passRate: 100, rates: [33.3, 100] },
    bought: [
      '1 code-developer work',
      '1 exploration-planner work',
      '1 requirements-analyst work',
      '1 validation-archivist validate',
      '1 validation-archivist work',
    ],
  })
  expect(again).toBeLessThanOrEqual(3) // the other three
})

test('dev loop: after a turn, after a test run and in the record', async () => {
  const tasks = [{ id: 'T1', description: 'both', priority: 'high', files: ['calc.py'] }]
  const steps = [
    step('init', {}, init(tasks)),
    step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL])),
    ...workers([]),
  ]
  expect(
    await ended(steps, ['turn:done', 'tests:done', 'record:copies'], (project) =>
      user.loop(project, 'loop-b-dropped'),
    ),
  ).toMatchObject({
    end: { outcome: 'completed', iterations: 4, passRate: 100 },
    bought: [
      '1 loop-init work',
      '2 loop-develop work',
      '3 loop-validate work',
      '4 loop-complete work',
    ],
    again: 0,
  })
})
