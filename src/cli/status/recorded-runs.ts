// Shows runs that no server knows, from their records alone.
import type { RunResult } from '../../contract/result.js'
import { nounOf } from '../find/kept-kind.js'
import { keptObstacle, type KeptRun } from '../find/run-record.js'
import { iterationOf, obstacle, type ProjectSession } from '../find/sessions.js'
import { NOTHING, type ShownRun } from './shown-run.js'

/** Returns a run that has ended. */
export function ofResult({
  id,
  kind,
  status,
  outcome,
  iterations,
  passRate,
  usage,
  history,
}: RunResult): ShownRun {
  return {
    line: {
      id,
      kind,
      status,
      phase: outcome,
      iteration: iterations,
      passRate,
      waitingFor: NOTHING,
      ...(usage.turns === 0 ? {} : { usage }),
    },
    history,
  }
}

/** Returns a session that is planned but has not started, or whose run is gone. */
export function ofSession(session: ProjectSession): ShownRun {
  const { runId, standing, status, dir, name } = session
  const problem = obstacle(session)
  const rests =
    standing === 'completed' || standing === 'failed'
      ? standing
      : session.workflowId === undefined
        ? 'created'
        : 'paused'
  return {
    line: {
      id: runId,
      kind: 'test-fix',
      status: rests,
      phase: status === '' ? 'unknown' : status,
      iteration: iterationOf({ dir }),
      passRate: null,
      waitingFor:
        problem === undefined
          ? `person: no run has this session; continue with: ratchet resume ${name}`
          : `${NOTHING}: ${problem.message}`,
    },
    history: [],
  }
}

/** Returns a cycle or a loop. */
export function ofKept(kept: KeptRun): ShownRun {
  const { kind, id, result, standing, history, lines: recorded, damage } = kept
  if (result !== undefined) return { ...ofResult(result), recorded }
  const problem = keptObstacle(kept, true)
  return {
    line: {
      id,
      kind,
      status:
        standing === undefined ? 'failed' : standing.status === 'created' ? 'created' : 'paused',
      phase: standing?.phase ?? 'unknown',
      iteration: standing?.iteration ?? 0,
      passRate: standing?.passRate ?? null,
      waitingFor:
        problem === undefined
          ? `person: ${damage ?? `no run has this ${nounOf(kind)}`}; continue with: ratchet resume ${id}`
          : `${NOTHING}: ${problem.message}`,
    },
    history,
    recorded,
  }
}
