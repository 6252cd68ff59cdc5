// kill -9 while the four agents of a dev cycle run in parallel, and the agent worker dropped, as by
// kill -9, between the steps of an iteration.
//
// Every cycle must end like the undisturbed one: same tree, same commits, same record. Each turn is
// bought once, a later attempt resumes the same session, and no byte of the user's repository
// changes. The assertions read the agents' start markers, git and the files.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import type { RunHandle } from '../../src/client/index.js'
import { findMarked } from '../../src/adapters/process/find.js'
import { CYCLE_ROLES } from '../../src/contract/dev-cycle/cycle-state.js'
import { MARKERS } from '../../src/contract/names.js'
import { cd, ra, step } from '../support/cycle/cycle-play.js'
import { workerOf } from '../support/runs/killed-session.js'
import {
  bought,
  cycleEnd,
  cycleProject,
  cycleRecord,
  CYCLE_TURNS,
  allAtWork,
  prompts,
  resumed,
  resumedOnce,
  type CycleProject,
  type HeldTurn,
} from '../support/cycle/killed-cycle.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  realUser,
  RIGHT_ADD,
  type RealUser,
  type RunUser,
  type Step,
} from '../support/runs/real-run.js'
import { fingerprint, outsideOfRecord } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
let undisturbed: { end: Record<string, unknown>; record: Record<string, string> }
beforeAll(async () => {
  user = await realUser()
  const cycle = cycleProject(user, 'undisturbed')
  const result = await user.finish(await user.cycle(cycle.project, cycle.id))
  undisturbed = { end: cycleEnd(cycle, result), record: cycleRecord(user, cycle, result) }
  expect(undisturbed.end).toMatchObject({
    outcome: 'completed',
    iterations: 2,
    passRate: 100,
    history: [{ passRate: 33.3 }, { passRate: 75 }, { passRate: 100 }],
  })
  expect([bought(user, cycle.project), resumed(user, cycle.project)]).toEqual([CYCLE_TURNS, []])
})
afterAll(() => user.close())

