// The quality gate: what one full test run means for the cycle.
//
// One rule judges every iteration and the last one, so a run that ends on its budget is judged no
// more kindly than one that goes on. In this form every failure counts as high, so the band from 95
// to 100 % opens only for flaky tests. Source: 004 "Threshold decision"; architecture §6 rules 3, 5.
import type { Measured } from '../contract/test-run.js'

export type Verdict = 'success' | 'partial_success' | 'fix'

/**
 * Judges a full run, which holds at least one test: a suite that did not start never gets here.
 *
 * @returns `success` when all passed; `partial_success` when all passed, some only on re-run; else `fix`
 */
export function gate(run: Pick<Measured, 'passed' | 'total' | 'flaky'>): Verdict {
  if (run.passed < run.total) return 'fix'
  return run.flaky > 0 ? 'partial_success' : 'success'
}
