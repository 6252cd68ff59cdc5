// A report as the result of a run, for the formats that are made from one: also of a run that goes
// on.
import type { RunResult, RunStatus } from '../../contract/result.js'
import type { Report } from '../../core/report/model.js'

/** The result; of a run that has not ended what it has come to by now. */
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
    recordDir,
    usage,
    history: iterations,
  }
}
