import { describe, expect, test } from 'vitest'
import { ITEM_CHARS, ITEMS_KEPT } from '../../../../../src/contract/dev-cycle/phase-reading.js'
import type { Phase } from '../../../../../src/contract/dev-cycle/discovery.js'
import { answerProblem } from '../../../../../src/core/dev-cycle/answers/answer-problem.js'
import {
  readPhaseBlock,
  type PhaseBlock,
} from '../../../../../src/core/dev-cycle/answers/phase-block.js'

const answer = (phase: Phase, lines: readonly string[], after = ''): string =>
  `Done.\n\n\`\`\`\nPHASE_RESULT:\n- phase: ${phase}\n${lines.map((line) => `- ${line}\n`).join('')}\`\`\`\n${after}`
const details = (value: unknown): string =>
  `\nPHASE_DETAILS:\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`
function read(text: string, phase: Phase): PhaseBlock {
  const reading = readPhaseBlock(text, phase)
  if (!reading.ok) throw new Error(`expected a block: ${reading.problem}`)
  return reading.block
}

test('the block of each phase is read whole', () => {
  expect(
    read(
      answer('ra', [
        'status: success',
        'version: 1.1.0',
        'files_written: [requirements.md, edge-cases.md]',
        'summary: Login in two steps',
        'requirements_count: 4',
        'issues: []',
      ]),
      'ra',
    ),
  ).toEqual({
    status: 'success',
    summary: 'Login in two steps',
    issues: [],
    blockers: [],
    planIssues: [],
    decisions: [],
  })
  expect(
    read(
      answer('ep', [
        'status: success',
        'files_written: []',
        'summary: Three tasks',
        'plan_version: v1.0.0',
      ]),
      'ep',
    ),
  ).toMatchObject({ status: 'success', summary: 'Three tasks' })
  expect(
    read(
      answer('cd', [
        'status: partial',
        'files_changed: 2',
        'files_modified: ["a.ts"]',
        'tasks_completed: [TASK-001, TASK-002]',
        'blockers: ["no key"]',
        'plan_issues: ["TASK-9 is missing"]',
      ]),
      'cd',
    ),
  ).toMatchObject({
    status: 'partial',
    tasksNamed: ['TASK-001', 'TASK-002'],
    blockers: ['no key'],
    planIssues: ['TASK-9 is missing'],
  })
  expect(read(answer('cd', ['status: success']), 'cd').claimed).toBeUndefined()
})

describe('what VAS measured is typed', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the block of the source', lines: ['status: success', 'test_pass_rate: 85%', 'coverage: 72.5%', 'issues: []'], claimed: { passRate: 85, coverage: 72.5, failedTests: [], criticalIssues: null, ready: null } },
    { why: 'every field', lines: ['status: partial', 'test_pass_rate: "17/20"', 'coverage: n/a', 'failed_tests: [a, b]', 'critical_issues: 1', 'ready_for_production: false'], claimed: { passRate: 85, coverage: null, failedTests: ['a', 'b'], criticalIssues: 1, ready: false } },
    { why: 'a contradiction, kept as said', lines: ['status: success', 'test_pass_rate: 100%', 'failed_tests: [a]', 'ready_for_production: true'], claimed: { passRate: 100, coverage: null, failedTests: ['a'], criticalIssues: null, ready: true } },
    { why: 'numbers outside of 0-100', lines: ['status: success', 'test_pass_rate: 1700%', 'coverage: -1'], claimed: { passRate: null, coverage: null, failedTests: [], criticalIssues: null, ready: null } },
    { why: 'only tests_passing', lines: ['status: success', 'tests_passing: 3/4'], claimed: { passRate: 75, coverage: null, failedTests: [], criticalIssues: null, ready: null } },
    { why: 'nothing', lines: ['status: success'], claimed: { passRate: null, coverage: null, failedTests: [], criticalIssues: null, ready: null } },
  ],
  )('$why', ({ lines, claimed }) =>
    expect(read(answer('vas', lines), 'vas').claimed).toEqual(claimed),
  )
})

