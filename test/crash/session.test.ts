// kill -9, a dropped worker, pause and stop in every state of a session: plan, test generation,
// gates, analysis, its retry, fix, retest, final validation, degraded analysis, the opening and the
// record.
//
// Every run must end like the undisturbed one: same tree, same commits, same record, no finished
// turn bought twice. The assertions read the agent's start markers, git and the files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import { findMarked } from '../../src/adapters/process/find.js'
import type { RunHandle, RunResult } from '../../src/client/index.js'
import { MARKERS } from '../../src/contract/names.js'
import {
  asked,
  heldTests,
  plannedProject,
  recordOf,
  recordState,
  sessionName,
  steps,
  turnBegun,
  TURNS,
  workerOf,
  type Turn,
} from '../support/runs/killed-session.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  endState,
  makeProject,
  realUser,
  type RealUser,
  type RunUser,
  type Step,
} from '../support/runs/real-run.js'
import { filesOf } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
let undisturbed: { end: Record<string, unknown>; record: Record<string, string> }
beforeAll(async () => {
  user = await realUser()
  const project = plannedProject(user, 'undisturbed', steps())
  const result = await user.finish(await start(project))
  undisturbed = { end: endState(project, result), record: recordState(user, project, result) }
  expect(undisturbed.end).toMatchObject({ outcome: 'success', iterations: 1, passRate: 100 })
  expect(asked(user, project)).toEqual(TURNS)
})
afterAll(() => user.close())

const start = (project: string, by: RunUser = user): Promise<RunHandle> =>
  by.fix(project, sessionName(project))
const nth = (turn: Turn): number => TURNS.indexOf(turn) + 1

function expectUndisturbed(project: string, result: RunResult, by: RunUser = user): void {
  expect(endState(project, result)).toEqual(undisturbed.end)
  expect(recordState(by, project, result)).toEqual(undisturbed.record)
}

/** Processes of a run, agents and tests. */
const left = (run: RunHandle): unknown[] => findMarked(MARKERS.run, run.id)

describe('killed', () => {
  test.each<{ states: string; turns: Turn[] }>([
    { states: 'plan, test generation and both gates', turns: TURNS.slice(0, 4) },
    { states: 'analysis, its retry and the fix', turns: TURNS.slice(4) },
  ])('the agent worker in $states: each turn continues in its session', async ({ turns }) => {
    const project = plannedProject(
      user,
      nth(turns[0] as Turn) === 1 ? 'early-turns' : 'late-turns',
      steps(Object.fromEntries(turns.map((turn) => [turn, 'forever']))),
    )
    const run = await start(project)
    for (const turn of turns) {
      const { pid } = await turnBegun(user, project, nth(turn))
      process.kill(await workerOf(user, project), 'SIGKILL')
      await waitFor(() => asked(user, project, 'again').includes(turn), {
        what: `${turn} once more`,
        timeoutMs: 120_000,
      })
      expect(isAlive(pid)).toBe(false)
    }
    expectUndisturbed(project, await user.finish(run))
    expect(asked(user, project)).toEqual(TURNS)
    expect(asked(user, project, 'again')).toEqual(turns)
  })

  test('the agent worker after a plan, before the commit of generated tests, in the retest and in the final validation: the tests are ended and started again', async () => {
    const project = plannedProject(user, 'test-runs', steps())
    holdTests(project)
    user.dieAt('answer:done', project) // of the plan
    user.dieAt('commit:begin', project) // of the tests that were written
    const run = await start(project)
    for (const iteration of [0, 1]) {
      const number = await testsAfter(run, project, iteration)
      process.kill(await workerOf(user, project), 'SIGKILL')
      await waitFor(() => heldTests(user, project).length > number, {
        what: 'the tests once more',
        timeoutMs: 120_000,
      })
      // It ended before the second began; its entry in the process table may stay a little longer.
      await waitFor(() => !isAlive(heldTests(user, project)[number - 1] ?? -1), {
        what: 'the end of the first tests',
        timeoutMs: 60_000,
      })
      allowTests(project, number + 1)
    }
    allowTests(project, 99)
    expectUndisturbed(project, await user.finish(run))
    expect([
      user.hasDiedAt('answer:done', project),
      user.hasDiedAt('commit:begin', project),
    ]).toEqual([true, true])
    expect(asked(user, project)).toEqual(TURNS)
  })
})

