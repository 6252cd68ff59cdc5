// Random workers and people in a loop, in auto, interactive and parallel mode.
import { test } from 'vitest'
import { checkLoop } from './dev/check-loop.js'
import { playLoop } from './dev/play.js'
import { overAll, sequencesOf } from './dev/properties.js'
import { loopWorlds } from './dev/world.js'

const SEQUENCES = sequencesOf(2_000)

test(`${SEQUENCES} sequences of a loop: completed only with no open item, within its limits, no turn twice`, async () => {
  await overAll(loopWorlds, SEQUENCES, async (world) => checkLoop(await playLoop(world)))
})