test.each([
  { said: 'success', status: 'success' },
  { said: '✅ Success', status: 'success' },
  { said: 'COMPLETED', status: 'success' },
  { said: '**done**', status: 'success' },
  { said: 'ok', status: 'success' },
  { said: 'passed (12 tests)', status: 'success' },
  { said: 'success with all tests', status: 'success' },
  { said: 'complete with all requirements met', status: 'success' },
  { said: 'Completed successfully with 100% pass rate', status: 'success' },
  { said: 'success; verified with the full suite', status: 'success' },
  { said: 'success (lint not configured)', status: 'success' },
  { said: 'success - nothing pending', status: 'success' },
  { said: 'success; no pending tasks', status: 'success' },
  { said: 'success - not blocked', status: 'success' },
  { said: 'success: 0/12 tests failed', status: 'success' },
  { said: 'success (iteration 1 of 5)', status: 'success' },
  { said: 'success 3/5 files changed', status: 'success' },
  { said: "success - the parser doesn't crash any more", status: 'success' },
  { said: 'success with no issues', status: 'success' },
  { said: 'successfully completed', status: 'success' },
  { said: 'success: 2/12 tests failed', status: 'partial' },
  { said: 'success, 8 of 12 tests pass', status: 'partial' },
  { said: "success, the import isn't tested", status: 'partial' },
  { said: 'success (review pending)', status: 'partial' },
  { said: 'done with two tests failing', status: 'partial' },
  { said: 'pass with issues', status: 'partial' },
  { said: 'successful with one critical problem', status: 'partial' },
  { said: 'complete except FR-003', status: 'partial' },
  { said: 'completed partially', status: 'partial' },
  { said: 'completed - not ready', status: 'partial' },
  { said: 'ok, but FR-003 is not met', status: 'partial' },
  { said: 'done: 2 of 5 tasks', status: 'partial' },
  { said: 'done: 5 of 5 tasks', status: 'success' },
  { said: 'PASS ⚠️', status: 'partial' },
  { said: 'finished', status: 'success' },
  { said: 'erfolgreich', status: 'unknown' },
  { said: '成功', status: 'unknown' },
  { said: 'partial', status: 'partial' },
  { said: 'partially done', status: 'partial' },
  { said: 'in_progress', status: 'partial' },
  { said: 'in progress', status: 'partial' },
  { said: 'needs_input', status: 'partial' },
  { said: 'Needs clarification', status: 'partial' },
  { said: 'completed with issues', status: 'partial' },
  { said: 'success_with_warnings', status: 'partial' },
  { said: 'incomplete', status: 'partial' },
  { said: 'failed', status: 'failed' },
  { said: 'FAILURE: no compiler', status: 'failed' },
  { said: 'error', status: 'failed' },
  { said: 'blocked', status: 'failed' },
  { said: 'green', status: 'unknown' },
  { said: 'not done', status: 'unknown' },
  { said: '42', status: 'unknown' },
  { said: 'unsuccessful', status: 'unknown' },
])('statuses: "$said" is $status', ({ said, status }) =>
  expect(read(answer('ra', [`status: ${said}`]), 'ra').status).toBe(status),
)

test.each([
  { lines: ['status: erfolgreich'], asks: 'the status "erfolgreich" is none of' },
  { lines: ['status: ok, but FR-003 is missing'], asks: 'can be read as success and as partial' },
  { lines: ['status: completed with issues'], asks: undefined },
  { lines: ['status: success', 'issues: ["Note: FR-001"]'], asks: 'has no severity' },
  { lines: ['status: success', 'issues: ["[low] a (optional)"]'], asks: undefined },
  { lines: ['status: success', 'ready_for_production: ship it'], asks: 'give true or false' },
  {
    lines: ['status: success', 'ready_for_production: yes, once FR-003 is met'],
    asks: 'give true or false',
  },
  {
    lines: [
      'status: success',
      'ready_for_production: true (1 test failed before the run and is not related)',
    ],
    asks: 'give true or false',
  },
  {
    lines: ['status: success', 'ready_for_production: yes; the only failing test failed before'],
    asks: 'give true or false',
  },
  {
    lines: ['status: success', 'ready_for_production: yes, not a single failure'],
    asks: 'give true or false',
  },
  {
    lines: [
      'status: success',
      'ready_for_production: true (not affected by the known failing test)',
    ],
    asks: 'give true or false',
  },
  {
    lines: ['status: success', 'ready_for_production: yes, only docs changed'],
    asks: 'give true or false',
  },
  {
    lines: [
      'status: success',
      'ready_for_production: yes (after fixing the lint issue in this iteration)',
    ],
    asks: 'give true or false',
  },
  { lines: ['status: success', 'ready_for_production: n/a'], asks: undefined },
  { lines: ['status: success', 'ready_for_production: nein'], asks: undefined },
])('$lines is asked again: $asks', ({ lines, asks }) =>
  expect(answerProblem(read(answer('vas', lines), 'vas'), [])).toEqual(
    asks === undefined ? undefined : expect.stringContaining(asks),
  ),
)

