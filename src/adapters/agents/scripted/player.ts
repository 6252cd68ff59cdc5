// Plays one step of a playbook in one prompt. What it can do to the outside goes through `Stage`,
// so the protocol stays in main.ts.
import type { TurnHeader } from '../../../contract/turn.js'
import { play, type Stage } from './scripted-actions.js'
import type { Action, Playbook, Step, When } from './schema.js'

export const NOTICE = '[playbook] scripted agent: nothing here was written by a model.'

/**
 * The first step whose conditions all hold, or `undefined`. `nth`: how often a turn of this name
 * has begun in the session.
 */
export function stepFor(
  playbook: Playbook,
  header: TurnHeader | undefined,
  nth = 1,
): Step | undefined {
  const given: When | undefined = header && { ...header, nth }
  return playbook.steps.find(({ when }) =>
    Object.entries(when).every(
      ([name, value]) => value === undefined || given?.[name as keyof When] === value,
    ),
  )
}

/** Name of a turn within a session, the same for each of its attempts. */
export function turnName(header: TurnHeader | undefined): string {
  if (header === undefined) return 'no-header'
  return [header.run, header.role, header.task ?? '', header.iteration, header.turn].join('/')
}

/** How a prompt ends. */
export type PromptEnd =
  | { stopReason: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' }
  | { error: { code: number; message: string; data?: unknown } }

/** How far a turn has come, on disk. */
export type Progress = {
  /** Finished actions. */
  done: number
  nth: number
  finished(count: number): void
  planned(action: number): Stage['planned']
}

/**
 * Returns the index of the action from which a turn continues after `done` of them. If none is
 * left, its answer may never have arrived, so its last words are said again.
 */
export function playFrom(actions: readonly Action[], done: number): number {
  if (done < actions.length) return done
  return (
    actions.findLastIndex((action) => !('say' in action || 'result' in action || 'lie' in action)) +
    1
  )
}

/** Plays the step from its first unfinished action. */
export async function playStep(
  playbook: Playbook,
  header: TurnHeader | undefined,
  progress: Progress,
  stage: Omit<Stage, 'planned'>,
): Promise<PromptEnd> {
  await stage.say(`${NOTICE}\n\n`)
  const step = stepFor(playbook, header, progress.nth)
  if (step === undefined) {
    await stage.say(
      `[playbook] no step matches ${header === undefined ? 'a prompt without a ratchet-turn line' : turnName(header)}: nothing done.\n`,
    )
    return { stopReason: 'end_turn' }
  }
  // A later attempt may match another step than the one that was begun.
  const from = playFrom(step.do, progress.done)
  for (const [index, action] of step.do.entries()) {
    if (index < from) continue
    if (stage.signal.aborted) return { stopReason: 'cancelled' }
    const end = await play(
      action,
      { ...stage, planned: progress.planned(index) },
      header?.attempt ?? 1,
    )
    if (end !== undefined) return end
    progress.finished(index + 1)
  }
  return { stopReason: 'end_turn' }
}
