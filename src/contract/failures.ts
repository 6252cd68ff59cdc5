// Types of failures that end a run or an activity for a reason that a person can act on.

/** `BadInput`: the run's input is wrong; the message names the field. */
export const BAD_INPUT = 'BadInput'

/**
 * The refusal of an extension or answer that arrives before the run has its workspace; the same one
 * is accepted a moment later.
 */
export const STILL_PREPARING = 'the run is still preparing its workspace; try again in a moment'

/**
 * The refusal of a query whose worker has just restarted and would have to guess; a moment later
 * the query is answered.
 */
export const NOT_YET = 'the worker of this run has just come back; ask again in a moment'

/**
 * Refusals: something about the project or the machine must change first. Never retried; the
 * message says what, where and what to do next.
 */
export const REFUSALS = [
  /** The project is not registered on this host: run a ratchet command in it first. */
  'ProjectNotRegistered',
  /** The repository brings programs that its user has not trusted: `ratchet trust`. */
  'NotTrusted',
  /** The record belongs to another open run. */
  'RecordOwned',
  /** No git repository. */
  'NoRepository',
  /** A repository without a commit. */
  'NoCommit',
  /**
   * A repository that cannot be cloned, or only by touching the user's data; the message says why.
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
  /** The sandbox of the configuration is not installed, or does not hold on this machine. */
  'SandboxUnavailable',
  /** A required file of a task's `flow_control.pre_analysis` cannot be read. */
  'PreAnalysisFailed',
] as const
export type Refusal = (typeof REFUSALS)[number]

/**
 * An expected refusal of an adapter. Activities turn it into a non-retryable ApplicationFailure of
 * the same type, the CLI into three lines.
 */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  /**
   * @param type kind of refusal
   *
   * @param message what happened, in one line
   * @param where the file, directory or setting
   * @param next what to do next, with a command if there is one
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
