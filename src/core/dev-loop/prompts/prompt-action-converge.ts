// Asks a worker whose time is over for what it has. The task is restated in short: some agents
// forget a prompt that was interrupted.
import type { LoopBrief } from '../../../contract/dev-loop/loop-step.js'
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import { packageMark } from '../../dev-cycle/plan-tasks.js'
import { oneLine } from '../../text/one-line.js'
import { bounded, fenced, joined, section } from '../../prompts/prompt-parts.js'
import { aboutMinutes, dutyOf, taskLines } from './prompt-action-parts.js'
import { workerForm } from './action-form.js'

/** Characters of the description that are restated, tasks and their characters. */
const DESCRIPTION_RESTATED = 4_000
const TASKS_RESTATED = { items: 20, task: 400 }

const LEAVE: Partial<Record<LoopAction, string>> = {
  develop: 'First bring the code into a consistent state, and undo what you cannot finish.',
  debug: 'First undo the experiments, except an edit that proves a cause.',
  validate: 'First remove what you cannot finish: half a test is worse than none.',
}

/** @param p.limitMs how long this turn may take */
export function workerConvergePrompt(p: { loop: LoopBrief; limitMs: number }): string {
  const { loop } = p
  const { action } = loop
  const { goal, allowed, forbidden } = dutyOf(loop)
  const tasks = taskLines(loop, TASKS_RESTATED)
  const leave = LEAVE[action]
  return joined([
    section('## TIMEOUT', [
      `The time for this turn is over, so Ratchet interrupted it. You have ${aboutMinutes(p.limitMs)} left. Start nothing new, ask nothing: output WORKER_RESULT with your current progress.`,
      ...(leave === undefined ? [] : ['', leave]),
      '',
      'Say plainly what is not done. Status `success` only if the whole action is done.',
    ]),
    section('## TASK ASSIGNMENT', [
      `You are the ${action} worker of development loop ${oneLine(loop.loopId)}. Goal: ${goal}`,
      '',
      `- Allowed: ${allowed}`,
      `- Forbidden: ${forbidden}`,
    ]),
    section('## TASK DESCRIPTION', [
      ...packageMark(loop.description),
      fenced(bounded(loop.description, DESCRIPTION_RESTATED, 'of the description')),
      ...(tasks.length === 0 ? [] : ['', '### TASKS OF THIS TURN', '', ...tasks]),
    ]),
    section('## EXPECTED OUTPUT', [workerForm(action)]),
  ])
}
