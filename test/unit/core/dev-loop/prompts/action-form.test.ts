import { describe, expect, test } from 'vitest'
import { LOOP_ACTIONS } from '../../../../../src/contract/dev-loop/loop-input.js'
import {
  detailedOutput,
  readWorker,
} from '../../../../../src/core/dev-loop/answers/action-block.js'
import { workerForm } from '../../../../../src/core/dev-loop/prompts/action-form.js'

const REAL: Readonly<Record<string, string>> = {
  status: 'success',
  summary: 'All of it',
  files_changed: '[src/a.ts, src/b.ts]',
  next_suggestion: 'validate',
  loop_back_to: 'null',
}
/**
 * The form with every value of the block replaced, as a worker answers; its samples of details and
 * questions stay.
 */
const filled = (form: string): string =>
  form.replace(/^- (?!action)(\w+): .*$/gm, (_, key: string) => `- ${key}: ${REAL[key] ?? '[]'}`)

describe.each(LOOP_ACTIONS)('EXPECTED OUTPUT of %s', (action) => {
  const form = workerForm(action)
  const prompt = `## TASK ASSIGNMENT\n\nGoal: Execute ${action}\n\n## CURRENT STATE\n\n\`\`\`json\n{"skill_state":{"findings":["old"]}}\n\`\`\`\n\n## EXPECTED OUTPUT\n\n${form}\n\nExecute the ${action} action now.`

  test('the form itself is no answer, and asks nothing', () => {
    expect(readWorker(form, action)).toEqual({
      action,
      status: 'unknown',
      reported: '',
      summary: '',
      filesClaimed: [],
      next: null,
      questions: [],
      problem: 'the WORKER_RESULT block has no status: it is only the sample, or not filled in',
      form,
    })
    expect(detailedOutput(form)).toBe('')
  })

  test('an echo of the whole prompt is no answer', () =>
    expect(readWorker(prompt, action)).toMatchObject({ status: 'unknown', questions: [], form }))

  test('the filled form is one, its samples of details are not', () => {
    expect(readWorker(filled(form), action)).toEqual({
      action,
      status: 'success',
      reported: 'success',
      summary: 'All of it',
      filesClaimed: ['src/a.ts', 'src/b.ts'],
      next: 'validate',
      questions: [],
      ...(action === 'develop'
        ? { tasksCompleted: [], tasksRemaining: [] }
        : action === 'debug' || action === 'validate'
          ? { findings: [] }
          : action === 'complete'
            ? { recommendations: [] }
            : {}),
    })
  })

  test('an echo before or after the answer changes nothing', () => {
    const own = `\`\`\`\nWORKER_RESULT:\n- action: ${action}\n- status: partial\n- summary: Mine\n\nDETAILED_OUTPUT:\nHalf of it.\n\`\`\`\n`
    const alone = readWorker(own, action)
    expect(alone).toMatchObject({ status: 'partial', summary: 'Mine' })
    expect(readWorker(`${prompt}\n\n${own}`, action)).toEqual(alone)
    expect(readWorker(`${own}\n\n${form}`, action)).toEqual(alone)
    expect(detailedOutput(`${prompt}\n\n${own}`)).toBe('Half of it.')
  })

  test('the keys have the order of the source', () => {
    expect([...form.matchAll(/^- (\w+):/gm)].map(([, key]) => key)).toEqual([
      'action',
      'status',
      'summary',
      'files_changed',
      'next_suggestion',
      'loop_back_to',
    ])
    expect(form.indexOf('DETAILED_OUTPUT:')).toBeGreaterThan(form.indexOf('- loop_back_to:'))
    expect(form.indexOf('CLARIFICATION_NEEDED:')).toBeGreaterThan(form.indexOf('DETAILED_OUTPUT:'))
  })
})

test.each(
  // prettier-ignore
  [
  { action: 'init', keys: ['tasks', 'id', 'description', 'priority', 'files'] },
  { action: 'develop', keys: ['tasks_completed', 'tasks_remaining'] },
  { action: 'debug', keys: ['hypotheses', 'testable_condition', 'confidence', 'evidence', 'mechanism', 'root_cause', 'findings'] },
  { action: 'validate', keys: ['tests', 'coverage', 'failures', 'findings'] },
  { action: 'complete', keys: ['commit_suggestion', 'message', 'branch_strategy', 'recommendations'] },
] as const,
)('the details of $action have the keys of the sources', ({ action, keys }) => {
  const [, json = ''] = /```json\n([\s\S]*?)\n```/.exec(workerForm(action)) ?? []
  expect(() => JSON.parse(json) as unknown).not.toThrow()
  expect([...json.matchAll(/"(\w+)":/g)].map(([, key]) => key)).toEqual(
    expect.arrayContaining([...keys]),
  )
})

test.each(LOOP_ACTIONS)('the form of %s names the severities where its findings count', (action) =>
  expect(workerForm(action).includes('[high], [medium] or [low]')).toBe(
    action === 'debug' || action === 'validate',
  ),
)

test('no form asks for what Ratchet never reads', () => {
  for (const key of ['coverage_gaps', 'ready_for_pr'])
    expect(LOOP_ACTIONS.some((action) => workerForm(action).includes(key))).toBe(false)
})
