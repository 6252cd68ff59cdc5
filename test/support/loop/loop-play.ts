// What the five workers of a dev loop write and answer, as steps of a playbook.
import { LOOP_ROLES, type LoopAction } from '../../../src/contract/dev-loop/loop-input.js'
import type { Step } from '../runs/real-run.js'

type Fields = Record<string, unknown>
type Actions = Step['do']

/** A worker's answer: its block, followed by the JSON. */
export function answer(action: LoopAction, fields: Fields = {}, json?: unknown): Actions[number] {
  return {
    result: {
      block: 'WORKER_RESULT',
      fields: {
        action,
        status: 'success',
        summary: `${action} is done`,
        files_changed: [],
        ...fields,
      },
      ...(json === undefined ? {} : { json }),
    },
  }
}

/** A worker that asks. */
export const asks = (...questions: string[]): Actions[number] => ({
  say: `CLARIFICATION_NEEDED:\n${questions.map((text, n) => `Q${n + 1}: ${text}`).join('\n')}\n`,
})

export const TASKS = [
  { id: 'T1', description: 'add adds', priority: 'high', files: ['calc.py'] },
  { id: 'T2', description: 'mul multiplies', priority: 'medium', files: ['calc.py'] },
]
/** The breakdown. */
export const init = (tasks: unknown = TASKS): Actions => [
  { write: { path: '{progress}/init.md', text: '# Init\n\nRead calc.py.\n' } },
  answer('init', { next_suggestion: 'develop' }, { tasks }),
]
/** The answer of a develop that has done both tasks. */
export const BOTH = { tasks_completed: ['T1', 'T2'] }
/** Work in the code, and the result; by default its own task is done. */
export const develop = (work: Actions, fields: Fields = {}, json?: unknown): Actions => [
  ...work,
  { append: { path: '{progress}/develop.md', text: '- changed calc.py\n' } },
  answer('develop', { tasks_completed: '[{task}]', ...fields }, json),
]
export const debug = (fields: Fields = {}, work: Actions = []): Actions => [
  ...work,
  answer(
    'debug',
    { loop_back_to: 'develop', ...fields },
    {
      hypotheses: [{ id: 'H1', description: 'mul adds', confidence: 'high' }],
      root_cause: 'mul uses +',
      findings: ['calc.py:6 mul adds instead of multiplying'],
    },
  ),
]
export const validate = (fields: Fields = {}, work: Actions = []): Actions => [
  ...work,
  answer('validate', fields),
]
export const complete = (message = 'Fix the calculator'): Actions => [
  answer(
    'complete',
    { next_suggestion: 'none' },
    {
      COMMIT_SUGGESTION: {
        message,
        files: ['calc.py'],
        branch_strategy: 'squash',
        ready_for_pr: true,
      },
      RECOMMENDATIONS: ['test negative numbers'],
    },
  ),
]

export const step = (action: LoopAction, when: Fields, actions: Actions): Step => ({
  when: { role: LOOP_ROLES[action], ...when },
  do: actions,
})

/**
 * Every worker always does its work; put steps that differ before these. Work of several steps does
 * both tasks at once.
 */
export const workers = (work: Actions): Step[] => [
  step('init', {}, init()),
  step('develop', {}, work.length > 1 ? develop(work, {}, BOTH) : develop(work)),
  step('debug', {}, debug()),
  step('validate', {}, validate()),
  step('complete', {}, complete()),
]
