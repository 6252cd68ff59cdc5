// A sample of the sequences of cycles and loops through the real workflows, on the server that
// skips time: every workflow task replays the whole history, some runs are paused. Verdicts and
// turns are those of the simulation.
//
// `SAMPLE=3000` says how many there are of each, as a fifth of those of a fix.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCycle } from '../dev/check-cycle.js'
import { checkLoop } from '../dev/check-loop.js'
import { cycleHostOf } from '../dev/cycle-host.js'
import { loopHostOf } from '../dev/loop-host.js'
import { playCycle, playLoop, ranOf, type PlayedCycle, type PlayedLoop } from '../dev/play.js'
import { verdictOf } from '../dev/verdict.js'
import { cycleWorlds, loopWorlds, type CycleWorld, type LoopWorld } from '../dev/world.js'
import { PAUSED, replaying, SAMPLE as OF_A_FIX, SEED, someAtOnce } from './replaying.js'

const SAMPLE = Math.ceil(OF_A_FIX / 5)

const replayed = replaying()

// Nothing from outside, nothing that hangs on which of the agents side by side is first, and no
// question: the server that skips time loses workflow tasks where updates answer.
const quiet = { events: [], then: 'nothing' as const, turns: 0 }
const cycleSample = (): CycleWorld[] =>
  fc.sample(cycleWorlds, { numRuns: SAMPLE, seed: SEED }).map(({ input, moves, ...world }) => ({
    ...world,
    ...quiet,
    input: { ...input, interactive: false },
    moves: { ...moves, ep: moves.ep.map((move) => ({ ...move, plan: 'same' })) },
  }))
const loopSample = (): LoopWorld[] =>
  fc.sample(loopWorlds, { numRuns: SAMPLE, seed: SEED }).map(({ mode, moves, ...world }) => ({
    ...world,
    ...quiet,
    mode: mode === 'interactive' ? 'auto' : mode,
    moves: {
      ...moves,
      develop: moves.develop.map((move) => ({ ...move, file: 'own' })),
      debug: moves.debug.map((move) => ({ ...move, file: 'own' })),
    },
  }))

async function side<W, P extends PlayedCycle | PlayedLoop>(
  worlds: readonly W[],
  simulate: (world: W) => Promise<P>,
  real: (world: W, n: number) => Promise<P>,
  check: (played: P) => void,
): Promise<void> {
  const sample: { world: W; simulated: P }[] = []
  // One after the other: the clock of a simulation is the one of this process.
  for (const world of worlds) sample.push({ world, simulated: await simulate(world) })
  await someAtOnce(sample, async ({ world, simulated }, n) => {
    const played = await real(world, n)
    expect(verdictOf(played), JSON.stringify(world)).toEqual(verdictOf(simulated))
    check(played)
  })
}

test(`${SAMPLE} sequences of a cycle give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  await side(
    cycleSample(),
    playCycle,
    async (world, n) => {
      const { activities, facts } = cycleHostOf(world)
      const result = await replayed({
        kind: 'dev-cycle',
        workflowId: `WFS-cycle-sample-${n}.000000`,
        activities,
        input: {
          project: '/repo',
          task: 'Add a store',
          maxIterations: world.limit,
          ...world.input,
        },
        pauses: n % PAUSED === 0,
      })
      return { facts, runs: [ranOf(result, facts, facts.plan())] }
    },
    checkCycle,
  )
})

test(`${SAMPLE} sequences of a loop give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  await side(
    loopSample(),
    playLoop,
    async (world, n) => {
      const { activities, facts } = loopHostOf(world)
      const result = await replayed({
        kind: 'dev-loop',
        workflowId: `WFS-loop-sample-${n}.000000`,
        activities,
        input: {
          project: '/repo',
          task: 'Add a store',
          maxIterations: world.limit,
          mode: world.mode,
        },
        pauses: n % PAUSED === 0,
      })
      return {
        facts,
        runs: [
          ranOf(
            result,
            facts,
            facts.tasks().map(({ id: task, description: text }) => ({ id: task, text })),
          ),
        ],
      }
    },
    checkLoop,
  )
})
