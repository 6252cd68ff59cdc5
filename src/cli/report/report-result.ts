// Turns a report into the result of a run, for formats that are made from one. Also works for an
// open run.
import type { RunResult, RunStatus } from '../../contract/result.js'
import { resultWarnings } from '../../core/run/result-warnings.js'
import type { Report } from '../../core/report/model.js'

/** Returns the result; for an open run, the result so far. */
export function resultOf({
  id,
  kind,
  outcome,
  status,
  iterationsDone,
  passRate,
  reviewNeeded,
  confirmedByPerson,
  nothingCommitted,
  branch,
  commits,
  failures,
  failuresTotal,
  reason,
  waitingFor,
  recordDir,
  usage,
  iterations,
  warnings,
}: Report): RunResult {
  const unmeasured =
    passRate === null ? `nothing was measured${outcome === 'open' ? ' yet' : ''}` : null
  return {
    id,
    kind,
    outcome,
    status: status as RunStatus,
    iterations: iterationsDone,
    passRate,
    reviewNeeded,
    confirmedByPerson,
    nothingCommitted,
    branch,
    commits,
    failures: failures.map((one) => ({ ...one })),
    failuresTotal,
    reason: reason ?? waitingFor ?? unmeasured,
    warnings: resultWarnings(warnings),
    recordDir,
    usage,
    history: iterations,
  }
}
