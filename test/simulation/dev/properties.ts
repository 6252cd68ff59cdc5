// Runs a property over random worlds. A failing one prints the seed and the path that run it again.
import fc from 'fast-check'
import { throwFailed } from '../again.js'

const { SEED, SEQUENCE, SEQUENCES } = process.env

/** A tenth of those of a fix: they are as many turns. */
export const DEV_SEQUENCES = Math.ceil(Number(SEQUENCES ?? 20_000) / 10)

export async function overAll<W>(
  worlds: fc.Arbitrary<W>,
  numRuns: number,
  holds: (world: W) => Promise<void>,
  offset = 0,
): Promise<void> {
  await fc.assert(fc.asyncProperty(worlds, holds), {
    numRuns,
    ...(SEED === undefined
      ? {}
      : SEQUENCE === undefined
        ? { seed: Number(SEED) + offset }
        : { seed: Number(SEED), path: SEQUENCE, endOnFailure: true }),
    reporter: throwFailed,
  })
}
