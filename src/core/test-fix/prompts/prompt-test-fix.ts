// The convergence request of a test-fix turn.
import type { Role } from '../../../contract/config/agent-config.js'
import { ANALYSIS_HEADINGS, formOf, type FormRead } from '../../prompts/prompt-forms.js'
import { joined, section } from '../../prompts/prompt-parts.js'

/**
 * The convergence request: time is up, answer with what you have. It repeats the task, as some
 * agents forget a cancelled prompt.
 *
 * @param read what will be read in the answer, where it has a form
 */
export function convergePrompt({
  role,
  task,
  limitMs,
  read,
}: {
  role: Role
  task?: string | undefined
  limitMs: number
  read?: FormRead | undefined
}): string {
  const minutes = Math.max(1, Math.round(limitMs / 60_000))
  return joined([
    section('## CONVERGE NOW', [
      `The time for this turn is over, so Ratchet interrupted it. You have about ${minutes} minute${minutes === 1 ? '' : 's'} left. Start nothing new.`,
    ]),
    restated(role, task, read),
    'Say plainly what is not done.',
  ])
}

const READ_TASKS: Record<FormRead, string> = {
  analysis: 'analyse the failing tests and plan the fix',
  assessment: 'say how critical the failing tests are',
  gate: 'check the tests and report what you found',
  plan: 'plan the tests',
}

function restated(role: Role, task: string | undefined, read: FormRead | undefined): string {
  const named = task === undefined ? '' : `, ${task},`
  if (read !== undefined)
    return `Your task${named} was to ${READ_TASKS[read]}, changing no file. Answer now, with what you have, in this form:\n\n${formOf(read)}`
  if (role === 'cli-planning-agent')
    return [
      'Your task was to analyse the failing tests and plan the fix, changing no file. Answer in Markdown with these headings, with what you have:',
      '',
      ...ANALYSIS_HEADINGS,
    ].join('\n')
  const what =
    role === 'test-fix-agent'
      ? 'change the code under test so that the failing tests pass, leaving tests and their configuration alone'
      : 'carry out the task in its task file'
  return `Your task${named} was to ${what}.\nBring the files you were changing into a consistent state, undo what you cannot finish, and end with a short summary.`
}
