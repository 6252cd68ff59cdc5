// The quality gate: what one full test run means for the cycle.
//
// One rule judges every iteration and the last one, so a run that ends on its budget is judged like
// one that continues. Without levels every failure counts as high, and the band opens only for
// flaky tests.
import type { Levels, Measured } from '../../contract/test-run.js'

export type Verdict = 'success' | 'partial_success' | 'fix'

/** Lowest pass rate, in percent, at which a cycle may end with failures left. */
export const REVIEW_RATE = 95

/** What the gate looks at. `levels`: the failures by criticality, in a run that was compared. */
export type Judged = Pick<Measured, 'passed' | 'total' | 'flaky'> & { levels?: Levels | undefined }

/**
 * Judges a full run, which holds at least one test: a suite that did not start never gets here.
 *
 * @returns `success` when all passed; `partial_success` when all passed, some only on re-run, or
 * when every failure is low at `REVIEW_RATE` or above, by a rule or an assessment; else `fix`
 */
export function gate(run: Judged): Verdict {
  if (run.passed === run.total) return run.flaky > 0 ? 'partial_success' : 'success'
  if (run.levels === undefined) return 'fix'
  const { high, medium, undecided } = run.levels
  return isInBand(run) && high + medium + undecided === 0 ? 'partial_success' : 'fix'
}

/**
 * Whether the test-fix-agent is asked how critical the failures are before a fix turn is spent:
 * only where its answer can decide, and once per set of failures.
 *
 * @param assessed fingerprint of the failures that were assessed last
 */
export function needsAssessment(run: Measured, assessed: string | undefined): boolean {
  const levels = run.comparison?.levels
  if (levels === undefined || !isInBand(run) || run.passed === run.total) return false
  return levels.undecided > 0 && (levels.barring ?? 0) === 0 && run.fingerprint !== assessed
}

/** In whole numbers: 94.96 % must not be rounded into the band. */
function isInBand({ passed, total }: Judged): boolean {
  return passed * 100 >= REVIEW_RATE * total
}
