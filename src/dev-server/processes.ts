// Starting and ending the local processes. Each one is known by its identity, never by its pid
// alone.
import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { identify, isAlive } from '../adapters/process/identity.js'
import { stopwatch } from '../adapters/stopwatch.js'
import { LOCAL_MARK, MARKERS } from '../contract/names.js'
import type { ProcessIdentity } from '../contract/registry.js'
import { logSize, openLog } from './rotating-log.js'

const POLL_MS = 100

export type Launch = {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  log: string
  /** Value of its `LOCAL_MARK`, by which it is found when no file names it. */
  mark?: string
  /** Whether it reads standard input. */
  takesInput?: boolean
}

/** A process that was started, or an older one that was joined. */
export type Started = {
  /** `undefined` for a process that had ended before it could be looked at. */
  identity: ProcessIdentity | undefined
  /** Ends with how it ended, in words: "code 1", "signal SIGKILL". */
  ended: Promise<string>
  log: string
  /** Bytes the log had when it was started. */
  logFrom: number
  /** Writes to its standard input; nothing where it has ended. */
  write?: (text: string) => void
}

/**
 * Starts a process in a group of its own, output appended to its log. It lives on when the caller
 * dies; its standard input ends then.
 */
export function launch({
  command,
  args,
  env,
  cwd,
  log,
  mark,
  takesInput = false,
}: Launch): Started {
  const fd = openLog(log)
  const logFrom = logSize(log)
  try {
    const child = spawn(command, args, {
      cwd,
      env: { ...unmarked(env), ...(mark !== undefined && { [LOCAL_MARK]: mark }) },
      detached: true,
      stdio: [takesInput ? 'pipe' : 'ignore', fd, fd],
    })
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `code ${code ?? '?'}` : `signal ${signal}`),
      )
    })
    child.unref()
    const { stdin } = child as { stdin: Socket | null }
    stdin?.unref()
    stdin?.on('error', () => undefined) // it has ended, which `ended` says
    return {
      identity: child.pid === undefined ? undefined : identify(child.pid),
      ended,
      log,
      logFrom,
      ...(stdin !== null && { write: (text: string) => void stdin.write(text) }),
    }
  } finally {
    closeSync(fd)
  }
}

// A command that a step of a run calls may be the one that starts this: it does not end with that
// step.
function unmarked(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const marks: string[] = [...Object.values(MARKERS), LOCAL_MARK]
  return Object.fromEntries(Object.entries(env).filter(([name]) => !marks.includes(name)))
}

/** Takes over a process that another one started. */
export function adopt(identity: ProcessIdentity, log: string): Started {
  const gone = async (): Promise<string> => {
    while (isAlive(identity)) await delay(POLL_MS, undefined, { ref: false })
    return 'an unknown code: it was started earlier'
  }
  return { identity, ended: gone(), log, logFrom: logSize(log) }
}

/** Sends a signal to exactly this process; nothing where it is gone. */
export function signal(identity: ProcessIdentity | undefined, name: NodeJS.Signals): void {
  if (identity === undefined || !isAlive(identity)) return
  try {
    process.kill(identity.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Ends a process: TERM, and KILL when it is still there after `graceMs`. Returns when it is gone.
 */
export async function end(identity: ProcessIdentity | undefined, graceMs: number): Promise<void> {
  if (identity === undefined) return
  signal(identity, 'SIGTERM')
  const waited = stopwatch()
  while (isAlive(identity) && waited() < graceMs) await delay(POLL_MS)
  signal(identity, 'SIGKILL')
  while (isAlive(identity)) await delay(POLL_MS)
}
