// Builds feedback prompts within an iteration, for the agent's own session. They repeat the task
// and the form, as the session may have been lost.
import type { CycleBrief } from '../../../contract/dev-cycle/cycle-step.js'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import type { TestRun } from '../../../contract/test-run.js'
import { bounded, joined, section } from '../../prompts/prompt-parts.js'
import { editsSection } from '../documents/person-edits.js'
import { phaseForm } from './phase-form.js'
import { withinPrompt } from './prompt-detail.js'
import { failingSection } from './prompt-measured.js'
import {
  boundaries,
  contextLines,
  deliverablesSection,
  PHASE_TEXTS,
  taskLines,
  type CyclePaths,
} from './prompt-phases.js'

/**
 * @param p.feedback the message with its own headings, from `feedbackFor`
 *
 * @param p.measured the last run, where the agent repairs what fails
 */
export function feedbackPrompt(p: {
  brief: CycleBrief
  phase: Phase
  feedback: string
  paths: CyclePaths
  measured?: TestRun | undefined
}): string {
  const { brief, phase, paths } = p
  const { title, answers } = PHASE_TEXTS[phase]
  return withinPrompt((detail) =>
    joined([
      bounded(p.feedback, detail.feedback, 'of the feedback'),
      failingSection(p.measured, detail),
      '---',
      section('## TASK ASSIGNMENT', [
        `You are ${phase.toUpperCase()}, the ${title}, in iteration ${brief.iteration} of a development cycle. In this turn: ${answers}.`,
        'Handle everything that the feedback names, and nothing else. Report what you cannot resolve as an issue or a blocker in your result.',
        ...(phase === 'cd'
          ? ['Fix the cause. Do not bend, weaken or delete a test to make it pass.']
          : []),
        '',
        ...boundaries(phase),
      ]),
      section('## CYCLE CONTEXT', [
        ...contextLines(brief, paths),
        `- **Board**: ${paths.board}`,
        `- **Documents of the others**: below ${paths.dir}`,
        ...taskLines(brief, detail.task, paths.stateFile),
      ]),
      editsSection(brief.edits ?? [], paths.dir, detail.edits),
      deliverablesSection(brief, phase, paths),
      section('## OUTPUT FORMAT', [
        'Give the whole block again, updated for this turn:',
        '',
        phaseForm(phase),
      ]),
    ]),
  )
}
