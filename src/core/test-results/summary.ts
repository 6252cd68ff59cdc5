// What a runner prints as its own summary, apart from its report: two witnesses of one run. Only
// the last summary of the output counts, and only in the exact form of the runner, as tests may
// print anything.
import { runnerNamed } from '../runners/known-runners.js'

/** Failures that a runner printed in its summary; `undefined` where there is none that is clear. */
export function printedFailures(runner: string, output: string): number | undefined {
  return runnerNamed(runner)?.printedFailures?.(output)
}

/**
 * Tests that a runner counts and did not run, as their process died. Its report calls them passed.
 */
export function lostTests(runner: string, output: string): number {
  return runnerNamed(runner)?.lostTests?.(output) ?? 0
}
