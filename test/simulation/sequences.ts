// Random agents on generated suites. The workflow of a fix decides, on real comparisons.
// `SEQUENCES=500000` says how many there are; a failing one prints the seed and the path that run
// it again.
import fc from 'fast-check'
import { throwFailed } from './again.js'
import { expect, test } from 'vitest'
import { check } from './check.js'
import { play } from './play.js'
import { worlds } from './world.js'

const SEQUENCES = Number(process.env['SEQUENCES'] ?? 20_000)
const { SEED, SEQUENCE } = process.env
/** `SEED` alone chooses the sequences, with `SEQUENCE` it is the one that a failure names. */
const again = (half: number) =>
  SEED === undefined
    ? {}
    : SEQUENCE === undefined
      ? { seed: Number(SEED) + half }
      : { seed: Number(SEED), path: SEQUENCE, endOnFailure: true }

/** Half of the sequences: two files of them use two cores. */
export function halfOfTheSequences(half: 0 | 1): void {
  test(`${SEQUENCES / 2} sequences of a fix: never below the baseline, no false success, no false block`, async () => {
    let [seen, continued] = [0, 0]
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        seen += 1
        const played = await play(world)
        check(world, played)
        continued += played.sessions?.continued ?? 0
      }),
      {
        numRuns: SEQUENCES / 2,
        ...again(half),
        reporter: throwFailed,
      },
    )
    expect(seen).toBeGreaterThan(0)
    if (SEQUENCE === undefined) expect(continued).toBeGreaterThan(0)
  })
}