describe('dropped', () => {
  let own: InProcessUser
  beforeEach(async () => {
    own = await inProcessUser()
  })
  afterEach(() => own.close())

  test('stopped in every state, nothing keeps running, and the session resumes right there', async () => {
    // prettier-ignore
    const STATES: { turn: Turn; next: string; again: Turn[] }[] = [
      { turn: 'cli-planning-agent IMPL-001 work', next: 'plan_tests', again: ['cli-planning-agent IMPL-001 work'] },
      { turn: 'code-developer IMPL-001 work', next: 'execute_task', again: ['code-developer IMPL-001 work'] },
      { turn: 'test-fix-agent IMPL-001.3 work', next: 'execute_task', again: ['test-fix-agent IMPL-001.3 work'] },
      { turn: 'test-fix-agent IMPL-001.5 work', next: 'execute_task', again: ['test-fix-agent IMPL-001.5 work'] },
      { turn: 'cli-planning-agent - retry', next: 'analyze', again: ['cli-planning-agent - work', 'cli-planning-agent - retry'] },
      { turn: 'test-fix-agent IMPL-fix-1 work', next: 'execute_fix_task', again: ['test-fix-agent IMPL-fix-1 work'] },
    ]
    const gate = (turn: Turn): string =>
      path.join(own.root, `stopped-${turn.replaceAll(' ', '_')}.go`)
    const project = plannedProject(
      own,
      'stopped',
      steps(Object.fromEntries(STATES.map(({ turn }) => [turn, { file: gate(turn) }]))),
    )
    for (const point of ['restore:begin', 'restore:done'] as const) own.dieAt(point, project)
    holdTests(project, own)
    const stopped = async (run: RunHandle, next: string): Promise<void> => {
      await run.stop('enough')
      expect(await own.finish(run)).toMatchObject({
        outcome: 'stopped',
        status: 'failed',
        reason: expect.stringMatching(/^stopped by request: enough/) as string,
      })
      expect(left(run)).toEqual([])
      expect(
        JSON.parse(
          readFileSync(path.join(recordOf(project), '.process/iteration-state.json'), 'utf8'),
        ),
      ).toMatchObject({ next_action: next })
    }
    const times = (turn: Turn): number => asked(own, project).filter((one) => one === turn).length
    for (const { turn, next } of STATES) {
      const before = times(turn)
      const run = await start(project, own)
      await waitFor(() => times(turn) > before, { what: turn, timeoutMs: 120_000 })
      await stopped(run, next)
      writeFileSync(gate(turn), '')
    }
    for (const [iteration, next] of [
      [0, 'retest'],
      [1, 'complete'],
    ] as const) {
      const run = await start(project, own)
      const number = await testsAfter(run, project, iteration, own)
      await stopped(run, next)
      allowTests(project, number, own)
    }
    allowTests(project, 99, own)
    const result = await own.finish(await start(project, own))
    // The answer of the analysis stopped in its retry counts as one more refused answer.
    const numbered = (end: unknown): unknown =>
      JSON.parse(JSON.stringify(end).replaceAll(/refused-\d/g, 'refused-N'))
    expect(numbered(endState(project, result))).toEqual(numbered(undisturbed.end))
    expect([
      own.hasDiedAt('restore:begin', project),
      own.hasDiedAt('restore:done', project),
    ]).toEqual([true, true])
    // Finished turns are bought once; stopped ones run again, an analysis together with its retry.
    expect(asked(own, project).sort()).toEqual(
      [...TURNS, ...STATES.flatMap(({ again }) => again)].sort(),
    )
  })

  test.each<{ between: string; points: FaultPoint[] }>(
    // prettier-ignore
    [
    { between: 'reading an analysis and its files, the note of the fix and its turn, publishing and noting its commit', points: ['answer:read', 'answer:files', 'turn:noted', 'commit:published'] },
    { between: 'the noted commit and its retest, copies, notes and files of the record', points: ['commit:noted', 'record:copies', 'record:notes', 'record:file'] },
  ],
  )('the agent worker between $between', async ({ points }) => {
    const project = plannedProject(own, `at-${points[0]?.replace(':', '-') ?? ''}`, steps())
    mkdirSync(own.pointsOf(project), { recursive: true })
    // The record of an iteration, not the first record, which is still empty.
    const late = points.filter((point) => point.startsWith('record:'))
    for (const point of points) if (!late.includes(point)) own.dieAt(point, project)
    const run = await start(project, own)
    await turnBegun(own, project, TURNS.length)
    for (const point of late) own.dieAt(point, project)
    expectUndisturbed(project, await own.finish(run), own)
    expect(points.filter((point) => !own.hasDiedAt(point, project))).toEqual([])
    expect(asked(own, project)).toEqual(TURNS)
    expect(asked(own, project, 'again')).toEqual([])
  })

  test('the agent worker at the start and around a degraded analysis: planned once, same files', async () => {
    const undecided: Step[] = steps().map((step) =>
      step.when?.['turn'] === 'retry' ? { ...step, do: [{ say: 'I do not know.' }] } : step,
    )
    const runWithDeaths = async (name: string, points: FaultPoint[]) => {
      const project = makeProject(own, name, undecided)
      for (const point of points) own.dieAt(point, project)
      const result = await own.finish(await start(project, own))
      expect(points.filter((point) => !own.hasDiedAt(point, project))).toEqual([])
      return {
        end: endState(project, result),
        record: recordState(own, project, result),
        asked: asked(own, project),
      }
    }
    const one = await runWithDeaths('undecided-one', [])
    const other = await runWithDeaths('undecided-two', [
      'degraded:begin',
      'degraded:done',
      'session:tasks',
      'session:file',
    ])
    expect(one.end).toMatchObject({ outcome: 'success', history: [{}, { analysis: 'degraded' }] })
    expect(other).toEqual(one)
  })
})

