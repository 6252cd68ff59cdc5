// Random workers and people in a loop, in auto, interactive and parallel mode.
import { expect, test } from 'vitest'
import { checkLoop } from './dev/check-loop.js'
import { playLoop } from './dev/play.js'
import { DEV_SEQUENCES, overAll } from './dev/properties.js'
import { verdictOf, withoutPauses } from './dev/verdict.js'
import { blockedWorlds, loopWorlds } from './dev/world.js'

test(`${DEV_SEQUENCES} sequences of a loop: completed only with no open item, within its limits, no turn twice, and pauses change nothing`, async () => {
  await overAll(loopWorlds, DEV_SEQUENCES, async (world) => {
    const played = await playLoop(world)
    checkLoop(played)
    const undisturbed = withoutPauses(world)
    if (undisturbed !== undefined)
      expect(verdictOf(played), 'pauses change no verdict').toEqual(
        verdictOf(await playLoop(undisturbed)),
      )
  })
})

test('a task that is blocked for ever keeps none of the others from its turn', async () => {
  await overAll(blockedWorlds, Math.ceil(DEV_SEQUENCES / 10), async (world) => {
    const {
      facts,
      runs: [ran],
    } = await playLoop(world)
    const open = facts
      .tasks()
      .filter(({ status }) => status !== 'completed')
      .map(({ id }) => id)
    expect(open, 'only what is blocked is left').toEqual(
      facts
        .tasks()
        .map(({ id }) => id)
        .filter((id) => world.blocked.includes(id)),
    )
    expect(ran?.result.outcome).toBe(world.blocked.length === 0 ? 'completed' : 'failed')
  })
})
