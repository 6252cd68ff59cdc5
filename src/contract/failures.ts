// Types of the failures that end a run or an activity for a reason a person can act on.

/** `BadInput`: the run's input is wrong; the message names the field. */
export const BAD_INPUT = 'BadInput'

/**
 * How an extension or answer is refused that comes before the run has its workspace: the same one
 * is taken a moment later.
 */
export const STILL_PREPARING = 'the run is still preparing its workspace; try again in a moment'

/**
 * What a query is answered whose worker has just come back and would have to guess: asked again a
 * moment later it is answered.
 */
export const NOT_YET = 'the worker of this run has just come back; ask again in a moment'

/**
 * Refusals: something about the project or the machine must be changed first. Never retried; the
 * message says what, where and what to do next.
 */
export const REFUSALS = [
  /** The project is not registered on this host: run a ratchet command in it first. */
  'ProjectNotRegistered',
  /** The record belongs to another open run. */
  'RecordOwned',
  /** No git repository. */
  'NoRepository',
  /** A repository without a commit. */
  'NoCommit',
  /**
   * A repository that cannot be cloned, or not without touching what is the user's; the message
   * says why.
   */
  'UnsupportedRepository',
  /** Tests would run against the user's own tree. */
  'WorkspaceNotIsolated',
  /** `in-place` isolation needs a clean tree. */
  'DirtyTree',
  /** ratchet.config.* is wrong. */
  'BadConfig',
  /** No test command configured and none found. */
  'NoTestCommand',
  /** `workspace.setup` or an install failed. */
  'SetupFailed',
  /** A file with results of an earlier test run was changed or removed. */
  'ResultsChanged',
  /** A file that a task's `flow_control.pre_analysis` cannot do without cannot be read. */
  'PreAnalysisFailed',
] as const
export type Refusal = (typeof REFUSALS)[number]

/**
 * An expected refusal, raised by adapters. Activities turn it into a non-retryable
 * ApplicationFailure of the same type, the CLI into three lines.
 */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  /**
   * @param type what kind of refusal
   * @param message what happened, in one line
   * @param where file, directory or setting it is about
   * @param next what to do next, a command where there is one
   */
  constructor(
    readonly type: Refusal | typeof BAD_INPUT,
    message: string,
    readonly where: string,
    readonly next: string,
  ) {
    super(message)
  }
}
