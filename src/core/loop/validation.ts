// The verdict of a validation: what Ratchet measured, not what the worker says. Source: ccw §2.3 "Validation
// passes when failed = 0 and passed > 0"; architecture §4, §6 rule 1.
import type { Quality, QualityCheck } from '../../contract/loop.js'
import type { Validation } from '../../contract/loop-record.js'
import type { TestRun } from '../../contract/test-run.js'
import type { WorkerClaim } from '../../contract/worker-reading.js'
import { oneLine } from '../one-line.js'
import { passRate } from '../pass-rate.js'
import { describeRun, note, rateOf } from '../test-fix-view.js'

/** Percent by which a claim may miss what was measured: it was rounded in another way. */
const CLAIM_TOLERANCE = 0.15

const WHY_CHARS = 250

/** Pass rate that a worker claims, in percent; `null` where its numbers say none. */
export function claimedRate(claim: WorkerClaim | undefined): number | null {
  const { passed, failed, total } = claim ?? { passed: null, failed: null, total: null }
  const of = passed !== null && failed !== null ? passed + failed : total
  return passed === null || of === null || of < 1 || passed > of ? null : passRate(passed, of)
}

/** Checks that fail and did not before the loop began. */
export function failingChecks(quality: Quality | undefined): QualityCheck[] {
  return (quality?.checks ?? []).filter(({ result, before }) => result === 'failed' && before !== 'failed')
}

/**
 * Judges a commit. Without tests nothing but a failing check speaks against it, and that is said.
 *
 * @param v.run the run of that commit; missing where there is none
 * @param v.unmeasured why there is none
 * @param v.claimed pass rate that the worker claims, in percent
 */
export function validationOf(v: { run?: TestRun; unmeasured?: string; quality?: Quality; claimed: number | null | undefined; iteration: number; commit: string }): Validation {
  const { run, unmeasured = 'there are no tests', quality, claimed = null, iteration, commit } = v
  const failing = failingChecks(quality)
  const old = (quality?.checks ?? []).filter(({ result, before }) => result === 'failed' && before === 'failed')
  const testsPass = run === undefined || (run.kind === 'measured' && run.failed === 0 && run.passed > 0)
  const rate = rateOf(run)
  const why = note([
    run === undefined ? `nothing was measured: ${oneLine(unmeasured)}` : `${run.kind === 'measured' ? testsPass ? 'all tests pass: ' : 'tests fail: ' : ''}${describeRun(run)}`,
    failing.length === 0 ? undefined : `${names(failing)} fail${failing.length === 1 ? 's' : ''}`,
    old.length === 0 ? undefined : `${names(old)} fail${old.length === 1 ? 's' : ''} as before`,
    claimed === null || isAlike(claimed, rate) ? undefined : `the worker claimed ${claimed} %`,
  ])
  return { passed: testsPass && failing.length === 0, why: oneLine(why ?? '', WHY_CHARS), iteration, commit, passRate: rate, ...(claimed === null ? {} : { claimed }) }
}

function names(checks: readonly QualityCheck[]): string {
  return checks.map(({ name }) => name).join(', ')
}

// Whoever claims that all pass must be right.
function isAlike(claimed: number, rate: number | null): boolean {
  return rate !== null && Math.abs(claimed - rate) < CLAIM_TOLERANCE && (claimed === 100) === (rate === 100)
}
