// What a dev cycle or dev loop broke: tests that passed before it and fail or are missing in its
// last full run. Tests that were removed on purpose do not count.
import type { Measured, TestRun } from '../../contract/test-run.js'
import { meantRemovals } from '../test-results/removed-tests.js'

/** Stands for all tests of a suite that ran before the run and does not now. */
export const WHOLE_SUITE = 'the whole suite, which ran before and does not now'

/** Returns how many tests are broken. `removed`: those that passed and were removed on purpose. */
export function brokenCount(run: Pick<Measured, 'comparison'>, removed: number): number {
  return Math.max(0, (run.comparison?.counts.broken ?? 0) - removed)
}

/**
 * Returns the first broken tests as `file > test`, or `WHOLE_SUITE`.
 *
 * @param hadBaseline whether the suite ran before the first commit
 * @param removed removals that the validation of the head calls meant
 */
export function brokenTests({
  run,
  commits,
  hadBaseline,
  removed,
}: {
  run: TestRun | undefined
  commits: readonly string[]
  hadBaseline: boolean
  removed: readonly string[]
}): string[] {
  if (run === undefined || commits.length === 0) return []
  if (run.kind !== 'measured') return hadBaseline ? [WHOLE_SUITE] : []
  const meant = meantRemovals(run, removed)
  if (brokenCount(run, meant.passed) === 0) return []
  const names = run.comparison?.brokenSinceBaseline ?? []
  const files = (run.comparison?.removed ?? []).map(({ file }) => file)
  const left = names.filter(
    (name) =>
      !files.some(
        (file) =>
          name.startsWith(`${file} > `) && meant.is({ file, test: name.slice(file.length + 3) }),
      ),
  )
  // The list is bounded: the broken ones may be behind those that were removed.
  return left.length > 0 ? left : names
}