test('paused, with the workflow worker and the server killed in new states: the run ends as usual', async () => {
  const gate = (turn: Turn): string =>
    path.join(user.root, `by-hand-${turn.replaceAll(' ', '_')}.go`)
  const HELD: Turn[] = [
    'code-developer IMPL-001 work',
    'test-fix-agent IMPL-001.3 work',
    'cli-planning-agent - retry',
  ]
  const project = plannedProject(
    user,
    'by-hand',
    steps({
      ...Object.fromEntries(HELD.map((turn) => [turn, { file: gate(turn) }])),
      'cli-planning-agent - work': 'forever',
      'test-fix-agent IMPL-fix-1 work': 'forever',
    }),
  )
  let run = await start(project)
  const open = (turn: Turn): void => writeFileSync(gate(turn), '')
  const paused = () =>
    waitFor(async () => (await run.status()).status === 'paused', {
      what: 'the pause',
      timeoutMs: 60_000,
    })

  await turnBegun(user, project, 2)
  await run.pause({ mode: 'turn', reason: 'lunch' })
  open('code-developer IMPL-001 work')
  await paused()
  expect(asked(user, project)).toHaveLength(2)
  await run.resume()

  await turnBegun(user, project, 3)
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  open('test-fix-agent IMPL-001.3 work')

  for (const turn of ['cli-planning-agent - work', 'test-fix-agent IMPL-fix-1 work'] as const) {
    await turnBegun(user, project, nth(turn))
    await run.pause({ mode: 'now', reason: 'night' })
    await paused()
    await waitFor(() => left(run).length === 0, { what: 'the end of the agent', timeoutMs: 60_000 })
    await run.resume()
    if (turn !== 'cli-planning-agent - work') continue
    await turnBegun(user, project, nth('cli-planning-agent - retry'))
    run = await user.killServer(run)
    open('cli-planning-agent - retry')
  }
  expectUndisturbed(project, await user.finish(run))
  expect(asked(user, project)).toEqual(TURNS)
  // If another server took the port, the workers are replaced and the held turn continues in its
  // session.
  expect(
    asked(user, project, 'again').filter((turn) => turn !== 'cli-planning-agent - retry'),
  ).toEqual(['cli-planning-agent - work', 'test-fix-agent IMPL-fix-1 work'])
  expect(
    Object.keys(filesOf(recordOf(project))).filter((name) => /damaged|edited/.test(name)),
  ).toEqual([])
})

function holdTests(project: string, by: RunUser = user): void {
  mkdirSync(by.pointsOf(project), { recursive: true })
  writeFileSync(path.join(by.pointsOf(project), 'hold-tests'), '')
}

/** Releases the first `n` test runs of the repaired code. */
function allowTests(project: string, most: number, by: RunUser = user): void {
  for (let n = 1; n <= most; n++) writeFileSync(path.join(by.pointsOf(project), `test-${n}`), '')
}

/** Number of the test run of the repaired code that is held after so many iterations. */
function testsAfter(
  run: RunHandle,
  project: string,
  iteration: number,
  by: RunUser = user,
): Promise<number> {
  return waitFor(
    async () => {
      const begun = heldTests(by, project).length
      if (begun === 0 || existsSync(path.join(by.pointsOf(project), `test-${begun}`)))
        return undefined
      // Test runs that began before the status query belong to this iteration or an earlier one.
      const { iteration: now, phase } = await run.status()
      if (now < iteration) allowTests(project, begun, by)
      return now === iteration && phase === 'testing' ? begun : undefined
    },
    { what: `tests after iteration ${iteration}`, timeoutMs: 120_000 },
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
