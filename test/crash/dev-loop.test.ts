// kill -9 in each mode of the dev loop: in a turn, and while it waits for a choice or an answer;
// and the agent worker dropped, as by kill -9, in the merge and between other effects.
//
// Every loop must end like the undisturbed one of its mode: same tree, same commits, same record.
// Each turn is bought once, a later attempt resumes the same session, and no byte of the user's
// repository changes. The assertions read the agents' start markers, git and the files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import { findMarked } from '../../src/adapters/process/find.js'
import type { RunHandle, RunResult } from '../../src/client/index.js'
import { LoopRecord } from '../../src/contract/dev-loop/loop-record.js'
import { MARKERS } from '../../src/contract/names.js'
import type { Question } from '../../src/contract/question.js'
import { BOTH, asks, debug, develop, step, validate, workers } from '../support/loop/loop-play.js'
import { comparedState } from '../support/loop/compared-state.js'
import { workerOf } from '../support/runs/killed-session.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  endState,
  makeProject,
  markers,
  realUser,
  RIGHT_ADD,
  RIGHT_MUL,
  type Marker,
  type RealUser,
  type RunUser,
  type Step,
} from '../support/runs/real-run.js'
import { outsideOfRecord, runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

type Mode = 'interactive' | 'auto' | 'parallel'
type Answers = (run: RunHandle) => Promise<unknown>

let user: RealUser
const undisturbed = new Map<Mode, Record<string, unknown>>()
beforeAll(async () => {
  user = await realUser()
  await Promise.all(
    (['interactive', 'auto', 'parallel'] as const).map(async (mode) => {
      const loop = await begin(mode, 'still')
      undisturbed.set(mode, ended(loop, await loop.result()))
    }),
  )
  expect(undisturbed.get('auto')).toMatchObject({ outcome: 'completed', passRate: 100 })
  expect(undisturbed.get('parallel')).toMatchObject({
    outcome: 'completed',
    passRate: 100,
    conflicts: [{ file: 'calc.py', chosen: 'develop' }],
  })
  expect(undisturbed.get('interactive')).toMatchObject({
    outcome: 'completed',
    bought: [
      'complete work',
      'develop clarify',
      'develop work',
      'develop work',
      'init work',
      'validate work',
    ],
  })
})
afterAll(() => user.close())

const WRONG_ADD = { patch: { path: 'calc.py', find: 'a - b', replace: 'b - a' } }
const MORE_TESTS = {
  write: {
    path: 'tests/test_more.py',
    text: 'from calc import add\n\n\ndef test_more():\n    assert add(2, 2) == 4\n',
  },
}

/** A worker does half of its turn, reports it, then waits for its gate to open. */
const held = (actions: Step['do'], gate: string | undefined): Step['do'] =>
  gate === undefined
    ? actions
    : [
        ...actions.slice(0, 1),
        { run: ['touch', `${gate}.reached`] },
        { wait: { 'until-file': gate } },
        ...actions.slice(1),
      ]

const STEPS: Record<Mode, (gate: string | undefined) => Step[]> = {
  auto: (gate) => [
    step('develop', { task: 'T1' }, held(develop([RIGHT_ADD]), gate)),
    step('develop', {}, develop([RIGHT_MUL])),
    ...workers([]),
  ],
  interactive: (gate) => [
    step(
      'develop',
      { task: 'T1', turn: 'work' },
      held([RIGHT_ADD, asks('Which sign? | Options: [plus, minus] | Recommended: [plus]')], gate),
    ),
    step('develop', { turn: 'clarify' }, develop([])),
    step('develop', {}, develop([RIGHT_MUL])),
    ...workers([]),
  ],
  parallel: (gate) => [
    step('develop', {}, held(develop([RIGHT_ADD, RIGHT_MUL], {}, BOTH), gate)),
    step('debug', {}, debug({}, [WRONG_ADD])),
    step('validate', {}, validate({}, [MORE_TESTS])),
    ...workers([]),
  ],
}

const asked = (run: RunHandle, id: string): Promise<Question> =>
  waitFor(async () => (await run.questions().catch(() => [])).find((one) => one.id === id), {
    what: `question ${id}`,
    timeoutMs: 120_000,
  })
const say =
  (id: string, choice: string): Answers =>
  async (run) => {
    await asked(run, id)
    await run.answer({ questionId: id, choice })
  }
const ANSWERS: Record<Mode, Answers[]> = {
  auto: [],
  parallel: [say('conflict-1-1', 'develop')],
  interactive: [
    say('menu-1', 'develop'),
    say('clarify-2-1-Q1', 'plus'),
    say('menu-2', 'develop'),
    say('menu-3', 'validate'),
    say('menu-4', 'complete'),
  ],
}

type Loop = {
  by: RunUser
  mode: Mode
  project: string
  id: string
  run: RunHandle
  before: Record<string, string>
  /** Answers questions until the loop ends. */ result: (
    from?: number,
    at?: RunHandle,
  ) => Promise<RunResult>
  gate: string
}

async function begin(mode: Mode, name: string, hold = false, by: RunUser = user): Promise<Loop> {
  const gate = path.join(by.root, `${mode}-${name}.go`)
  const project = makeProject(by, `${mode}-${name}`, STEPS[mode](hold ? gate : undefined))
  const id = `loop-b-20260122T100000-${mode}-${name}`
  const before = outsideOfRecord(project)
  const run = await by.loop(project, id, { task: 'Make the calculator right', mode })
  const result = async (from = 0, at = run): Promise<RunResult> => {
    for (const answer of ANSWERS[mode].slice(from)) await answer(at)
    return by.finish(at)
  }
  return { by, mode, project, id, run, before, result, gate }
}

const reached = (loop: Loop) =>
  waitFor(() => existsSync(`${loop.gate}.reached`), {
    what: 'the worker at its gate',
    timeoutMs: 120_000,
  })
const open = (loop: Loop): void => writeFileSync(loop.gate, '')
const prompts = ({ by, project }: Loop): (Marker & { session: string })[] =>
  markers(by, path.basename(project))
const named = ({ role, turn }: Marker): string => `${role.replace('loop-', '')} ${turn}`

/** Later attempts, and whether each continues the session of the one before. */
function resumed(loop: Loop): string[] {
  const all = prompts(loop)
  return all
    .filter(({ attempt }) => attempt > 1)
    .map(
      (one) =>
        `${named(one)} ${all.some((other) => other.attempt === one.attempt - 1 && other.session === one.session && named(other) === named(one)) ? 'in its session' : 'elsewhere'}`,
    )
}

/** What must be the same after any kill. */
function ended(loop: Loop, result: RunResult): Record<string, unknown> {
  const { project, id, mode } = loop
  const record = LoopRecord.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.loop', `${id}.json`), 'utf8')),
  )
  const end = endState(project, result)
  return {
    ...end,
    subjects: String(end['subjects']).replaceAll(id, '<loop>'),
    status: record.status,
    mode,
    conflicts: record.skill_state.parallel_results?.conflicts ?? [],
    state: comparedState(record.skill_state),
    bought: prompts(loop)
      .filter(({ attempt }) => attempt === 1)
      .map(named)
      .sort(),
  }
}

