// Plays the real workflows of a cycle and a loop against a world: their own code, without Temporal.
import type { RunResult } from '../../../src/contract/result.js'
import { devCycle } from '../../../src/workflows/dev-cycle/workflow.js'
import { devLoop } from '../../../src/workflows/dev-loop/workflow.js'
import { ContinuedAsNew, onHost, startAgain } from '../workflow-sdk.js'
import { cycleHostOf, type CycleFacts, type CycleHostOfWorld } from './cycle-host.js'
import { loopHostOf, type LoopFacts } from './loop-host.js'
import { personOf } from './person.js'
import type { Planned } from './phase-answers.js'
import type { CycleWorld, DevWorld, LoopWorld } from './world.js'

/** One run: what came of it, and which turns and commits are its own. */
export type Ran = {
  result: RunResult
  from: number
  to: number
  extensions: number
  head: string
  raised: number
  plan: Planned[]
}

export type PlayedCycle = { facts: CycleFacts; runs: Ran[] }
export type PlayedLoop = { facts: LoopFacts; runs: Ran[] }

/** The only run of a host, now that it has ended. */
export function ranOf(
  result: RunResult,
  { turns, state }: Pick<CycleFacts, 'turns' | 'state'> | Pick<LoopFacts, 'turns' | 'state'>,
  plan: Planned[],
): Ran {
  return {
    result,
    from: 0,
    to: turns.now(),
    extensions: 0,
    head: state().head,
    raised: state().raised?.turns ?? 0,
    plan,
  }
}

export const EXTENSION = 'Also write it down'

async function untilOver<T>(run: (carried: unknown[]) => Promise<T>, input: unknown): Promise<T> {
  let carried: unknown[] = [input]
  for (;;) {
    try {
      return await run(carried)
    } catch (error) {
      if (!(error instanceof ContinuedAsNew)) throw error
      carried = error.carried
    }
  }
}

/** Plays a run of a world, and what follows it. `begin`, `again`: what each is started with. */
async function played(
  world: DevWorld,
  host: { id: string; activities: CycleHostOfWorld['activities'] },
  facts: Pick<CycleFacts, 'turns'> | Pick<LoopFacts, 'turns'>,
  now: () => Pick<Ran, 'head' | 'raised' | 'plan'>,
  run: (carried: unknown[]) => Promise<RunResult>,
  begin: unknown,
  again: unknown,
): Promise<Ran[]> {
  const person = personOf(world, facts.turns)
  const runs: Ran[] = []
  const ran = async (input: unknown): Promise<void> => {
    const [from, before] = [facts.turns.now(), person.extensions()]
    const result = await untilOver(run, input)
    runs.push({
      result,
      from,
      to: facts.turns.now(),
      extensions: person.extensions() - before,
      ...now(),
    })
  }
  await onHost({ ...host, ...person }, async () => {
    await ran(begin)
    if (world.then === 'nothing') return
    startAgain()
    facts.turns.stopped = false
    await ran(again)
  })
  return runs
}

export async function playCycle(world: CycleWorld): Promise<PlayedCycle> {
  const { activities, facts } = cycleHostOf(world)
  const runs = await played(
    world,
    { id: 'WFS-cycle-simulated.000000', activities },
    facts,
    () => ({
      head: facts.state().head,
      raised: facts.state().raised?.turns ?? 0,
      plan: facts.plan(),
    }),
    (carried) => devCycle(...(carried as Parameters<typeof devCycle>)),
    {
      project: '/repo',
      task: world.task ?? 'Add a store',
      maxIterations: world.limit,
      ...world.input,
    },
    {
      project: '/repo',
      cycleId: 'cycle-1',
      maxIterations: world.limit,
      ...(world.then === 'extend' ? { extend: EXTENSION } : {}),
    },
  )
  return { facts, runs }
}

export async function playLoop(world: LoopWorld): Promise<PlayedLoop> {
  const { activities, facts } = loopHostOf(world)
  const runs = await played(
    world,
    { id: 'WFS-loop-simulated.000000', activities },
    facts,
    () => ({
      head: facts.state().head,
      raised: facts.state().raised?.turns ?? 0,
      plan: facts.tasks().map(({ id, description: text }) => ({ id, text })),
    }),
    (carried) => devLoop(...(carried as Parameters<typeof devLoop>)),
    {
      project: '/repo',
      task: world.task ?? 'Add a store',
      maxIterations: world.limit,
      mode: world.mode,
    },
    {
      project: '/repo',
      loopId: 'loop-1',
      maxIterations: world.limit,
      ...(world.thenMode === undefined ? {} : { mode: world.thenMode }),
      ...(world.then === 'extend' ? { extend: EXTENSION } : {}),
    },
  )
  return { facts, runs }
}