/** A running cycle, and the check that it ends like the undisturbed one. */
async function begin(
  name: string,
  turns: readonly HeldTurn[],
  more: readonly Step[] = [],
  by: RunUser = user,
) {
  const cycle = cycleProject(by, name, turns, more)
  const { project } = cycle
  const before = fingerprint(project)
  const run = await by.cycle(project, cycle.id)
  const ends = async (at: RunHandle = run): Promise<void> => {
    const result = await by.finish(at)
    expect(cycleEnd(cycle, result)).toEqual(undisturbed.end)
    expect(cycleRecord(by, cycle, result)).toEqual(undisturbed.record)
    expect(bought(by, project)).toEqual(CYCLE_TURNS)
    expect(findMarked(MARKERS.run, cycle.id)).toEqual([])
    expect(outsideOfRecord(project)).toEqual(before)
  }
  return { ...cycle, run, ends }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

const until = (cycle: CycleProject, turns: readonly HeldTurn[], by: RunUser = user) =>
  waitFor(() => resumed(by, cycle.project).length === turns.length, {
    what: `${turns.length} resumed turns`,
    timeoutMs: 120_000,
  })

describe('killed', () => {
  test('the agent worker while four agents run: the next worker ends them and resumes each session', async () => {
    const cycle = await begin('worker', allAtWork(1))
    await cycle.reached(allAtWork(1))
    const first = prompts(user, cycle.project).filter(
      ({ iteration, turn }) => iteration === 1 && turn === 'work',
    )
    expect(new Set(first.map(({ session }) => session)).size).toBe(4)
    process.kill(await workerOf(user, cycle.project), 'SIGKILL')
    await until(cycle, allAtWork(1))
    expect(first.filter(({ pid }) => isAlive(pid))).toEqual([])
    cycle.open(allAtWork(1))
    await cycle.ends()
    expect(resumed(user, cycle.project)).toEqual(resumedOnce(allAtWork(1)))
  })

  test('one agent of four: it is restarted and continues, without effect on the other three', async () => {
    const cycle = await begin('agent', allAtWork(1))
    await cycle.reached(allAtWork(1))
    const developer = prompts(user, cycle.project).find(({ role }) => role === 'code-developer')
    if (developer === undefined) throw new Error('no developer')
    process.kill(developer.pid, 'SIGKILL')
    await until(cycle, ['cd 1 work'])
    cycle.open(allAtWork(1))
    await cycle.ends()
    expect(resumed(user, cycle.project)).toEqual(resumedOnce(['cd 1 work']))
  })

  test('the agent worker while two of four wait for a person: one answered before the next worker starts and one after both continue', async () => {
    const asks = (phase: 'ra' | 'cd', title: string): Step =>
      step(CYCLE_ROLES[phase], { iteration: 1, turn: 'work' }, [
        { ask: title },
        ...(phase === 'ra' ? ra() : cd([RIGHT_ADD], { status: 'partial' })),
      ])
    const held: HeldTurn[] = ['ep 1 work', 'vas 1 work']
    const cycle = await begin('asking', held, [
      asks('ra', 'read the web'),
      asks('cd', 'install a tool'),
    ])
    const questions = await waitFor(
      async () => {
        const open = await cycle.run.questions()
        return open.length === 2 ? open : undefined
      },
      { what: 'both questions', timeoutMs: 120_000 },
    )
    await cycle.reached(held)
    process.kill(await workerOf(user, cycle.project), 'SIGKILL')
    for (const [n, { id }] of questions.entries()) {
      await cycle.run.answer({ questionId: id, choice: 'allow' })
      if (n === 0)
        await waitFor(() => resumed(user, cycle.project).length >= 2, {
          what: 'the resumed turns',
          timeoutMs: 120_000,
        })
    }
    await until(cycle, allAtWork(1))
    cycle.open(held)
    await cycle.ends()
    expect(resumed(user, cycle.project)).toEqual(resumedOnce(allAtWork(1)))
  })
})

describe('dropped', () => {
  let own: InProcessUser
  beforeEach(async () => {
    own = await inProcessUser()
  })
  afterEach(() => own.close())

  test.each<{ where: string; points: FaultPoint[] }>(
    // prettier-ignore
    [
    { where: 'before a commit, behind it, and between its note and its answer', points: ['commit:begin', 'commit:done', 'commit:noted'] },
    { where: 'behind a test run, before a record and behind it', points: ['tests:done', 'record:begin', 'record:done'] },
  ],
  )('the agent worker $where: no agent is asked again', async ({ points }) => {
    const cycle = await begin(`at-${points[0]?.replace(':', '-') ?? ''}`, allAtWork(1), [], own)
    await cycle.reached(allAtWork(1))
    for (const point of points) own.dieAt(point, cycle.project)
    cycle.open(allAtWork(1))
    await cycle.ends()
    expect(points.filter((point) => !own.hasDiedAt(point, cycle.project))).toEqual([])
    expect(resumed(own, cycle.project)).toEqual([])
  })

  test('the agent worker while it handles an answer, and after it: the answer is parsed again without a new prompt', async () => {
    const cycle = await begin('answers', [...allAtWork(1), 'vas 1 validate'], [], own)
    await cycle.reached(allAtWork(1))
    own.dieAt('answer:read', cycle.project)
    cycle.open(['ra 1 work'])
    const others = allAtWork(1).filter((turn) => turn !== 'ra 1 work')
    await until(cycle, others, own)
    cycle.open(others)
    await cycle.reached(['vas 1 validate'])
    own.dieAt('answer:done', cycle.project)
    cycle.open(['vas 1 validate'])
    await cycle.ends()
    expect([
      own.hasDiedAt('answer:read', cycle.project),
      own.hasDiedAt('answer:done', cycle.project),
    ]).toEqual([true, true])
    expect(resumed(own, cycle.project)).toEqual(resumedOnce(others))
  })
})

test('the workflow worker while four agents run, then the server: the agents keep running, and none is lost', async () => {
  const cycle = await begin('apart', [...allAtWork(1), ...allAtWork(2)])
  await cycle.reached(allAtWork(1))
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  cycle.open(allAtWork(1))
  await cycle.reached(allAtWork(2))
  expect(resumed(user, cycle.project)).toEqual([])
  const there = await user.killServer(cycle.run)
  cycle.open(allAtWork(2))
  await cycle.ends(there)
  // If another server took the port, the workers are replaced and the turns continue in their
  // sessions.
  expect(resumedOnce(allAtWork(2))).toEqual(expect.arrayContaining(resumed(user, cycle.project)))
})

test('interactive: the workers and the server are killed while a question is open; an answer continues the cycle', async () => {
  const cycle = cycleProject(user, 'asked')
  const run = await user.cycle(cycle.project, cycle.id, {
    task: 'Make the calculator right',
    interactive: true,
  })
  const question = async (at: RunHandle) =>
    waitFor(async () => (await at.questions().catch(() => []))[0], {
      what: 'the question',
      timeoutMs: 120_000,
    })
  const plan = await question(run)
  expect(plan).toMatchObject({ id: 'approve-plan-1', kind: 'approval' })
  process.kill(await workerOf(user, cycle.project), 'SIGKILL')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  expect(await question(run)).toEqual(plan)
  await run.answer({ questionId: plan.id, choice: 'approve' })
  const asked = await waitFor(
    async () => (await run.questions().catch(() => [])).find(({ id }) => id !== plan.id),
    { what: 'the menu', timeoutMs: 120_000 },
  )
  expect(asked).toMatchObject({ id: 'iteration-1', options: ['continue', 'extend', 'stop'] })
  process.kill(await workerOf(user, cycle.project), 'SIGKILL')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  const there = await user.killServer(run)
  expect(await question(there)).toEqual(asked)
  await there.answer({ questionId: asked.id, choice: 'continue' })
  const last = await waitFor(async () => (await there.questions())[0], {
    what: 'the last question',
    timeoutMs: 120_000,
  })
  expect(last).toMatchObject({ id: 'iteration-2', options: ['finish', 'extend', 'stop'] })
  await there.answer({ questionId: last.id, choice: 'finish' })
  const result = await user.finish(there)
  expect(cycleEnd(cycle, result)).toEqual(undisturbed.end)
  expect([bought(user, cycle.project), resumed(user, cycle.project)]).toEqual([CYCLE_TURNS, []])
})
