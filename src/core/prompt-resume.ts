// What stands before, or instead of, a task when a turn does not run straight through.
// The task is always restated: some agents forget a prompt that was cancelled or cut off (agents.md G2).

/**
 * Text for a turn that goes on after it was interrupted, by a pause, a restart or a crash.
 *
 * @param sameSession false where the agent could not resume: it knows nothing of the earlier work
 */
export function resumePrompt({ prompt, sameSession }: { prompt: string; sameSession: boolean }): string {
  const preface = sameSession
    ? [
        '## RESUMED',
        '',
        'This turn was interrupted before you finished, and this session is being resumed. Work you have already done is still in the',
        'working directory. Look at its state first, do not do finished work again, and complete the task, which is repeated here.',
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
    'This continues work of an earlier session that could not be resumed. Its work may be in the working directory: look there first.',
    '',
    '---',
    '',
    prompt,
  ].join('\n')
}

/** The convergence request: time is up, hand over what there is. `task` is restated, at most 20,000 characters. */
export function convergePrompt({ task, minutes }: { task: string; minutes: number }): string {
  return [
    '## CONVERGE NOW',
    '',
    `The time for this turn is over and it was interrupted. You have about ${minutes} minute${minutes === 1 ? '' : 's'} left. Start nothing new.`,
    'Bring the files you were changing into a consistent state, undo what cannot be finished, then give your answer in the form the task',
    'asks for, with what you have. Say plainly what is not done.',
    '',
    'The task was:',
    '',
    '---',
    '',
    task.length > 20_000 ? `${task.slice(0, 20_000)}\n[${task.length - 20_000} more characters of the task are left out here]` : task,
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
