// Asks an agent whose time is over to write down what it has. The task is restated in short: some
// agents forget a prompt that was interrupted.
import type { CycleBrief } from '../../../contract/dev-cycle/cycle-step.js'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import { joined, section } from '../../prompts/prompt-parts.js'
import { phaseForm } from './phase-form.js'
import {
  contextLines,
  deliverablesSection,
  PHASE_TEXTS,
  taskLines,
  type CyclePaths,
} from './prompt-phases.js'

/** Characters of the task, and of its extension, that are restated. */
const TASK_RESTATED = 4_000

// The form knows `partial` for those who build and validate only.
const BUILT = 'Status `partial` if there is something usable, otherwise `failed`.'
const WRITTEN =
  'Report what is open as an issue in your result. Status `failed` only if there is nothing usable.'
const STATUS: Record<Phase, string> = { ra: WRITTEN, ep: WRITTEN, cd: BUILT, vas: BUILT }

/** @param p.limitMs how long this turn may take */
export function cycleConvergePrompt(p: {
  brief: CycleBrief
  phase: Phase
  paths: CyclePaths
  limitMs: number
}): string {
  const { brief, phase, paths } = p
  const minutes = Math.max(1, Math.floor(p.limitMs / 60_000))
  return joined([
    section('## TIMEOUT NOTIFICATION', [
      `The time for this turn is over, so Ratchet interrupted it. You have about ${minutes} minute${minutes === 1 ? '' : 's'} left. Start nothing new. Please:`,
      '',
      '1. Write what you have so far to your documents, named below',
      '2. Save the rest: discoveries to the board, changes to changes.log',
      '3. Return your status, in the form below',
      ...(phase === 'cd'
        ? ['', 'First bring the sources into a consistent state, and undo what you cannot finish.']
        : []),
      '',
      `Say plainly what is not done. ${STATUS[phase]}`,
    ]),
    section('## CYCLE CONTEXT', [
      `You are ${phase.toUpperCase()}, the ${PHASE_TEXTS[phase].title}. ${PHASE_TEXTS[phase].purpose}`,
      ...contextLines(brief, paths),
      `- **Board**: ${paths.board}`,
      ...taskLines(brief, TASK_RESTATED),
    ]),
    deliverablesSection(brief, phase, paths),
    section('## OUTPUT FORMAT', [phaseForm(phase)]),
  ])
}
