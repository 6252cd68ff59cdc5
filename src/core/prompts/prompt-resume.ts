// The text before a task, or instead of it, after an interrupted turn. It always repeats the task:
// some agents forget a prompt that was cancelled or cut off.

/**
 * Text for a turn that continues after an interruption by a pause, a restart or a crash.
 *
 * @param sameSession false if the agent could not resume: it knows nothing of the earlier work
 */
export function resumePrompt({
  prompt,
  sameSession,
}: {
  prompt: string
  sameSession: boolean
}): string {
  const preface = sameSession
    ? [
        '## RESUMED',
        '',
        'This turn was interrupted before you finished, and this session is being resumed. Work you have already done is still in the',
        'working directory. Look at its state first, do not redo finished work, and complete the task, which is repeated here.',
      ]
    : [
        '## STARTED AGAIN',
        '',
        'An earlier session worked on this task, and could not be resumed. Some of its work may already be in the working directory, finished',
        'or half done. Look at the state of the files first, keep what is right, and complete the task.',
      ]
  return [...preface, '', '---', '', prompt].join('\n')
}

/** Text for a follow-up whose session could not be resumed: the agent starts without its memory. */
export function lostSessionPrompt(prompt: string): string {
  return [
    '## NEW SESSION',
    '',
    'You continue the work of an earlier session that could not be resumed. Its work may be in the working directory: look there first.',
    '',
    '---',
    '',
    prompt,
  ].join('\n')
}

/** Asks once more for an answer that was missing or could not be read. */
export function retryPrompt({ problem, form }: { problem: string; form: string }): string {
  return [
    '## ANSWER MISSING OR UNREADABLE',
    '',
    `Your last answer could not be used: ${problem}`,
    'Do not redo the work. Answer again, completely, in this form:',
    '',
    form,
  ].join('\n')
}
