// Text that a worker repeats from its prompt is no answer.
import { expect, test } from 'vitest'
import { roleText } from '../../../../src/adapters/agents/roles.js'
import {
  LOOP_ACTIONS,
  LOOP_ROLES,
  type LoopAction,
} from '../../../../src/contract/dev-loop/loop-input.js'
import { clarifyPrompt } from '../../../../src/core/dev-loop/prompts/prompt-clarify.js'
import { workerConvergePrompt } from '../../../../src/core/dev-loop/prompts/prompt-action-converge.js'
import { workerPrompt } from '../../../../src/core/dev-loop/prompts/prompt-action.js'
import { readWorker } from '../../../../src/core/dev-loop/answers/action-block.js'
import { brief, measured, pathsOf, task } from './loop-brief.js'

const PROMPTS: Record<string, (action: LoopAction) => string> = {
  work: (action) =>
    workerPrompt({
      loop: brief(action, { tasks: [task('T1')], measured: measured(), findings: ['f'] }),
      roleText: roleText(LOOP_ROLES[action]),
      paths: pathsOf(action),
      limitMs: 60_000,
      simplified: false,
    }),
  clarify: (action) => clarifyPrompt({ action, answers: [{ question: 'Which?', answer: 'this' }] }),
  converge: (action) => workerConvergePrompt({ loop: brief(action), limitMs: 60_000 }),
  role: (action) => roleText(LOOP_ROLES[action]),
}

test.each(Object.keys(PROMPTS).flatMap((what) => LOOP_ACTIONS.map((action) => ({ what, action }))))(
  'the complete $what text echoed by $action is no answer',
  ({ what, action }) => {
    const reading = readWorker(PROMPTS[what]?.(action) ?? '', action)
    expect(reading).toMatchObject({ status: 'unknown', questions: [] })
    expect(reading.problem).toBeDefined()
  },
)
