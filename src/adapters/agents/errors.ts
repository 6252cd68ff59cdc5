// What can go wrong around an agent. The first five the driver turns into outcomes of the turn; the
// last two leave the driver, as the turn has not ended.
import type { AgentError } from '../../core/agents/agent-outcome.js'
import type { ExecOutput } from '../../core/agents/exec-output.js'

/** The agent's process ended, or closed its output. */
export class AgentGoneError extends Error {
  override readonly name = 'AgentGone'
  /** Exit status; null if a signal ended it or it is unknown. */
  readonly exitCode: number | null
  constructor(exit: { code: number | null; signal: NodeJS.Signals | null } | undefined) {
    const how =
      exit === undefined
        ? 'closed its standard output'
        : exit.signal !== null
          ? `was ended by ${exit.signal}`
          : `exited with code ${exit.code}`
    super(`the agent's process ${how}`)
    this.exitCode = exit?.code ?? null
  }
}

/** The agent answered a request with an error. */
export class AgentRefusedError extends Error {
  override readonly name = 'AgentRefused'
  /** @param exitCode of a command, which ends with its answer */
  constructor(
    readonly error: AgentError,
    readonly exitCode?: number | null,
  ) {
    super(`error ${error.code}: ${error.message}`)
  }
}

/** The program does not speak the protocol, or not as much of it as is needed. */
export class NotAcpError extends Error {
  override readonly name = 'NotAcp'
}

/** A command ended well, and its standard output holds nothing of what its `output` promises. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswer'
  constructor(output: ExecOutput) {
    const promised = { text: 'a word', json: 'a JSON document', 'stream-json': 'a line of JSON' }[
      output
    ]
    super(
      `the agent ended without ${promised} on its standard output, which "output": "${output}" promises`,
    )
  }
}

/** The agent does not know the session that it should resume, and has done nothing. */
export class SessionLostError extends Error {
  override readonly name = 'SessionLost'
}

/**
 * A variable that the config passes on is not set in the environment of the run. Nothing has begun;
 * set, the turn can.
 */
export class MissingVariableError extends Error {
  override readonly name = 'MissingVariable'
  constructor(
    readonly agent: string,
    readonly variables: readonly string[],
  ) {
    super(
      `agent "${agent}" needs ${variables.join(', ')}, which ${variables.length === 1 ? 'is' : 'are'} not set in the environment of the run`,
    )
  }
}

/**
 * Why a running turn is interrupted. `stop` ends it for good; after the others the same key resumes
 * it.
 */
export type StopReason = 'stop' | 'pause' | 'shutdown' | 'abandoned' | 'fenced'

/** The turn was interrupted and its agent ended; a call with the same key resumes its session. */
export class TurnInterruptedError extends Error {
  override readonly name = 'TurnInterrupted'
  constructor(readonly reason: StopReason) {
    super(`the turn was interrupted (${reason}); the next attempt resumes its session`)
  }
}