async function endsAsEver(loop: Loop, from = 0, at?: RunHandle): Promise<void> {
  expect(ended(loop, await loop.result(from, at))).toEqual(undisturbed.get(loop.mode))
  expect(findMarked(MARKERS.run, loop.id)).toEqual([])
  expect(outsideOfRecord(loop.project)).toEqual(loop.before)
}

describe('in a turn', () => {
  test.each<{ mode: Mode; asks: number }>([
    { mode: 'auto', asks: 0 },
    { mode: 'parallel', asks: 0 },
    { mode: 'interactive', asks: 1 },
  ])(
    '$mode: the agent worker; the turn continues in its session, nothing is bought twice',
    async ({ mode, asks: answered }) => {
      const loop = await begin(mode, 'turn', true)
      for (const answer of ANSWERS[mode].slice(0, answered)) await answer(loop.run)
      await reached(loop)
      process.kill(await workerOf(user, loop.project), 'SIGKILL')
      await waitFor(() => resumed(loop).length > 0, {
        what: 'the resumed turn',
        timeoutMs: 120_000,
      })
      open(loop)
      await endsAsEver(loop, answered)
      expect(resumed(loop)).toContain('develop work in its session')
      expect(resumed(loop).filter((one) => one.endsWith('elsewhere'))).toEqual([])
    },
  )
})

