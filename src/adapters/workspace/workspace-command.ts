// Commands that make a workspace usable: copying, installing, set-up. In a process group of their
// own, marked, with their output in a file; a failure is a refusal with the end of that output.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { parse as parseShell } from 'shell-quote'
import { RefusalError } from '../../contract/failures.js'
import { NO_SECRETS, type Redactor } from '../../core/text/redact.js'
import { endGroup } from '../process/end.js'
import { CommandNotFoundError, spawnGroup, type SpawnGroup } from '../process/spawn-group.js'
import { redactFile } from '../files/redact-file.js'

/** Step marker of everything that is started while a workspace is made. */
export const PREPARE_STEP = 'prepare-workspace'

export type CommandContext = {
  /** Workflow id, for the marker. */
  run: string
  /** For the other marker; `PREPARE_STEP` where nothing is said. */
  step?: string
  cwd: string
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  /** Gets both output streams. */
  log: string
  /** Takes out of the log, once the command has ended, what must not be told. */
  redact?: Redactor
  signal?: AbortSignal
  /** Starts it: inside a sandbox, where there is one. */
  spawn?: SpawnGroup | undefined
}

/** A failed command; `tail` is the end of its output. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailed'
  constructor(
    readonly argv: readonly string[],
    readonly code: number | null,
    readonly tail: string,
  ) {
    super(`${argv.join(' ')} ended with ${code ?? 'a signal'}: ${tail}`)
  }
}

/**
 * Runs a command to its end. Throws CommandFailedError, CommandNotFoundError, or the signal's
 * reason.
 */
export async function runCommand(
  argv: readonly [string, ...string[]],
  {
    run,
    step = PREPARE_STEP,
    cwd,
    env,
    log,
    redact = NO_SECRETS,
    signal,
    spawn = spawnGroup,
  }: CommandContext,
): Promise<void> {
  signal?.throwIfAborted()
  const started = await spawn({
    argv,
    cwd,
    env: { ...env, PWD: cwd },
    markers: { run, step },
    stdin: 'ignore',
    stdout: { file: log },
  })
  const stop = () => void endGroup(started.identity, { graceMs: 2_000 })
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const { code } = await started.exited
    await started.closeOutput()
    redactFile(log, redact)
    signal?.throwIfAborted()
    if (code !== 0) throw new CommandFailedError(argv, code, tailOf(log))
  } finally {
    signal?.removeEventListener('abort', stop)
    // A daemon left by an install would work on in the tree
    await endGroup(started.identity, { graceMs: 2_000 })
  }
}

/** `runCommand` whose failure is a refusal. */
export async function runSetup(
  argv: readonly [string, ...string[]],
  context: CommandContext,
  next: string,
): Promise<void> {
  try {
    await runCommand(argv, context)
  } catch (error) {
    if (error instanceof CommandNotFoundError)
      throw new RefusalError(
        'SetupFailed',
        error.message,
        context.cwd,
        `install ${argv[0]}, or change workspace.setup or workspace.dependencies in ratchet.config.json`,
      )
    if (!(error instanceof CommandFailedError)) throw error
    const said = error.tail === '' ? '' : `\n${error.tail}`
    throw new RefusalError(
      'SetupFailed',
      `"${argv.join(' ')}" ended with ${error.code ?? 'a signal'}${said}`,
      context.cwd,
      next,
    )
  }
}

/**
 * Splits a command as a shell would, without running one.
 *
 * @throws RefusalError `BadConfig` where it needs a shell
 */
export function splitCommand(
  command: string | readonly string[],
  setting: string,
): [string, ...string[]] {
  const parts =
    typeof command === 'string'
      ? parseShell(command, (name): Variable => ({ variable: name }))
      : command
  const words = parts.map((part) => {
    if (typeof part === 'string') return part
    const used = isVariable(part)
      ? `$${part.variable}`
      : 'comment' in part
        ? '#'
        : part.op === 'glob'
          ? part.pattern
          : part.op
    throw new RefusalError(
      'BadConfig',
      `${setting} needs a shell for "${used}", got ${JSON.stringify(command)}`,
      'ratchet.config.json',
      `write ["sh", "-c", ${JSON.stringify(command)}]`,
    )
  })
  const [program, ...args] = words
  if (program === undefined)
    throw new RefusalError(
      'BadConfig',
      `${setting} holds an empty command`,
      'ratchet.config.json',
      'name a command or remove the entry',
    )
  return [program, ...args]
}

type Variable = { variable: string }

function isVariable(part: object): part is Variable {
  return 'variable' in part
}

const TAIL_BYTES = 2_000

function tailOf(file: string): string {
  const fd = openSync(path.resolve(file), 'r')
  try {
    const { size } = fstatSync(fd)
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES))
    readSync(fd, buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('utf8').trim()
  } finally {
    closeSync(fd)
  }
}
