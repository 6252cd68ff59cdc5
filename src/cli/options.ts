// What several commands read from their options, and how a detached start answers.
import { randomUUID } from 'node:crypto'
import type { Context } from './context.js'
import { badInput } from './output/errors.js'
import type { FoundRun } from './find/find-run.js'
import { LoopMode } from '../contract/dev-loop/loop-input.js'
import type { Kind } from '../contract/names.js'
import { nounOf } from './find/run-record.js'

/** A whole number of at least 1, or `undefined` where the option is not given. */
export function wholeNumber(given: string | undefined, flag: string): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw badInput(
      `${flag} must be a whole number of at least 1, got ${JSON.stringify(given)}`,
      flag,
      `write for example: ${flag} 5`,
    )
  return Number(given)
}

/** How a new run of this kind is started, as a user types it. */
export function startCommand(kind: Kind): string {
  return kind === 'test-fix' ? 'ratchet fix' : `ratchet ${nounOf(kind)} "<task>"`
}

export type ModeOptions = { auto?: boolean; interactive?: boolean }

/** Whether a person is to be asked between iterations; empty where neither was said. */
export function askingMode({ auto, interactive }: ModeOptions, command: string): ModeOptions {
  if (auto === true && interactive === true)
    throw badInput('--auto and --interactive exclude each other', command, 'leave one of them out')
  return { ...(auto === true ? { auto } : {}), ...(interactive === true ? { interactive } : {}) }
}

/**
 * Whether a person follows the run that is started: in a terminal, without `--auto`, `--detach` and
 * `--json`.
 */
export function isAttended(
  { ask }: Pick<Context, 'ask'>,
  { auto, detach }: { auto?: boolean; detach?: boolean },
): boolean {
  return ask !== undefined && auto !== true && detach !== true
}

/** The mode that a loop is to work in, where one was said. */
export function loopMode(
  given: ModeOptions & { mode?: string },
  command: string,
): LoopMode | undefined {
  const { auto, interactive } = askingMode(given, command)
  if (given.mode !== undefined && !LoopMode.safeParse(given.mode).success)
    throw badInput(
      'Invalid mode',
      `--mode ${given.mode}`,
      `write one of: ${LoopMode.options.join(', ')}`,
    )
  const said = auto === true ? 'auto' : interactive === true ? 'interactive' : undefined
  const mode = given.mode as LoopMode | undefined
  if (said !== undefined && mode !== undefined && said !== mode)
    throw badInput(
      `--mode ${mode} and --${said} exclude each other`,
      command,
      'leave one of them out',
    )
  return mode ?? said
}

/** The answer of every `--detach`: the id and where to look. */
export function answerStarted(
  context: Context,
  { id, uiUrl }: Pick<FoundRun, 'id' | 'uiUrl'>,
): number {
  context.answer({ id, uiUrl }, [id, ...(uiUrl === null ? [] : [uiUrl])])
  return 0
}

/**
 * Lets an open run take this many iterations in all. A limit is raised and never lowered: they may
 * be spent.
 */
export async function raiseIterations(
  { id, handle }: Pick<FoundRun, 'id' | 'handle'>,
  wanted: number,
): Promise<void> {
  const { maxIterations } = await handle.status()
  if (wanted < maxIterations)
    throw badInput(
      `the run may take ${maxIterations} iterations, which cannot be lowered to ${wanted}`,
      '--max-iterations',
      `write ${maxIterations} or more, or end it with: ratchet stop ${id}`,
    )
  if (wanted > maxIterations) await handle.extend(wanted - maxIterations, randomUUID())
}

/** Refuses what makes no sense for a run that has ended. */
export function refuseClosed(found: FoundRun, doing: string): void {
  if (found.overview.open) return
  throw badInput(
    `the run has ended (${found.overview.phase ?? found.overview.state.toLowerCase()}), ${doing}`,
    found.id,
    found.kind === 'test-fix'
      ? `start a new one with: ${startCommand(found.kind)}`
      : `give it a further task: ratchet extend ${found.id} "<task>"`,
  )
}
