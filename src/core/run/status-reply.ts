// Builds the part of the `status` answer that is the same for every kind of run.
import type { IterationSummary, RunEnv, StatusReply } from '../../contract/result.js'
import type { TestRun } from '../../contract/test-run.js'
import type { RunSandboxUse } from '../../contract/sandbox.js'
import { rateOf } from '../test-results/pass-rate.js'
import { surroundings } from './reported-failures.js'

/** What only the open run knows. */
export type LiveStatus = Pick<
  StatusReply,
  'id' | 'kind' | 'project' | 'status' | 'phase' | 'waitingFor' | 'questions'
>

/** What its state contains, once the workspace is ready. */
type Progress = {
  iteration: number
  maxIterations: number
  lastRun?: TestRun | undefined
  prepared: {
    workspace: { branch: string }
    sandbox?: RunSandboxUse | undefined
    env?: RunEnv | undefined
  }
  history: IterationSummary[]
}

/** Returns the status of a run; without `state` until the workspace is ready. */
export function statusReply(live: LiveStatus, state: Progress | undefined): StatusReply {
  return {
    ...live,
    iteration: state?.iteration ?? 0,
    maxIterations: state?.maxIterations ?? 0,
    passRate: rateOf(state?.lastRun),
    branch: state?.prepared.workspace.branch ?? null,
    ...surroundings(state),
    history: state?.history ?? [],
  }
}
