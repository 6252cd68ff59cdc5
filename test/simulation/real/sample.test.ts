// A sample of the same sequences through the real workflow, on the server that skips time: every
// workflow task replays the whole history, and some runs are paused. Verdicts and turns are those
// of the simulation.
//
// `SAMPLE=3000` says how many there are.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from '../check.js'
import { hostOf, type Played } from '../host.js'
import { play } from '../play.js'
import { worlds, type World } from '../world.js'
import { replaying, SAMPLE, SEED, someAtOnce } from './replaying.js'

const replayed = replaying()

async function playReal(world: World, n: number): Promise<Played> {
  const host = hostOf(world)
  const result = await replayed({
    kind: 'test-fix',
    workflowId: `WFS-test-sample-${n}.000000`,
    activities: host.activities,
    input: { project: '/repo', maxIterations: world.limit },
    n,
  })
  return { result, ...host.ended() }
}

/** What a run decided and bought; times and ids are its own. */
function verdictOf({ result, turns }: Played) {
  const {
    outcome,
    passRate,
    iterations,
    best,
    baselinePassRate,
    broken,
    failuresTotal,
    reason,
    history,
  } = result
  return {
    outcome,
    passRate,
    iterations,
    best,
    baselinePassRate,
    broken,
    failuresTotal,
    reason: reason?.replaceAll(/WFS-test-[\w.-]+/g, 'ID'),
    history: history.map((one) => ({
      iteration: one.iteration,
      result: one.result,
      passRate: one.passRate,
      strategy: one.strategy,
      note: one.note,
    })),
    turns: turns.map((key) => key.split('/').slice(2).join('/')),
  }
}

test(`${SAMPLE} sequences give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  const sample: { world: World; simulated: Played }[] = []
  // One after the other: the clock of a simulation is the one of this process. A stop depends on
  // when a signal arrives: test/workflows/stop.test.ts and control.test.ts send real ones.
  for (const drawn of fc.sample(worlds, { numRuns: SAMPLE, seed: SEED })) {
    const world: World = { ...drawn, stopsAt: undefined }
    sample.push({ world, simulated: await play(world) })
  }
  await someAtOnce(sample, async ({ world, simulated }, n) => {
    const real = await playReal(world, n)
    expect(verdictOf(real), JSON.stringify(world)).toEqual(verdictOf(simulated))
    check(world, real)
  })
})
