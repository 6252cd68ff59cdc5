// Errors between a script and a run. Each says what to do next; its cause is the error of the
// Temporal client.
import {
  QueryNotRegisteredError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client'
import { BAD_INPUT, NOT_YET, RefusalError } from '../contract/failures.js'
import { hasGrpcCode, isServerUnavailable } from '../core/grpc.js'

/** No run has this id or session name on the server that was asked. */
export class RunNotFoundError extends Error {
  override readonly name = 'RunNotFoundError'
  readonly next = 'list the ids with: ratchet status --all'
  /** @param where address and namespace */
  constructor(
    readonly id: string,
    readonly where: string,
    options?: ErrorOptions,
  ) {
    super(`there is no run ${id}`, options)
  }
}

/** The run has ended: it accepts no more signals and updates. */
export class RunClosedError extends Error {
  override readonly name = 'RunClosedError'
  readonly next: string
  constructor(
    readonly id: string,
    readonly where: string,
    options?: ErrorOptions,
  ) {
    super(`the run ${id} has ended`, options)
    this.next = `continue with: ratchet resume ${id}`
  }
}

/** The server, or all of its workflow workers, do not answer. Open runs are not affected. */
export class ServerUnavailableError extends Error {
  override readonly name = 'ServerUnavailableError'
  readonly next = 'find the cause with: ratchet doctor'
  constructor(
    message: string,
    readonly where: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The connection was closed while something was asked, or before. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError'
  constructor() {
    super('the connection to the server was closed by close()')
  }
}

/** gRPC FAILED_PRECONDITION: the server's answer to a query without a poller. */
const NO_POLLER = 9

/** Converts an error of the Temporal client about a run for scripts. Others stay unchanged. */
export function toClientError(error: unknown, id: string, where: string): unknown {
  if (error instanceof WorkflowNotFoundError)
    return /already completed/.test(error.message)
      ? new RunClosedError(id, where, { cause: error })
      : new RunNotFoundError(id, where, { cause: error })
  if (error instanceof WorkflowUpdateFailedError)
    return Object.assign(
      new RefusalError(BAD_INPUT, error.cause?.message ?? error.message, 'the run', 'correct it'),
      { cause: error },
    )
  if (error instanceof QueryNotRegisteredError && error.message.includes(NOT_YET))
    return new ServerUnavailableError(NOT_YET, where, { cause: error })
  if (hasGrpcCode(error, NO_POLLER))
    return new ServerUnavailableError('no workflow worker answers', where, { cause: error })
  if (isUnavailable(error) && !(error instanceof ServerUnavailableError))
    return new ServerUnavailableError(
      `no answer from the server: ${(error as Error).message}`,
      where,
      { cause: error },
    )
  return error
}

/** Returns whether a worker has just restarted, and answers in a moment. */
export function isNotYet(error: unknown): boolean {
  return error instanceof ServerUnavailableError && error.message === NOT_YET
}

/** Returns whether the server or its workers are away, or did not answer in time. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServerUnavailableError || isServerUnavailable(error)
}
