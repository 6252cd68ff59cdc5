// How the next fix goes about it.
//
// The measured reasons come first: in the sources' own order a regression in the first iterations
// would be hidden by "iteration <= 2".
import type { Strategy } from '../../contract/test-fix/task.js'

/** Iterations that begin carefully: one fix, full validation. */
export const CONSERVATIVE_ITERATIONS = 2
/** Pass rate, in percent, above which what is left may be fixed in one batch. */
export const AGGRESSIVE_RATE = 80
/** Likeness to the last failures, 0-1, above which they are taken for the same problem. */
export const AGGRESSIVE_SIMILARITY = 0.7

/**
 * What follows on a strategy that had no effect: first the same with a wider grip, then the
 * assumptions, then the smallest change that can be judged by itself.
 */
const AFTER: Record<Strategy, Strategy> = {
  conservative: 'aggressive',
  aggressive: 'reflective',
  reflective: 'surgical',
  surgical: 'conservative',
}

export type StrategyFacts = {
  /** The iteration that begins, from 1. */
  iteration: number
  /** Percent; `null` where the suite did not start. */
  passRate: number | null
  similarity: number | undefined
  /** The last fix was rolled back. */
  regressed: boolean
  stuckMajority: boolean
  /** The last iteration repaired or moved a test, and was kept. */
  progress: boolean
  /** The last fix changed nothing, or left the very same failures. */
  repeated: boolean
  last: Strategy | undefined
}

/** Returns the strategy and why, in one sentence for the prompt and the record. */
export function chooseStrategy(facts: StrategyFacts): { strategy: Strategy; because: string } {
  const nearlyDone =
    facts.passRate !== null &&
    facts.passRate > AGGRESSIVE_RATE &&
    facts.similarity !== undefined &&
    facts.similarity > AGGRESSIVE_SIMILARITY &&
    facts.iteration > CONSERVATIVE_ITERATIONS
  const batch = {
    strategy: 'aggressive' as const,
    because: `${facts.passRate} % pass and the failures are much the same as before: fix them in one batch`,
  }
  if (nearlyDone && facts.progress) return batch
  if (facts.stuckMajority && !facts.progress)
    return {
      strategy: 'reflective',
      because: 'most of the failing tests are stuck: question what was assumed so far',
    }
  if (facts.regressed)
    return {
      strategy: 'surgical',
      because: 'the last fix was rolled back: change as little as possible',
    }
  if (facts.repeated && facts.last !== undefined)
    return {
      strategy: AFTER[facts.last],
      because: `the last fix, which was ${facts.last}, had no effect on the failures`,
    }
  if (facts.iteration <= CONSERVATIVE_ITERATIONS)
    return {
      strategy: 'conservative',
      because: `iteration ${facts.iteration} begins carefully: one fix, then all tests`,
    }
  if (nearlyDone) return batch
  return {
    strategy: 'conservative',
    because: 'nothing suggests another strategy: one fix, then all tests',
  }
}
