// A sample of the same sequences through the real workflow, on the server that skips time: every
// workflow task replays the whole history, and some runs are paused or stopped. Verdicts and turns
// are those of the simulation.
//
// `SAMPLE=3000` says how many there are.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from '../check.js'
import { hostOf, type Played } from '../host.js'
import { inputOf, nextInput, play } from '../play.js'
import { verdictOf } from '../verdict.js'
import { worlds, type World } from '../world.js'
import { PAUSED, replaying, SAMPLE, SEED, someAtOnce } from './replaying.js'

const replayed = replaying()

async function playReal(world: World, n: number): Promise<Played> {
  const host = hostOf(world)
  let begun = 0
  const run = {
    kind: 'test-fix',
    workflowId: `WFS-test-sample-${n}.000000`,
    activities: host.activities,
    stops: () => ++begun === world.stopsAt,
  } as const
  let result = await replayed({ ...run, input: inputOf(world), pauses: n % PAUSED === 0 })
  const next = nextInput(world, result)
  if (next !== undefined) {
    host.startsAgain()
    result = await replayed({ ...run, input: next })
  }
  return { result, extended: 0, ...host.ended() }
}

test(`${SAMPLE} sequences give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  const sample: { world: World; simulated: Played }[] = []
  // One after the other: the clock of a simulation is the one of this process. No pause or
  // extension in the middle, and no person who answers: they need queries, and the server that skips time loses some
  // that wait for a workflow task.
  for (const drawn of fc.sample(worlds, { numRuns: SAMPLE, seed: SEED })) {
    const person = drawn.person === 'accepts later' ? drawn.person : undefined
    const world: World = { ...drawn, person, pausesAt: undefined, extendsAt: undefined }
    sample.push({ world, simulated: await play(world) })
  }
  await someAtOnce(sample, async ({ world, simulated }, n) => {
    const real = await playReal(world, n)
    expect(verdictOf(real), JSON.stringify(world)).toEqual(verdictOf(simulated))
    check(world, real)
  })
})
