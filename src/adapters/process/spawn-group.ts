// Starts a program as the leader of its own process group, marked so that it is found again.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import os from 'node:os'
import type { Readable } from 'node:stream'
import { MARKERS } from '../../contract/names.js'
import type { ProcessIdentity } from '../../contract/registry.js'
import { boundedOutput, type BoundedOutput } from './bounded-output.js'
import { identifyStarted } from './identity.js'

/** Where a stream goes: to the caller, or to a file that keeps its beginning and its end. */
export type Sink = 'pipe' | { file: string; maxBytes?: number }

export type GroupOptions = {
  /** The command and its arguments. */
  argv: readonly [string, ...string[]]
  cwd: string
  /** The whole environment; only the markers are added. */
  env: Readonly<Record<string, string | undefined>>
  markers: { run: string; step: string }
  stdin: 'ignore' | 'pipe'
  stdout: Sink
  /** Default: where stdout goes, into the same file. */
  stderr?: Sink
  /** Sees what goes into the files, as it comes; must not throw. */
  onOutput?: ((chunk: Buffer, from: 'stdout' | 'stderr') => void) | undefined
  /** Added niceness, 0 to 19. */
  nice?: number
  /** Directories that it may write although a sandbox around it hides them. */
  writable?: readonly string[] | undefined
}

export type GroupProcess = {
  identity: ProcessIdentity
  child: ChildProcess
  /** Settles when the leader exits; members of its group, and its output, may continue. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The files that were asked for. */
  output?: BoundedOutput
  errors?: BoundedOutput
  /**
   * Completes the files. Call it when the group has ended; a process that still holds the pipe is
   * waited for `withinMs`, then its further output is lost.
   */
  closeOutput(withinMs?: number): Promise<void>
}

export type SpawnGroup = (options: GroupOptions) => Promise<GroupProcess>

/** The program cannot be started: it is not there (ENOENT) or not executable (EACCES). */
export class CommandNotFoundError extends Error {
  override readonly name = 'CommandNotFound'
  constructor(
    readonly command: string,
    readonly code: 'ENOENT' | 'EACCES',
    readonly cwd: string,
  ) {
    super(code === 'ENOENT' ? `command not found: ${command}` : `not executable: ${command}`)
  }
}

/**
 * Starts a program in a process group of its own.
 *
 * @throws CommandNotFoundError; a plain error where `cwd` does not exist
 */
export async function spawnGroup(options: GroupOptions): Promise<GroupProcess> {
  const {
    argv: [command, ...args],
    cwd,
    stdout,
    stderr = stdout,
  } = options
  // Spawn would say ENOENT, as for the command
  if (!existsSync(cwd)) throw new Error(`directory does not exist: ${cwd}`)
  const output = stdout === 'pipe' ? undefined : boundedOutput(stdout.file, stdout.maxBytes)
  const errors =
    stderr === stdout || stderr === 'pipe' ? undefined : boundedOutput(stderr.file, stderr.maxBytes)
  const closeFiles = () => {
    output?.finish()
    errors?.finish()
  }
  const stdio: StdioOptions = [options.stdin, 'pipe', 'pipe']
  const env = {
    ...options.env,
    [MARKERS.run]: options.markers.run,
    [MARKERS.step]: options.markers.step,
  }
  const child = spawn(command, args, { cwd, env, stdio, detached: true })
  const identity = child.pid === undefined ? undefined : identifyStarted(child.pid)
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  try {
    if (identity === undefined) await exited // fails with the reason
  } catch (error) {
    closeFiles()
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' || code === 'EACCES'
      ? new CommandNotFoundError(command, code, cwd)
      : error
  }
  if (identity === undefined) throw new Error(`cannot read the start time of ${command}`)

  const streams: Readable[] = []
  const drain = (
    stream: Readable | null,
    into: BoundedOutput | undefined,
    from: 'stdout' | 'stderr',
  ) => {
    if (stream === null || into === undefined) return
    stream.on('data', (chunk: Buffer) => {
      into.write(chunk)
      options.onOutput?.(chunk, from)
    })
    streams.push(stream)
  }
  drain(child.stdout, output, 'stdout')
  drain(child.stderr, stderr === stdout ? output : errors, 'stderr')
  if (options.nice !== undefined) beNice(identity.pid, options.nice)

  const ended = Promise.all(
    streams.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))),
  )
  return {
    identity,
    child,
    exited,
    ...(output && { output }),
    ...(errors && { errors }),
    async closeOutput(withinMs = 2_000) {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, withinMs)))])
      clearTimeout(timer)
      for (const stream of streams) stream.destroy()
      closeFiles()
    },
  }
}

function beNice(pid: number, nice: number): void {
  try {
    os.setPriority(pid, nice)
  } catch (error) {
    if ((error as { info?: { code?: string } }).info?.code !== 'ESRCH') throw error
  }
}
