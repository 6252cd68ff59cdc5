// Plays the real workflows of a cycle and a loop against a world: their own code, without Temporal.
import type { RunResult } from '../../../src/contract/result.js'
import { devCycle } from '../../../src/workflows/dev-cycle.js'
import { ContinuedAsNew, onHost, startAgain } from '../workflow-sdk.js'
import { cycleHostOf } from './cycle-host.js'
import type { CycleFacts } from './cycle-host.js'
import { personOf } from './person.js'
import type { Planned } from './phase-answers.js'
import type { CycleWorld } from './world.js'

/** One run: what came of it, and which turns and commits are its own. */
export type Ran = { result: RunResult; from: number; to: number; extensions: number; head: string; raised: number; plan: Planned[] }

export type PlayedCycle = { facts: CycleFacts; runs: Ran[] }

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

export async function playCycle(world: CycleWorld): Promise<PlayedCycle> {
  const { activities, facts } = cycleHostOf(world)
  const person = personOf(world, facts.turns)
  const runs: Ran[] = []
  await onHost({ id: 'WFS-cycle-simulated.000000', activities, ...person }, async () => {
    const ran = async (input: unknown): Promise<void> => {
      const [from, before] = [facts.turns.now(), person.extensions()]
      const result = await untilOver((carried) => devCycle(...(carried as Parameters<typeof devCycle>)), input)
      runs.push({ result, from, to: facts.turns.now(), extensions: person.extensions() - before, head: facts.state().head, raised: facts.state().raised?.turns ?? 0, plan: facts.plan() })
    }
    await ran({ project: '/repo', task: 'Add a store', maxIterations: world.limit, ...world.input })
    if (world.then === 'nothing') return
    startAgain()
    facts.turns.stopped = false
    await ran({ project: '/repo', cycleId: 'cycle-1', maxIterations: world.limit, ...(world.then === 'extend' ? { extend: EXTENSION } : {}) })
  })
  return { facts, runs }
}