describe('while it waits for a person', () => {
  test.each([
    { waits: 'for a choice', answered: 2, question: 'menu-2' },
    { waits: 'for an answer', answered: 1, question: 'clarify-2-1-Q1' },
  ])(
    'interactive, $waits: the agent worker; the question stays open',
    async ({ answered, question }) => {
      const loop = await begin('interactive', question)
      for (const answer of ANSWERS.interactive.slice(0, answered)) await answer(loop.run)
      await asked(loop.run, question)
      process.kill(await workerOf(user, loop.project), 'SIGKILL')
      await endsAsEver(loop, answered)
      expect(resumed(loop)).toEqual([])
    },
  )

  test('parallel, for a conflict: the agent worker; the merge is repeated with the answer', async () => {
    const loop = await begin('parallel', 'asked')
    await asked(loop.run, 'conflict-1-1')
    process.kill(await workerOf(user, loop.project), 'SIGKILL')
    await endsAsEver(loop)
    expect(resumed(loop)).toEqual([])
  })
})

describe('dropped between two effects', () => {
  let own: InProcessUser
  beforeEach(async () => {
    own = await inProcessUser()
  })
  afterEach(() => own.close())

  test.each<{ mode: Mode; points: FaultPoint[] }>([
    { mode: 'parallel', points: ['clones:done', 'merge:begin', 'merge:commits'] },
    { mode: 'parallel', points: ['merge:moved', 'merge:done', 'tests:done', 'record:done'] },
    { mode: 'auto', points: ['prepare:done', 'commit:begin', 'commit:done', 'record:begin'] },
    { mode: 'interactive', points: ['answer:read', 'answer:done', 'record:copies', 'record:done'] },
  ])('$mode: $points', async ({ mode, points }) => {
    const project = path.join(own.root, `${mode}-at-${points[0]?.replace(':', '-') ?? ''}`)
    for (const point of points) own.dieAt(point, project)
    const loop = await begin(mode, path.basename(project).slice(mode.length + 1), false, own)
    await endsAsEver(loop)
    expect(points.filter((point) => !own.hasDiedAt(point, loop.project))).toEqual([])
    expect(resumed(loop)).toEqual([])
  })

  test('the agent worker dies while it ends a stopped round: the kept work is still named', async () => {
    const project = makeProject(own, 'stopped', [
      step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL], {}, BOTH)),
      step(
        'debug',
        {},
        debug({}, [{ patch: { path: 'calc.py', find: 'a - b', replace: 'b - a' } }]),
      ),
      ...workers([]),
    ])
    const id = 'loop-b-20260122T100000-stopped1'
    const run = await own.loop(project, id, { task: 'Make the calculator right', mode: 'parallel' })
    await asked(run, 'conflict-1-1')
    own.dieAt('record:copies', project)
    await run.stop('enough')
    expect(await own.finish(run)).toMatchObject({ outcome: 'stopped' })
    expect(own.hasDiedAt('record:copies', project)).toBe(true)
    const kept = LoopRecord.parse(
      JSON.parse(readFileSync(path.join(project, '.workflow/.loop', `${id}.json`), 'utf8')),
    ).ratchet.warnings.flatMap(
      (one) =>
        /^the work of (?:develop|debug) was not merged; it is kept as ([^\s,]+)/.exec(one)?.[1] ??
        [],
    )
    expect(
      kept.map((ref) => /a \* b|b - a/.exec(runGit(project, 'show', `${ref}:calc.py`))?.[0]),
    ).toEqual(['a * b', 'b - a'])
  })
})

test('the workflow worker at the menu, then the server in a turn: no worker of the loop is lost', async () => {
  const loop = await begin('interactive', 'apart', true)
  await asked(loop.run, 'menu-1')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  await say('menu-1', 'develop')(loop.run)
  await reached(loop)
  const there = await user.killServer(loop.run)
  open(loop)
  await endsAsEver(loop, 1, there)
})
