// Keeps the best measured state of a run, and the earlier ones that may become the best again.
import type { Measured } from '../../contract/test-run.js'
import type { Best, TestFixState } from '../../contract/test-fix/test-fix-state.js'
import { earlierKept } from '../test-results/provisional.js'

/**
 * Number of failures and flaky tests that the best state carries; all of them are in its results.
 */
const FAILURES_OF_BEST = 1

/** Returns a run without its lists, as it is carried in addition to the last one. */
export function compact(run: Measured): Measured {
  const { comparison } = run
  return {
    ...run,
    failures: run.failures.slice(0, FAILURES_OF_BEST),
    flakyTests: run.flakyTests.slice(0, FAILURES_OF_BEST),
    ...(comparison === undefined
      ? {}
      : {
          comparison: {
            ...comparison,
            brokenTests: [],
            stuckTests: [],
            flakyTests: comparison.flakyTests.slice(0, FAILURES_OF_BEST),
          },
        }),
  }
}

/**
 * Returns the best state for a full run of an iteration.
 *
 * @param commit the one on the branch that has the measured tree
 */
export function bestOf(run: Measured, iteration: number, commit = run.commit): Best {
  return { commit, iteration, run: compact(run), size: run.comparison?.size ?? 0 }
}

/** An earlier state as the run carries it: it may become the best one again. */
function withoutLists({ comparison, ...run }: Measured): Measured {
  return {
    ...run,
    failures: [],
    flakyTests: [],
    ...(comparison === undefined
      ? {}
      : {
          comparison: {
            ...comparison,
            flakyTests: [],
            best: undefined,
            start: undefined,
            similarity: undefined,
          },
        }),
  }
}

/** Makes a state the best one, and keeps the previous best. */
export function setBest(state: TestFixState, best: Best): void {
  if (state.best !== undefined) {
    const before = { ...state.best, run: withoutLists(state.best.run) }
    if (state.start === undefined) state.start = before
    else state.earlier = earlierKept(state, [...(state.earlier ?? []), before])
  }
  state.best = best
}
