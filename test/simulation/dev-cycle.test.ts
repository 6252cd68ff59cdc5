// Random agents and people in a cycle, staged and side by side, in auto and interactive mode.
import { test } from 'vitest'
import { checkCycle } from './dev/check-cycle.js'
import { playCycle } from './dev/play.js'
import { overAll, sequencesOf } from './dev/properties.js'
import { cycleWorlds } from './dev/world.js'

const SEQUENCES = sequencesOf(2_000)

test(`${SEQUENCES} sequences of a cycle: completed only with no open item, within its limits, no turn twice`, async () => {
  await overAll(cycleWorlds, SEQUENCES, async (world) => checkCycle(await playCycle(world)))
})
