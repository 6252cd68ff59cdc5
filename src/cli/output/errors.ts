// Maps an error to what a user sees: what, where, next, and an exit code. A user's mistake has no
// stack.
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { hasGrpcCode, isServerUnavailable } from '../../core/grpc.js'
import { writeObstacle } from '../../adapters/files/write-obstacle.js'

export const EXIT = { done: 0, otherwise: 1, usage: 2, unavailable: 3, interrupted: 130 } as const

/** A session to choose from; `command` continues it. */
export type SessionChoice = {
  name: string
  status: string
  updatedAt: string
  dir: string
  command: string
}

/** An error as a user sees it; also the document `{"error":{type,message,where,next}}`. */
export type Problem = {
  type: string
  message: string
  where: string
  next: string
  /** Of `SeveralSessions`: the candidates. */
  sessions?: SessionChoice[]
}

/** An error with its own text for the user and its own exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  constructor(
    readonly exitCode: number,
    readonly problem: Problem,
  ) {
    super(problem.message)
  }
}

/** Bad usage or input. */
export function badInput(message: string, where: string, next: string): RefusalError {
  return new RefusalError(BAD_INPUT, message, where, next)
}

/** No server or no worker. */
export function unavailable(
  type: 'NoServer' | 'NoWorker',
  message: string,
  where: string,
  next: string,
): CommandError {
  return new CommandError(EXIT.unavailable, { type, message, where, next })
}

/** Ctrl-C. */
export function interrupted(where: string, next: string): CommandError {
  return new CommandError(EXIT.interrupted, {
    type: 'Interrupted',
    message: 'interrupted',
    where,
    next,
  })
}

// Matched by name, as importing their modules would load the Temporal client.
const LOCAL_FAILURES = new Set(['NoTemporalBinary', 'WrongTemporalBinary', 'LocalStartFailed'])
/** Client errors (src/client/errors.ts) about an id that no run has, or whose run has ended. */
const OF_RUN = new Set(['RunNotFoundError', 'RunClosedError'])
const SERVER_AWAY = 'ServerUnavailableError'
const REFUSED_UPDATE = 'WorkflowUpdateFailedError'
/** gRPC FAILED_PRECONDITION: the server's answer to a query without a poller. */
const NO_POLLER = 9
/** gRPC PERMISSION_DENIED, UNAUTHENTICATED. */
const FORBIDDEN = [7, 16]

/** Maps any error to a problem and its exit code. */
export function describeError(error: unknown): { exitCode: number; problem: Problem } {
  if (error instanceof CommandError) return { exitCode: error.exitCode, problem: error.problem }
  if (error instanceof RefusalError)
    return {
      exitCode: EXIT.usage,
      problem: { type: error.type, message: error.message, where: error.where, next: error.next },
    }
  const {
    name,
    message,
    where = '',
    next = '',
    cause,
  } = error as Error & { where?: string; next?: string }
  if (LOCAL_FAILURES.has(name))
    return { exitCode: EXIT.unavailable, problem: { type: name, message, where, next } }
  if (OF_RUN.has(name))
    return { exitCode: EXIT.usage, problem: { type: BAD_INPUT, message, where, next } }
  if (name === SERVER_AWAY)
    return { exitCode: EXIT.unavailable, problem: { type: 'NoServer', message, where, next } }
  if (name === 'GitError' && /not a git repository/.test(message))
    return {
      exitCode: EXIT.usage,
      problem: {
        type: 'NoRepository',
        message: 'this is not a git repository',
        where: / in (\/.+?): fatal/.exec(message)?.[1] ?? 'the project',
        next: 'run it in your project, or name the project with --project',
      },
    }
  if (name === REFUSED_UPDATE)
    return {
      exitCode: EXIT.usage,
      problem: {
        type: BAD_INPUT,
        message: (cause as Error | undefined)?.message ?? message,
        where: 'the run',
        next: 'correct it',
      },
    }
  if (name === 'NamespaceNotFoundError')
    return {
      exitCode: EXIT.unavailable,
      problem: {
        type: 'NoServer',
        message: `namespace not found: ${message}`,
        where: 'the Temporal server',
        next: 'use another one with --namespace, or create it: temporal operator namespace create',
      },
    }
  if (hasGrpcCode(error, ...FORBIDDEN))
    return {
      exitCode: EXIT.unavailable,
      problem: {
        type: 'NoServer',
        message: `the server refused the connection: ${message}`,
        where: 'the Temporal server',
        next: 'check the credentials of the profile',
      },
    }
  if (isServerUnavailable(error))
    return {
      exitCode: EXIT.unavailable,
      problem: {
        type: 'NoServer',
        message: `no answer from the server: ${message}`,
        where: 'the Temporal server',
        next: 'find the cause with: ratchet doctor',
      },
    }
  const obstacle = writeObstacle(error)
  if (obstacle !== undefined && (error as NodeJS.ErrnoException).syscall !== undefined)
    return {
      exitCode: EXIT.otherwise,
      problem: notWritable(error as NodeJS.ErrnoException, obstacle),
    }
  return {
    exitCode: EXIT.otherwise,
    problem: {
      type: 'InternalError',
      message: error instanceof Error ? message : String(error),
      where: 'this is a bug in ratchet, or this machine is in an unexpected state',
      next: 'set RATCHET_DEBUG=1 for the stack, or check the machine with: ratchet doctor',
    },
  }
}

function notWritable(
  { code = '', path, message }: NodeJS.ErrnoException,
  obstacle: string,
): Problem {
  const [what = '', next = ''] = obstacle.split('; ')
  return {
    type: 'NotWritable',
    message: `cannot write (${code}): ${what}`,
    where: path ?? message,
    next: `${next}, then try again`,
  }
}

/**
 * Returns whether a workflow could not be asked: no worker took the query, or the server is away.
 */
export function isUnanswered(error: unknown): boolean {
  return isServerUnavailable(error) || hasGrpcCode(error, NO_POLLER)
}

/** Formats a problem as three lines. */
export function problemLines({ type, message, where, next }: Problem): string[] {
  const indented = (label: string, text: string): string[] =>
    text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((line, n) => `  ${(n === 0 ? label : '').padEnd(5)}  ${line}`)
  // Ctrl-C is no mistake.
  return [
    type === 'Interrupted' ? message : `error: ${message}`,
    ...indented('where', where),
    ...indented('next', next),
  ]
}