test('until then, what cannot be read is not ready', () => {
  const lines = ['status: success', 'ready_for_production: ship it']
  const block = read(answer('vas', lines), 'vas')
  expect([block.claimed?.ready, block.summary]).toEqual([
    false,
    'ready_for_production is "ship it"',
  ])
})

test('statuses: the summary contains a word that is unknown or takes something back', () => {
  expect(read(answer('ra', ['status: done: 2 of 5', 'summary: a part']), 'ra').summary).toBe(
    'status "done: 2 of 5"; a part',
  )
  expect(read(answer('ra', ['status: green', 'summary: all of it']), 'ra').summary).toBe(
    'status "green"; all of it',
  )
  expect(read(answer('ra', ['status: green']), 'ra').summary).toBe('status "green"')
})

test.each(
  // prettier-ignore
  [
  { why: 'success with blockers is only partial', lines: ['status: success', 'blockers: [no key]'], after: '', status: 'partial' },
  { why: 'success with blockers in the details, too', lines: ['status: success', 'blockers: []'], after: details({ blockers: [{ issue: 'no key' }] }), status: 'partial' },
  { why: 'failed stays failed', lines: ['status: failed', 'blockers: [no key]'], after: '', status: 'failed' },
  { why: 'an issue does not change the status', lines: ['status: success', 'issues: [slow]'], after: '', status: 'success' },
],
)('$why', ({ lines, after, status }) =>
  expect(read(answer('cd', lines, after), 'cd').status).toBe(status),
)

test.each(
  // prettier-ignore
  [
  { why: '`issues: []` is empty', line: 'issues: []', want: { issues: [], blockers: [] } },
  { why: 'a string is one blocker', line: 'blockers: The key is missing', want: { issues: [], blockers: ['The key is missing'] } },
  { why: 'none', line: 'blockers: none', want: { issues: [], blockers: [] } },
  { why: 'no issues found', line: 'issues: No issues found.', want: { issues: [], blockers: [] } },
],
)('$why', ({ line, want }) =>
  expect(read(answer('cd', ['status: failed', line]), 'cd')).toMatchObject(want),
)

describe('no valid block', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'an agent that said nothing', text: '', says: 'there is no PHASE_RESULT block' },
    { why: 'prose', text: 'All is well, status: success', says: 'there is no PHASE_RESULT block' },
    { why: 'only the sample', text: answer('cd', ['status: success | failed | partial', 'files_changed: [count]', 'blockers: []']), says: 'has no status' },
    { why: 'no status', text: answer('cd', ['summary: all of it']), says: 'has no status' },
    { why: "a predecessor's block, quoted", text: answer('ep', ['status: success']), says: 'is that of "ep", not of "cd"' },
    { why: "a predecessor's block, by its role", text: 'PHASE_RESULT:\n- phase: Exploration Planner\n- status: success', says: 'is that of "ep", not of "cd"' },
    { why: "a predecessor's block behind the own sample", text: `${answer('cd', ['status: success | failed'])}\n${answer('ep', ['status: success'])}`, says: 'has no status' },
  ],
  )('$why is a problem', ({ text, says }) =>
    expect(readPhaseBlock(text, 'cd')).toEqual({
      ok: false,
      problem: expect.stringContaining(says) as string,
    }),
  )
})

test.each(
  // prettier-ignore
  [
  { why: "behind another's", text: `${answer('ep', ['status: failed'])}\n${answer('cd', ['status: success'])}` },
  { why: "before another's", text: `${answer('cd', ['status: success'])}\n${answer('ep', ['status: failed'])}` },
  { why: 'behind a draft', text: `${answer('cd', ['status: failed'])}\n${answer('cd', ['status: success'])}` },
  { why: 'before an echoed sample', text: `${answer('cd', ['status: success'])}\n${answer('cd', ['status: success | failed'])}` },
  { why: 'without a phase', text: 'PHASE_RESULT:\n- status: success' },
  { why: 'with an unknown phase', text: 'PHASE_RESULT:\n- phase: development\n- status: success' },
  { why: 'by its role', text: 'PHASE_RESULT:\n- phase: code-developer\n- status: success' },
],
)('the own block counts, $why', ({ text }) => expect(read(text, 'cd').status).toBe('success'))

