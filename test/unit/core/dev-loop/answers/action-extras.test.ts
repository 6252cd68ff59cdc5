import { describe, expect, test } from 'vitest'
import type { LoopAction } from '../../../../../src/contract/dev-loop/loop-input.js'
import { readWorker } from '../../../../../src/core/dev-loop/answers/action-block.js'
import { MESSAGE_CHARS } from '../../../../../src/core/dev-loop/answers/suggested-commit.js'
import { namingProblem } from '../../../../../src/core/dev-loop/answers/task-claims.js'

const read = (
  action: LoopAction,
  after: string,
  lines: readonly string[] = [],
): ReturnType<typeof readWorker> =>
  readWorker(
    `WORKER_RESULT:\n- action: ${action}\n- status: success\n${lines.map((line) => `- ${line}\n`).join('')}\n${after}`,
    action,
  )
const json = (value: unknown): string =>
  `DETAILED_OUTPUT:\nIn words.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``

test.each(
  // prettier-ignore
  [
  { why: 'the form', after: json({ tasks_completed: ['T1'], tasks_remaining: ['T2', 'T3'] }), lines: [], done: ['T1'], left: ['T2', 'T3'] },
  { why: 'in one fence with the block, the object bare', after: 'DETAILED_OUTPUT:\nIn words.\n{"tasks_completed":["T1"]}\n```', lines: [], done: ['T1'], left: undefined },
  { why: 'camel case, numbers', after: json({ tasksCompleted: [1, '2'], tasksRemaining: [] }), lines: [], done: ['T1'], left: [] },
  { why: 'sentences and objects', after: json({ tasks_completed: ['T01: done', { id: 't2', description: 'b' }], pending_tasks: [{ id: 'T3', description: 'c', status: 'pending' }] }), lines: [], done: ['T1', 'T2'], left: ['T3'] },
  { why: 'in the block', after: '', lines: ['tasks_completed: [T1, T2]', 'tasks_remaining: none'], done: ['T1', 'T2'], left: [] },
  { why: 'a count names none', after: '', lines: ['tasks_completed: 2'], done: [], left: undefined },
  { why: 'nothing', after: '', lines: [], done: undefined, left: undefined },
  { why: 'broken JSON', after: '```json\n{"tasks_completed": ["T1",}\n```', lines: [], done: undefined, left: undefined },
],
)('develop: $why', ({ after, lines, done, left }) => {
  const { tasksCompleted, tasksRemaining, findings } = read('develop', after, lines)
  expect([tasksCompleted, tasksRemaining, findings]).toEqual([done, left, undefined])
})

test('a title behind the id of a task says nothing about its state, where it is known', () => {
  const text = `WORKER_RESULT:\n- action: develop\n- status: success\n\n${json({ tasks_completed: ['T1: Show orders: open, left', 'T2: Show carts: open, left'] })}`
  const titles = new Map([['T1', 'Show orders: open, left']])
  expect(readWorker(text, 'develop', titles)).toMatchObject({
    tasksCompleted: ['T1'],
    tasksRemaining: ['T2'],
  })
})

const H1 = {
  id: 'H1',
  description: 'The key is cut',
  testable_condition: 'log it',
  confidence: 'high',
  evidence: ['x'],
  mechanism: 'slice',
}
const H2 = { ...H1, id: 'H2', description: 'The clock', confidence: 'low' }
test.each(
  // prettier-ignore
  [
  { why: 'the form', after: json({ hypotheses: [H1, H2], root_cause: 'slice(0, 8)', findings: ['a.ts cuts the key'] }), cause: 'slice(0, 8)', findings: ['a.ts cuts the key'] },
  { why: 'hypotheses that hold, where there are no findings', after: json({ hypotheses: [H1, H2] }), cause: undefined, findings: ['H1: The key is cut'] },
  { why: 'a confirmed one of any confidence', after: json({ hypotheses: [{ ...H1, status: 'rejected' }, { ...H2, status: 'confirmed' }] }), cause: undefined, findings: ['H2: The clock'] },
  { why: 'ROOT_CAUSE_ANALYSIS', after: json({ ROOT_CAUSE_ANALYSIS: { hypothesis: 'The key is cut', confidence: 'high', evidence: [] } }), cause: 'The key is cut', findings: ['The key is cut'] },
  { why: 'no finding, said so', after: json({ findings: [], root_cause: null }), cause: undefined, findings: [] },
  { why: 'sections', after: 'DETAILED_OUTPUT:\nROOT_CAUSE_ANALYSIS:\n- hypothesis: The key is cut\n- confidence: high\n\nFIX_RECOMMENDATIONS:\n- Keep all of it', cause: 'The key is cut', findings: ['The key is cut'] },
  { why: 'findings as a list', after: 'DETAILED_OUTPUT:\n## FINDINGS\n- a.ts cuts the key\n  in line 3\n- b\n\n## NEXT\n- c', cause: undefined, findings: ['a.ts cuts the key; in line 3', 'b'] },
  { why: 'a name in code is none', after: 'DETAILED_OUTPUT:\n```\nFINDINGS:\n- a\n```\nb', cause: undefined, findings: undefined },
  { why: 'nothing', after: '', cause: undefined, findings: undefined },
],
)('debug: $why', ({ after, cause, findings }) =>
  expect([read('debug', after).rootCause, read('debug', after).findings]).toEqual([
    cause,
    findings,
  ]),
)

