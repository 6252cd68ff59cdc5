// Decides whether a fix is kept or rolled back, and whether it becomes the best state. Pure:
// `test/simulation` runs it.
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { Comparison, TestRun } from '../../contract/test-run.js'
import { firstSentence, shortList } from '../text/short-text.js'
import { isBetter } from './standing.js'

/** Points of the tests that ran at best that a fix may cost; more is a regression. */
export const REGRESSION_POINTS = 10
/** Kept fixes in a row that leave the tip worse than best: the next one starts from best. */
export const WORSE_IN_A_ROW = 2

export type FixFacts = {
  /** Full run of the commit that the fix started from. */
  before: TestRun
  /** Full run of the fix. */
  after: TestRun
  /** Changed lines of the best state. */
  bestSize: number
  /** Kept fixes in a row, before this one, that left the tip worse than best. */
  worse: number
}

export type FixVerdict =
  | { keep: false; reason: string }
  /**
   * `progress`: a test was repaired or moved. `worse`: as in `FixFacts`, this fix included. `back`:
   * the next fix starts from best.
   */
  | { keep: true; isBest: boolean; progress: boolean; worse: number; back: boolean }

/**
 * Whether only a person can repair how the tests are run: they cannot be executed although the tip
 * is the start. What a fix makes of a command is for the agent.
 */
export function isForPerson(
  run: TestRun,
  { best, atBest }: Pick<TestFixState, 'best' | 'atBest'>,
): boolean {
  const isStart = best === undefined || (best.iteration === 0 && atBest === true)
  return run.kind === 'cannot_execute' && isStart
}

/**
 * Why the next fix starts from best, as a note of the iteration.
 *
 * @param n iteration of the best state
 */
export function backNote(comparison: Comparison | undefined, n: number): string {
  const isWorse =
    comparison?.best !== undefined &&
    isBetter({ ...comparison.best.counts, size: 0 }, { ...comparison.counts, size: 0 })
  const place = n === 0 ? 'the start' : `iteration ${n}`
  return `the tests are ${isWorse ? 'worse' : 'no better'} than at ${place} after two fixes in a row: the next fix starts from there`
}

export function judgeFix({ before, after, bestSize, worse }: FixFacts): FixVerdict {
  if (after.kind === 'cannot_execute' || (after.kind !== 'measured' && before.kind === 'measured'))
    return {
      keep: false,
      reason: `${before.kind === 'measured' ? 'the tests ran before the fix but not after it' : 'the tests cannot be executed after the fix'}: ${firstSentence(after.reason)}`,
    }
  if (after.kind !== 'measured')
    return { keep: true, isBest: false, progress: false, worse, back: false }
  const { comparison } = after
  if (comparison === undefined) throw new Error(`${after.commit} was measured without a comparison`)
  const { repaired, broken, moved, brokenTests, best } = comparison
  if (best !== undefined && (best.then - best.now) * 100 > REGRESSION_POINTS * best.total)
    return {
      keep: false,
      reason: `${best.then} of ${best.total} tests pass at the best state, ${best.now} of them after the fix`,
    }
  if (broken > repaired)
    return {
      keep: false,
      reason: `it broke ${broken} test${broken === 1 ? '' : 's'} and repaired ${repaired === 0 ? 'none' : repaired}: ${shortList(brokenTests, broken)}`,
    }
  const [now, held] = [
    { ...comparison.counts, size: comparison.size },
    best === undefined ? undefined : { ...best.counts, size: bestSize },
  ]
  const isBest = held === undefined || isBetter(now, held)
  // A test that moved is progress that no count shows yet.
  const declined = held !== undefined && isBetter(held, now) && repaired <= broken && moved === 0
  const inARow = declined ? worse + 1 : 0
  const back = inARow >= WORSE_IN_A_ROW
  return { keep: true, isBest, progress: repaired > 0 || moved > 0, worse: back ? 0 : inARow, back }
}