describe('PHASE_DETAILS', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'adds what the block lacks', lines: ['status: partial', 'issues: [a]'], value: { issues: ['a', { id: 'BUG-1', description: 'b' }], plan_issues: ['c'], tasks_completed: ['TASK-1', 'TASK-2'] }, want: { issues: ['a', 'BUG-1: b'], planIssues: ['c'], tasksNamed: ['TASK-1', 'TASK-2'] } },
    { why: 'may be wrapped in its name', lines: ['status: partial'], value: { PHASE_DETAILS: { issues: ['a'] } }, want: { issues: ['a'] } },
    { why: 'has decisions', lines: ['status: partial'], value: { decisions: [{ description: 'Which store?', options: ['a', 'b'], recommended: 'a' }, { description: 'And when?' }, 'Who?', {}, 7, null] }, want: { decisions: [{ description: 'Which store?', options: ['a', 'b'], recommended: 'a' }, { description: 'And when?', options: [] }, { description: 'Who?', options: [] }] } },
    { why: 'of odd types says nothing', lines: ['status: partial'], value: { issues: 7, blockers: null, decisions: {}, tasks_completed: -1 }, want: { issues: [], blockers: [], decisions: [] } },
    { why: 'that is only the sample says nothing', lines: ['status: partial'], value: { issues: ['<issue>'], decisions: [{ description: '<a choice>', options: ['<option>'] }] }, want: { issues: [], decisions: [] } },
  ],
  )('$why', ({ lines, value, want }) =>
    expect(read(answer('cd', lines, details(value)), 'cd')).toMatchObject(want),
  )

  test('broken JSON, and JSON of another kind, is ignored', () => {
    expect(
      read(answer('cd', ['status: success'], '```json\n{"issues": ["a",}\n```'), 'cd').issues,
    ).toEqual([])
    expect(
      read(answer('cd', ['status: success'], '```json\n{"scripts": {}}\n```'), 'cd').issues,
    ).toEqual([])
  })

  test('VAS gives its numbers there, too', () => {
    expect(
      read(
        answer(
          'vas',
          ['status: success'],
          details({
            failed_tests: [{ name: 'logs in' }],
            test_pass_rate: 85,
            coverage: '70%',
            critical_issues: 0,
            ready_for_production: false,
          }),
        ),
        'vas',
      ).claimed,
    ).toEqual({
      passRate: 85,
      coverage: 70,
      failedTests: ['logs in'],
      criticalIssues: 0,
      ready: false,
    })
  })
})

test.each([
  { why: 'a count', lines: ['tasks_completed: 2'], named: undefined },
  { why: 'a share', lines: ['tasks_completed: 2/3'], named: undefined },
  { why: 'a count in words', lines: ['tasks_completed: 3 tasks'], named: undefined },
  { why: 'none', lines: ['tasks_completed: []'], named: undefined },
  { why: 'one id', lines: ['tasks_completed: TASK-001'], named: ['TASK-001'] },
  {
    why: 'a list',
    lines: ['tasks_completed: [TASK-001, TASK-002]'],
    named: ['TASK-001', 'TASK-002'],
  },
  { why: 'numbers as ids', lines: ['tasks_completed: [1, 2]'], named: ['1', '2'] },
])('tasks_completed that is $why', ({ lines, named }) =>
  expect(read(answer('cd', ['status: success', ...lines]), 'cd').tasksNamed).toEqual(named),
)

test.each(
  // prettier-ignore
  [
  { why: 'objects', lines: [], value: { no_change: [{ id: 'TASK-001', why: 'it is there' }] }, says: [{ id: 'TASK-001', why: 'it is there' }] },
  { why: 'a line of the block', lines: ['no_change: ["TASK-001: it is there"]'], value: {}, says: [{ id: 'TASK-001', why: 'it is there' }] },
  { why: 'ids alone', lines: ['no_change: [TASK-001]'], value: {}, says: [{ id: 'TASK-001', why: '' }] },
  { why: 'the sample', lines: [], value: { no_change: [{ id: '<id of a task that needs no change>', why: '<why>' }] }, says: undefined },
],
)('no_change as $why', ({ lines, value, says }) =>
  expect(
    read(answer('cd', ['status: success', ...lines], details({ issues: [], ...value })), 'cd')
      .noChange,
  ).toEqual(says),
)

