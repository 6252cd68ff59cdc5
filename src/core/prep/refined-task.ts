// The refined task: five parts as one text, which a cycle or loop gets with the typed task.
import { DESCRIPTION_CHARS, TASK_CHARS } from '../../contract/dev-cycle/cycle-input.js'
import { DIMENSIONS, type PrepDraft } from '../../contract/prep/prep-draft.js'
import { withRefined } from '../dev-cycle/plan-tasks.js'

export function refinedText({ dimensions }: Pick<PrepDraft, 'dimensions'>): string {
  return DIMENSIONS.map((name) => `${name.toUpperCase()}: ${dimensions[name].value}`).join(' | ')
}

/** Path of a package in the heading of its refined task, if it is committed later. */
const LATER = '.workflow/.cycle/prep-package.json'

/** Returns how many characters a refined task may have next to the typed one. */
export function refinedRoom(typed: string): number {
  return Math.min(TASK_CHARS, DESCRIPTION_CHARS - withRefined(typed, '', LATER).length)
}
