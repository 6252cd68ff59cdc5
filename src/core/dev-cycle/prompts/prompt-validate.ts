// VAS judges the commit of an iteration. The prompt has what Ratchet measured: the agent explains
// it and checks the requirements, but does not decide whether tests pass.
import type { CycleBrief, CycleValidation } from '../../../contract/dev-cycle/cycle-step.js'
import { code, LINE_SHOWN, oneLine } from '../../text/one-line.js'
import { bounded, joined, section } from '../../prompts/prompt-parts.js'
import { removedLines } from '../../test-results/removed-tests.js'
import { editsSection } from '../documents/person-edits.js'
import { phaseForm } from './phase-form.js'
import { measuredLines } from './prompt-measured.js'
import {
  boundaries,
  contextLines,
  deliverablesSection,
  PHASE_TEXTS,
  taskLines,
  type CyclePaths,
} from './prompt-phases.js'
import { sourcesSection } from './prompt-sources.js'

/** Changed files that are named. */
export const FILES_SHOWN = 40
const REASON_CHARS = 2_000

/** @param p.changesLog path of cd/changes.log, as the agent sees it */
export function validatePrompt(p: {
  brief: CycleBrief
  roleText: string
  paths: CyclePaths
  validation: CycleValidation
  changesLog: string
}): string {
  const { brief, paths, validation } = p
  const { title, purpose } = PHASE_TEXTS.vas
  return joined([
    section('## TASK ASSIGNMENT', [
      `Validate commit ${code(validation.commit)} of iteration ${brief.iteration}. The other agents have finished, so the files do not change while you read.`,
      ...(validation.again
        ? [
            '',
            'You validated this iteration before, and the agents have worked on your findings. Check those again, and what the changes may have broken.',
          ]
        : []),
    ]),
    section('### MANDATORY FIRST STEPS (Agent Execute)', [
      '1. **Read role definition**: it is below, under YOUR ROLE',
      `2. Read: ${p.changesLog}`,
      `3. Read: ${paths.dir}/ra/requirements.md; if it is missing, use the task description`,
      `4. Read the board: ${paths.board}`,
    ]),
    sourcesSection(brief.sourceRefs),
    section('## CYCLE CONTEXT', [...contextLines(brief, paths), ...taskLines(brief)]),
    editsSection(brief.edits ?? [], paths.dir),
    section('## MEASURED BY RATCHET', measuredSection(validation)),
    section('## CHANGED FILES', filesLines(validation)),
    validation.noChange.length === 0
      ? ''
      : section('## TASKS WITHOUT A CHANGE', [
          'CD says that these tasks of the plan need no change. If one does, report it as an issue:',
          '',
          ...validation.noChange
            .slice(0, FILES_SHOWN)
            .map(({ id, why }) => `- ${code(id)}: ${oneLine(why, LINE_SHOWN)}`),
        ]),
    section('## YOUR ROLE', [`${title} - ${purpose}`, '', p.roleText]),
    section('## RESPONSIBILITIES', [
      '1. Check each requirement and edge case against the code of this commit: met, not met, or not checked, with the evidence',
      '2. Check that the changes match the task: nothing missing, nothing unrequested, tests that can fail',
      '3. Class each failing test, bug or flaky, with its severity, and name the cause as far as you know it',
      '4. Give the coverage, if the project measures it',
      '5. Report each thing that CD, EP or RA has to handle as a separate issue, with file and line',
      '',
      ...boundaries('vas'),
    ]),
    brief.focus,
    deliverablesSection(brief, 'vas', paths),
    section('## OUTPUT FORMAT', [phaseForm('vas')]),
  ])
}

function measuredSection({ measured, unmeasured }: CycleValidation): string[] {
  if (measured === undefined)
    return [
      `Nothing was measured: ${bounded(unmeasured ?? 'there is no test command', REASON_CHARS, 'of the reason')}`,
      '',
      'Run what you can, and say what you ran. What was not run has no pass rate.',
    ]
  return [
    ...measuredLines(measured),
    ...removedLines(measured),
    '',
    'These numbers count. Ratchet compares yours with them: if yours differ, say which command gave them.',
  ]
}

function filesLines({ files, filesTotal, changedTests }: CycleValidation): string[] {
  if (filesTotal === 0) return ['The commit changes no file.']
  return [
    ...named(files, filesTotal),
    ...(changedTests.length === 0
      ? []
      : [
          '',
          'These existing tests were changed. Check for each that a requirement asks for the change, and that the test promises no less:',
          '',
          ...named(changedTests, changedTests.length),
        ]),
  ]
}

function named(files: readonly string[], total: number): string[] {
  const shown = files.slice(0, FILES_SHOWN).map((file) => `- ${code(file, LINE_SHOWN)}`)
  return total > shown.length
    ? [...shown, `- … and ${total - shown.length} more, not shown`]
    : shown
}