test('lists and summary are bounded, one line each', () => {
  const many = Array.from({ length: 60 }, (_, i) => `${i}\nx `.repeat(200))
  const block = read(
    answer(
      'cd',
      ['status: partial', `summary: ${'long '.repeat(1_000)}`],
      details({
        issues: many,
        decisions: many.map((description) => ({ description, options: many })),
      }),
    ),
    'cd',
  )
  expect(block.issues).toHaveLength(ITEMS_KEPT)
  expect(block.decisions).toHaveLength(5)
  expect(
    block.decisions.every(
      ({ options }) => options.length === 6 && options.every((option) => option.length <= 100),
    ),
  ).toBe(true)
  expect(block.issues.every((one) => one.length <= ITEM_CHARS && !one.includes('\n'))).toBe(true)
  expect(block.summary.length).toBeLessThanOrEqual(500)
  expect(JSON.stringify(block).length).toBeLessThan(40_000)
})

test('no_change of every task that a cycle follows is read, with shorter reasons where there are many', () => {
  const many = Array.from({ length: 50 }, (_, n) => ({ id: `TASK-${n}`, why: 'x'.repeat(150) }))
  const { noChange = [] } = read(
    answer('cd', ['status: success'], details({ issues: [], no_change: many })),
    'cd',
  )
  expect(noChange).toHaveLength(40)
  expect(noChange.every(({ why }) => why.length <= 80)).toBe(true)
})

test.each([
  { lines: ['requirements_met: 0/5'], value: {}, status: 'partial', summary: '0 of 5' },
  { lines: ['requirements_met: 4 of 5'], value: {}, status: 'partial', summary: '4 of 5' },
  { lines: [], value: { requirements_met: '0/5' }, status: 'partial', summary: '0 of 5' },
  { lines: ['requirements_met: "FR: 4/5"'], value: {}, status: 'partial', summary: '4 of 5' },
  { lines: ['requirements_met: FR-1/2: met'], value: {}, status: 'success', summary: '' },
  { lines: ['requirements_met: 3 (iteration 1 of 5)'], value: {}, status: 'success', summary: '' },
  { lines: ['requirements_met: 5/5'], value: {}, status: 'success', summary: '' },
  { lines: ['requirements_met: 5'], value: {}, status: 'success', summary: '' },
  { lines: ['requirements_met: n/a'], value: {}, status: 'success', summary: '' },
])('requirements that are not met: $lines $value is $status', ({ lines, value, status, summary }) =>
  expect(read(answer('vas', ['status: success', ...lines], details(value)), 'vas')).toMatchObject({
    status,
    summary: summary === '' ? '' : `${summary} requirements are met`,
  }),
)

test('findings of VAS that have a grade are issues, others are facts', () => {
  const said = [
    'status: success',
    'findings: ["[high] a", "FR-001 is met: checkout works", "The project uses express 4", "[low] c", "d (medium)"]',
  ]
  const issues = (phase: Phase) =>
    read(answer(phase, said, details({ issues: ['b'] })), phase).issues
  expect(issues('vas')).toEqual(['b', '[high] a', 'd (medium)'])
  expect((['ra', 'ep', 'cd'] as const).map(issues)).toEqual([['b'], ['b'], ['b']])
})

test('VAS names the tests that are gone on purpose, and how many requirements are met', () => {
  expect(
    read(
      answer('vas', [
        'status: success',
        'removed_tests: ["a.test.ts > adds"]',
        'requirements_met: 3/5',
      ]),
      'vas',
    ).claimed,
  ).toMatchObject({ removedTests: ['a.test.ts > adds'], requirementsMet: 3 })
  expect(
    read(
      answer('vas', [
        'status: success',
        'removed_tests: [<test that is gone on purpose, with its file>]',
        'requirements_met: <count>/<count of all>',
      ]),
      'vas',
    ).claimed,
  ).not.toHaveProperty('removedTests')
})
