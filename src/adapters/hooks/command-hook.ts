// A hook that is a command: the event on its standard input, a few variables, the project as its
// directory, the environment of the worker. Nothing that it starts outlives it.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { CommandHook } from '../../contract/hooks.js'
import type { HookEvent } from '../../contract/hook-event.js'
import { oneLine } from '../../core/text/one-line.js'
import type { Redactor } from '../../core/text/redact.js'
import { lastChars, plainText } from '../../core/text/test-text.js'
import { runLimited } from '../process/limited.js'
import { splitCommand } from '../workspace/workspace-command.js'

/** Of a command's output, in bytes. */
const OUTPUT_BYTES = 64 << 10
/** Of its output in a warning, in characters. */
const TAIL_SHOWN = 300
const GRACE_MS = 2_000

export type Call = {
  event: HookEvent
  env: NodeJS.ProcessEnv
  /** A file that it may use meanwhile. */
  file: string
  redact: Redactor
  signal: AbortSignal
}

/** Step marker of a hook's processes. */
export function hookStep(eventId: string): string {
  return `hook-${eventId}`
}

/**
 * Calls the command; says what went wrong, with the end of its output. Rejects when it is aborted.
 */
export async function callCommand(
  { command, timeout }: CommandHook,
  { event, env, file, redact, signal }: Call,
): Promise<string | undefined> {
  const {
    run: { id, project },
    eventId,
  } = event
  if (!existsSync(project)) return `${project} is gone, where it runs`
  const argv = splitCommand(command, 'the hook')
  try {
    const ended = await runLimited({
      argv,
      cwd: project,
      env: { ...env, PWD: project, RATCHET_EVENT: event.event, RATCHET_PROJECT: project },
      run: id,
      step: hookStep(eventId),
      input: `${JSON.stringify(event)}\n`,
      file,
      maxBytes: OUTPUT_BYTES,
      timeoutMs: timeout,
      graceMs: GRACE_MS,
      signal,
    })
    if (ended === 'not found') return `command not found: ${argv[0]}`
    const said = existsSync(file)
      ? oneLine(lastChars(redact.text(plainText(readFileSync(file, 'utf8'))).trim(), TAIL_SHOWN))
      : ''
    const how = ended.timedOut
      ? `was ended after ${timeout / 1_000} s`
      : ended.exitCode === 0
        ? undefined
        : `ended with ${ended.exitCode === null ? (ended.signal ?? 'a signal') : `code ${ended.exitCode}`}`
    return how === undefined ? undefined : [how, said].filter((part) => part !== '').join(': ')
  } finally {
    rmSync(file, { force: true })
  }
}
