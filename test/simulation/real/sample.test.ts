// A sample of the same sequences through the real workflow, on the server that skips time: every
// workflow task replays the whole history, and some runs are paused. Verdicts and turns are those
// of the simulation.
//
// `SAMPLE=3000` says how many there are.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from '../check.js'
import { hostOf, type Played } from '../host.js'
import { acceptsLater, answerOf, inputsOf, play } from '../play.js'
import { verdictOf } from '../verdict.js'
import { worlds, type World } from '../world.js'
import { PAUSED, replaying, SAMPLE, SEED, someAtOnce } from './replaying.js'

const replayed = replaying()

async function playReal(world: World, n: number): Promise<Played> {
  const host = hostOf(world)
  const [first, accepting] = inputsOf(world)
  const run = {
    kind: 'test-fix',
    workflowId: `WFS-test-sample-${n}.000000`,
    activities: host.activities,
  } as const
  let result = await replayed({
    ...run,
    input: first,
    pauses: n % PAUSED === 0,
    answer: 'attended' in first ? (question) => answerOf(world, question) : undefined,
  })
  if (acceptsLater(world, result)) result = await replayed({ ...run, input: accepting })
  return { result, ...host.ended() }
}

test(`${SAMPLE} sequences give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  const sample: { world: World; simulated: Played }[] = []
  // One after the other: the clock of a simulation is the one of this process. A stop depends on
  // when a signal arrives: test/workflows/stop.test.ts and control.test.ts send real ones.
  for (const drawn of fc.sample(worlds, { numRuns: SAMPLE, seed: SEED })) {
    const world: World = { ...drawn, stopsAt: undefined, pausesAt: undefined }
    sample.push({ world, simulated: await play(world) })
  }
  await someAtOnce(sample, async ({ world, simulated }, n) => {
    const real = await playReal(world, n)
    expect(verdictOf(real), JSON.stringify(world)).toEqual(verdictOf(simulated))
    check(world, real)
  })
})
