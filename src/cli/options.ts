// Reads the options that several commands share, and prints the answer of a detached start.
import { randomUUID } from 'node:crypto'
import type { Output } from './context.js'
import { badInput } from './output/errors.js'
import type { FoundRun } from './find/find-run.js'
import { SandboxUse } from '../contract/sandbox.js'
import { LoopMode } from '../contract/dev-loop/loop-input.js'
import type { Kind } from '../contract/names.js'
import { nounOf } from './find/kept-kind.js'

/** Returns a whole number of at least 1, or `undefined` if the option is not given. */
export function wholeNumber(given: string | undefined, flag: string): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw badInput(
      `${flag} must be a whole number of at least 1, got ${JSON.stringify(given)}`,
      flag,
      `use for example: ${flag} 5`,
    )
  return Number(given)
}

/** Returns what `--sandbox` names, or `undefined`. */
export function sandboxUse(given: string | undefined): SandboxUse | undefined {
  const use = SandboxUse.optional().safeParse(given)
  if (!use.success)
    throw badInput(
      `--sandbox must be ${SandboxUse.options.join(', ')}, got ${JSON.stringify(given)}`,
      '--sandbox',
      'ratchet doctor --sandbox shows which of them hold on this machine',
    )
  return use.data
}

/** Refuses `--sandbox` for an open run. */
export function refuseSandbox(id: string, given: string | undefined): void {
  if (given !== undefined)
    throw badInput(
      `${id} is open and keeps the sandbox that it has begun with`,
      '--sandbox',
      `remove the option, or end the run with: ratchet stop ${id}`,
    )
}

/** Returns the command that starts a new run of this kind. */
export function startCommand(kind: Kind): string {
  if (kind === 'test-fix') return 'ratchet fix'
  return kind === 'prep' ? 'ratchet prep <cycle|loop> "<task>"' : `ratchet ${nounOf(kind)} "<task>"`
}

export type ModeOptions = { auto?: boolean; interactive?: boolean }
export type SandboxOption = { sandbox?: string }

/** Returns whether to ask between iterations; empty if neither option is given. */
export function askingMode({ auto, interactive }: ModeOptions, command: string): ModeOptions {
  if (auto === true && interactive === true)
    throw badInput('--auto and --interactive cannot be used together', command, 'use one of them')
  return { ...(auto === true ? { auto } : {}), ...(interactive === true ? { interactive } : {}) }
}

/**
 * Returns whether a person follows the started run: in a terminal, without `--auto`, `--detach` and
 * `--json`.
 */
export function isAttended(
  { ask }: Output,
  { auto, detach }: { auto?: boolean; detach?: boolean },
): boolean {
  return ask !== undefined && auto !== true && detach !== true
}

/** Returns the mode for a loop, if one is given. */
export function loopMode(
  given: ModeOptions & { mode?: string },
  command: string,
): LoopMode | undefined {
  const { auto, interactive } = askingMode(given, command)
  if (given.mode !== undefined && !LoopMode.safeParse(given.mode).success)
    throw badInput(
      `--mode must be ${LoopMode.options.join(', ')}, got "${given.mode}"`,
      command,
      `for example: --mode ${LoopMode.options[0]}`,
    )
  const said = auto === true ? 'auto' : interactive === true ? 'interactive' : undefined
  const mode = given.mode as LoopMode | undefined
  if (said !== undefined && mode !== undefined && said !== mode)
    throw badInput(
      `--mode ${mode} and --${said} cannot be used together`,
      command,
      'use one of them',
    )
  return mode ?? said
}

/** Prints the answer of every `--detach`: the id and where to look. */
export function answerStarted(out: Output, { id, uiUrl }: Pick<FoundRun, 'id' | 'uiUrl'>): number {
  out.answer({ id, uiUrl }, [id, ...(uiUrl === null ? [] : [uiUrl])])
  return 0
}

/**
 * Lets an open run take this many iterations in all. A limit is only raised, as the iterations may
 * already be spent.
 */
export async function raiseIterations(
  { id, handle }: Pick<FoundRun, 'id' | 'handle'>,
  wanted: number,
): Promise<void> {
  const { maxIterations } = await handle.status()
  if (wanted < maxIterations)
    throw badInput(
      `the limit of ${maxIterations} iterations cannot be lowered to ${wanted}`,
      '--max-iterations',
      `use ${maxIterations} or more, or end the run with: ratchet stop ${id}`,
    )
  if (wanted > maxIterations) await handle.extend(wanted - maxIterations, randomUUID())
}

/** Refuses what makes no sense for a run that has ended. */
export function refuseClosed(found: FoundRun, doing: string): void {
  if (found.overview.open) return
  throw badInput(
    `the run has ended (${found.overview.phase ?? found.overview.state.toLowerCase()}), ${doing}`,
    found.id,
    found.kind === 'prep'
      ? `start another one with: ${startCommand(found.kind)}`
      : found.kind === 'test-fix'
        ? `continue it with: ratchet resume ${found.id}, or start a new one with: ${startCommand(found.kind)}`
        : `give it a further task: ratchet extend ${found.id} "<task>"`,
  )
}