describe('validate', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the form', after: json({ tests: { passed: 8, failed: 2, total: 10 }, coverage: '81.5%' }), lines: [], claimed: { passed: 8, failed: 2, total: 10, coverage: 81.5 } },
    { why: 'TEST_RESULTS with the coverage in it', after: json({ TEST_RESULTS: { passed: '8', failed: 0, coverage: 81 } }), lines: [], claimed: { passed: 8, failed: 0, total: null, coverage: 81 } },
    { why: 'summary, as the output files have it', after: json({ summary: { total: 3, passed: 3, failed: 0 }, coverage: { lines: { pct: 1 }, total: 90 } }), lines: [], claimed: { passed: 3, failed: 0, total: 3, coverage: null } },
    { why: 'a fraction in the block', after: '', lines: ['tests_passing: 8/10', 'coverage: 70%'], claimed: { passed: 8, failed: null, total: 10, coverage: 70 } },
    { why: 'words', after: 'DETAILED_OUTPUT:\nTEST_RESULTS:\n- 8 passed\n- 2 failed\n- Total: 10\n\nCOVERAGE_GAPS:\n- a.ts', lines: [], claimed: { passed: 8, failed: 2, total: 10, coverage: null } },
    { why: 'nothing to say', after: json({ tests: { passed: '<count>', failed: 'n/a' }, coverage: 'not measured' }), lines: [], claimed: undefined },
    { why: 'more than all', after: json({ coverage: 810 }), lines: [], claimed: undefined },
    { why: 'nothing', after: '', lines: [], claimed: undefined },
  ],
  )('counts: $why', ({ after, lines, claimed }) =>
    expect(read('validate', after, lines).claimed).toEqual(claimed),
  )

  test.each(
    // prettier-ignore
    [
    { why: 'the form', after: json({ failures: [{ test: 'logs in', error: 'expected 1', location: 'a.test.ts:3', 'suggested fix': 'x' }, { error: 'no suite' }] }), findings: ['logs in: expected 1 (a.test.ts:3)', 'no suite'] },
    { why: 'sentences', after: json({ FAILURES: ['logs in fails'] }), findings: ['logs in fails'] },
    { why: 'with findings', after: json({ failures: ['a'], findings: ['b', 'a'] }), findings: ['a', 'b'] },
    { why: 'a section', after: 'DETAILED_OUTPUT:\nFAILURES:\n- logs in: expected 1\n  Location: a.test.ts:3\n\nCOVERAGE_GAPS:\n- no test for b.ts', findings: ['logs in: expected 1; Location: a.test.ts:3'] },
    { why: 'none', after: 'DETAILED_OUTPUT:\nFAILURES: none', findings: [] },
    { why: 'gaps are no failures', after: json({ coverage_gaps: ['b.ts'] }), findings: undefined },
  ],
  )('failures: $why', ({ after, findings }) =>
    expect(read('validate', after).findings).toEqual(findings),
  )
})

