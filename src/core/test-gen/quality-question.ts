// The question when written tests do not pass their quality gate, where a person is there.
import type { Question } from '../../contract/question.js'

/**
 * @param task id of the gate
 *
 * @param reason what it found
 */
export function qualityQuestion(
  task: string,
  attempt: number,
  reason: string,
  askedAt: number,
): Question {
  return {
    id: `quality-${task}-${attempt}`,
    kind: 'quality',
    text: `The tests do not pass ${task}: ${reason}. What now?`,
    options: ['continue', 'again', 'stop'],
    descriptions: {
      continue: 'keeps them, and marks the result for review',
      again: 'lets the agent repair them once more',
      stop: 'ends the run, which can be resumed',
    },
    recommended: 'continue',
    askedAt,
  }
}
