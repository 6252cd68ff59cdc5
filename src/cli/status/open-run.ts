// Shows an open run from what it and the server said, to the supervisor (asked-locally.ts) or to
// this command (server-runs.ts).
import type { RunFacts } from '../../contract/result.js'
import { waitingFor, type WorkerState } from '../../client/waiting.js'
import type { ShownRun } from './shown-run.js'
import { isoTime } from './when.js'

/** Returns one line and what follows it, without the part that only `ratchet status ID` shows. */
export function shownOpen(
  {
    id,
    status: told,
    pending,
    questions,
  }: Pick<RunFacts, 'id' | 'status' | 'pending' | 'questions'>,
  worker: WorkerState,
): ShownRun {
  const { kind, status, phase, iteration, passRate, history } = told
  return {
    line: {
      id,
      kind,
      status,
      phase,
      iteration,
      passRate,
      waitingFor: waitingFor(id, told.waitingFor, pending, worker),
    },
    history,
    questions,
  }
}

/** Adds when the run began, and what it is about. */
export function withStart(shown: ShownRun, startedAt: Date, project: string | undefined): ShownRun {
  return { ...shown, about: { startedAt: isoTime(startedAt), project } }
}
