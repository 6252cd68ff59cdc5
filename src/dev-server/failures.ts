// Failures of the local processes that a person can act on: what, where, next.

/** One way to get a program, and how it went. */
export type Attempt = { what: string; outcome: string }

/**
 * No Temporal server program could be found, downloaded or built; `tried` has every way and its
 * outcome.
 */
export class NoTemporalBinaryError extends Error {
  override readonly name = 'NoTemporalBinary'
  readonly where: string
  readonly next: string
  constructor(
    readonly tried: Attempt[],
    wanted: string,
  ) {
    super(`no Temporal server: ${wanted} could not be found, downloaded or built`)
    this.where = tried.map((a) => `${a.what}: ${a.outcome}`).join('\n')
    this.next =
      'allow https://temporal.download and https://github.com, or install Go (https://go.dev/dl), ' +
      'or install the Temporal CLI yourself and set TEMPORAL_CLI_PATH to it'
  }
}

/**
 * TEMPORAL_CLI_PATH is set to something that is not a Temporal CLI. It never falls back: the user
 * named it.
 */
export class WrongTemporalBinaryError extends Error {
  override readonly name = 'WrongTemporalBinary'
  readonly next = 'set TEMPORAL_CLI_PATH to a Temporal CLI, or unset it'
  constructor(
    readonly where: string,
    problem: string,
  ) {
    super(`TEMPORAL_CLI_PATH is not a Temporal CLI: ${problem}`)
  }
}

/** The server or a worker does not start; `where` ends with the tail of its log. */
export class LocalStartError extends Error {
  override readonly name = 'LocalStartFailed'
  constructor(
    message: string,
    readonly where: string,
    readonly next: string,
  ) {
    super(message)
  }
}