describe('complete', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the form', after: json({ commit_suggestion: { message: 'feat: add login\n\nIn two steps.', files: ['a.ts'], branch_strategy: 'squash', ready_for_pr: true } }), suggestion: { message: 'feat: add login\n\nIn two steps.', branchStrategy: 'squash' } },
    { why: 'a text', after: json({ COMMIT_SUGGESTION: 'feat: add login' }), suggestion: { message: 'feat: add login' } },
    { why: 'lines', after: 'DETAILED_OUTPUT:\nCOMMIT_SUGGESTION:\n- message: "feat: add login"\n- files: [a.ts]\n- branch_strategy: squash\n- ready_for_pr: true\n\nRECOMMENDATIONS:\n- x', suggestion: { message: 'feat: add login', branchStrategy: 'squash' } },
    { why: 'lines over more lines', after: 'DETAILED_OUTPUT:\nCOMMIT_SUGGESTION:\n- message: |\n    feat: add login\n    In two steps.\n- files: []', suggestion: { message: 'feat: add login\nIn two steps.' } },
    { why: 'behind its name', after: 'DETAILED_OUTPUT:\nCOMMIT_SUGGESTION: feat: add login\n', suggestion: { message: 'feat: add login' } },
    { why: 'in a fence', after: 'DETAILED_OUTPUT:\n## COMMIT_SUGGESTION\n\n```\nfeat: add login\n\nIn two steps.\n```\n\n## RECOMMENDATIONS\n- x', suggestion: { message: 'feat: add login\n\nIn two steps.' } },
    { why: 'control characters and other line ends', after: json({ commit_suggestion: { message: 'feat:\u0007 add\u202e login\r\n\r\n\r\n\u001b[31mIn\u001b[0m two\u2028steps.\u0000 ' } }), suggestion: { message: 'feat: add login\n\nIn two\nsteps.' } },
    { why: 'the sample', after: json({ commit_suggestion: { message: '<subject line, then a blank line and why>', branch_strategy: '<how>' } }), suggestion: undefined },
    { why: 'no message', after: json({ commit_suggestion: { files: ['a.ts'], branch_strategy: 'squash' } }), suggestion: undefined },
    { why: 'odd types', after: json({ commit_suggestion: { message: ['a'] }, recommendations: 7 }), suggestion: undefined },
    { why: 'nothing', after: '', suggestion: undefined },
  ],
  )('COMMIT_SUGGESTION: $why', ({ after, suggestion }) =>
    expect(read('complete', after).suggestion).toEqual(suggestion),
  )

  test('a message is bounded', () =>
    expect(
      read('complete', json({ commit_suggestion: { message: 'x'.repeat(9_000) } })).suggestion
        ?.message,
    ).toHaveLength(MESSAGE_CHARS))

  test.each(
    // prettier-ignore
    [
    { why: 'the form', after: json({ recommendations: ['More tests', { description: 'Docs' }] }), list: ['More tests', 'Docs'] },
    { why: 'a section', after: 'DETAILED_OUTPUT:\n**RECOMMENDATIONS:**\n1. More tests\n2. Docs\n\n## EXPANSION_OPTIONS\n- x', list: ['More tests', 'Docs'] },
    { why: 'nothing', after: '', list: undefined },
  ],
  )('RECOMMENDATIONS: $why', ({ after, list }) =>
    expect(read('complete', after).recommendations).toEqual(list),
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'the form', after: json({ no_change: [{ id: 'T2', why: 'it is there' }] }), then: [{ id: 'T2', why: 'it is there' }] },
  { why: 'in words', after: json({ no_change: ['T02: it is there'] }), then: [{ id: 'T2', why: 'it is there' }] },
  { why: 'one without a reason is none', after: json({ no_change: [{ id: 'T2' }, { id: 'T3', reason: 'built before' }] }), then: [{ id: 'T3', why: 'built before' }] },
  { why: 'one for each of many tasks', after: json({ no_change: Array.from({ length: 25 }, (_, n) => ({ id: `T${n + 1}`, why: 'built before' })) }), then: Array.from({ length: 20 }, (_, n) => ({ id: `T${n + 1}`, why: 'built before' })) },
  { why: 'the sample', after: json({ no_change: [{ id: '<task id>', why: '<why it needs no change>' }] }), then: undefined },
  { why: 'none', after: json({ no_change: [] }), then: undefined },
],
)('develop, no change: $why', ({ after, then }) =>
  expect(read('develop', after).noChange).toEqual(then),
)

test.each([
  { why: 'it names one', said: { tasksCompleted: ['T1'] }, asks: false },
  { why: 'one needs no change', said: { noChange: [{ id: 'T2', why: 'x' }] }, asks: false },
  { why: 'all remain', said: { tasksRemaining: ['T1', 'T2'] }, asks: false },
  { why: 'it names none', said: { tasksCompleted: [] }, asks: true },
  { why: 'it names one that is not its own', said: { tasksCompleted: ['T9'] }, asks: true },
  { why: 'it is not done', said: { status: 'partial' as const }, asks: false },
])('a develop with several tasks: $why -> $asks', ({ said, asks }) => {
  const problem = namingProblem({ status: 'success', ...said }, ['T1', 'T2'])
  expect(problem).toBe(
    asks
      ? 'tasks_completed names none of the tasks: give the ids of those that are done, as [T1, T2], or no_change with a reason'
      : undefined,
  )
})

test.each([
  { lines: ['issues: ["[high] no input is checked"]'], after: '' },
  {
    lines: [],
    after: json({ issues: [{ severity: 'high', description: 'no input is checked' }] }),
  },
])('validate: issues are findings: $lines $after', ({ lines, after }) => {
  expect(read('validate', after, lines).findings).toEqual(['[high] no input is checked'])
})

test.each([
  { lines: ['issues: []'], after: '' },
  { lines: ['issues: No issues found.'], after: '' },
  { lines: [], after: 'DETAILED_OUTPUT:\n## Issues\nThose of the last round are repaired.' },
])('validate: no issue: $lines $after', ({ lines, after }) => {
  expect(read('validate', after, lines).findings ?? []).toEqual([])
})
