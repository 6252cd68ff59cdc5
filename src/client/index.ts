// The API for scripts: typed start, signals, updates, queries and progress of a run. See
// docs/scripts.md.
export { connect } from './connect.js'
export type { Ratchet } from './connect.js'
export type { ConnectOptions } from './connection.js'
export { NoLocalServerError } from './local-address.js'
export {
  ConnectionClosedError,
  RunClosedError,
  RunNotFoundError,
  ServerUnavailableError,
} from './errors.js'
export { RefusalError } from '../contract/failures.js'
export type {
  RunFailure,
  ExtendOptions,
  Extended,
  ResultOptions,
  RunOutcome,
  RunHandle,
} from './handle.js'
export type { Progress, ProgressOptions } from './follow-run.js'
export type { ListedRun } from './list.js'
export type { ListOptions } from './list-query.js'
export type { PendingActivity } from '../contract/result.js'
export type { SchedulePlan } from './schedule.js'
export type { Kind } from '../contract/names.js'
export type { TestFixInput } from '../contract/test-fix/test-fix-input.js'
export type { CycleInput } from '../contract/dev-cycle/cycle-input.js'
export type { LoopInput, LoopMode } from '../contract/dev-loop/loop-input.js'
export type { PauseRequest } from '../contract/signals.js'
export type { IterationSummary, RunResult, StatusReply } from '../contract/result.js'
export type { Question, Answer } from '../contract/question.js'
export { HookEvent } from '../contract/hook-event.js'
