// The role texts as the prompts of a loop inline them: each names its rules and what its result
// has.
import { expect, test } from 'vitest'
import { roleText } from '../../../../src/adapters/agents/roles.js'
import { LOOP_ACTIONS, LOOP_ROLES } from '../../../../src/contract/dev-loop/loop-input.js'
import { workerForm } from '../../../../src/core/dev-loop/prompts/action-form.js'

const textOf = (action: (typeof LOOP_ACTIONS)[number]): string => roleText(LOOP_ROLES[action])

test.each(LOOP_ACTIONS)(
  'the text of %s has notes, honesty, and its result at the end',
  (action) => {
    expect(textOf(action).startsWith(`# Role: loop-${action}\n`)).toBe(true)
    expect(
      textOf(action)
        .match(/^## .*$/gm)
        ?.slice(-3),
    ).toEqual(['## Notes', '## Honesty', '## Result'])
    expect(textOf(action)).toContain(
      'End with the `WORKER_RESULT` block, filled in exactly as under EXPECTED OUTPUT in the prompt',
    )
    expect(textOf(action)).toContain('Your progress file, in Markdown')
  },
)

test.each(
  // prettier-ignore
  [
  { action: 'init' as const, parts: ['3 to 7', 'T1, T2', 'Do not change any file', 'TASK_BREAKDOWN', 'EXECUTION_PLAN', 'PREREQUISITES', 'is no reason to stop', 'one task that is the description itself', '`debug`', '`complete`'] },
  { action: 'develop' as const, parts: ['one task', 'tasks_completed and tasks_remaining', 'lines_added, lines_removed, files_modified', 'Do not commit', 'write no tests', 'status `blocked`', '`debug` when you are blocked', '`loop_back_to` is `develop` for a task that is only partly done'] },
  { action: 'debug' as const, parts: ['H1', 'testable condition', 'high', 'medium', 'low', 'evidence', 'mechanism', 'After five rounds', 'ROOT_CAUSE_ANALYSIS', 'FIX_RECOMMENDATIONS', 'VERIFICATION_STEPS', 'Do not repair beyond', 'is kept and committed', 'write no code and no tests', 'Do not commit'] },
  { action: 'validate' as const, parts: ['Ratchet runs the project\'s tests itself', 'TEST_RESULTS', 'FAILURES', '`[high]`, `[medium]` or `[low]`', 'QUALITY_CHECKS', 'at most 5 minutes', 'Ratchet reverts such changes', '`loop_back_to` is `develop`', 'Never claim a run that did not happen', 'Do not commit'] },
  { action: 'complete' as const, parts: ['SESSION_SUMMARY', 'COMMIT_SUGGESTION', 'branch_strategy', 'EXPANSION_OPTIONS', 'test: ', 'enhance: ', 'refactor: ', 'doc: ', 'RECOMMENDATIONS', '80 %', 'Do not change any file', 'makes the summary partial'] },
],
)('$action: duties and extras', ({ action, parts }) => {
  for (const part of parts) expect(textOf(action)).toContain(part)
})

test('debug does not ask for a loop-back', () => {
  expect(textOf('debug')).toContain('`loop_back_to` is `null`')
})

test.each(LOOP_ACTIONS)('a status that the text of %s names is in its form', (action) => {
  const form = /^- status: (.*)$/m.exec(workerForm(action))?.[1] ?? ''
  for (const [, status = ''] of textOf(action).matchAll(/[Ss]tatus `(\w+)`/g))
    expect(form.split(' | ')).toContain(status)
})

test.each(LOOP_ACTIONS)('%s: of a length that leaves room for the task', (action) => {
  const lines = textOf(action).split('\n').length
  expect(lines).toBeGreaterThanOrEqual(40)
  expect(lines).toBeLessThanOrEqual(80)
  expect(textOf(action).length).toBeLessThan(4_000)
})
