// Random agents and people in a cycle, staged and side by side, in auto and interactive mode.
import { expect, test } from 'vitest'
import { checkCycle } from './dev/check-cycle.js'
import { playCycle } from './dev/play.js'
import { DEV_SEQUENCES, overAll } from './dev/properties.js'
import { verdictOf, withoutPauses } from './dev/verdict.js'
import { cycleWorlds } from './dev/world.js'

test(`${DEV_SEQUENCES} sequences of a cycle: completed only with no open item, within its limits, no turn twice, and pauses change nothing`, async () => {
  await overAll(cycleWorlds, DEV_SEQUENCES, async (world) => {
    const played = await playCycle(world)
    checkCycle(played)
    const undisturbed = withoutPauses(world)
    if (undisturbed !== undefined)
      expect(verdictOf(played), 'pauses change no verdict').toEqual(
        verdictOf(await playCycle(undisturbed)),
      )
  })
})
