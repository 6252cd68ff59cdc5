// Output during a run and at its end, and the exit code.
import { expect, test } from 'vitest'
import { answerTo } from '../../../../src/cli/run/run-answer.js'
import { endLines, endedError, exitCodeOf } from '../../../../src/cli/output/ending.js'
import { CommandError, describeError, problemLines } from '../../../../src/cli/output/errors.js'
import { nearest } from '../../../../src/cli/find/nearest.js'
import {
  historyLines,
  progressLines,
  questionLines,
  type Look,
} from '../../../../src/cli/output/run-lines.js'
import { newEntries } from '../../../../src/core/run/new-entries.js'
import { sessionNames } from '../../../../src/cli/start/project.js'
import { sessionProblem } from '../../../../src/contract/ids.js'
import { RefusalError } from '../../../../src/contract/failures.js'
import type { Question } from '../../../../src/contract/question.js'
import type { IterationSummary, RunResult, StatusReply } from '../../../../src/contract/result.js'

const entry = (
  iteration: number,
  passRate: number | null,
  result: IterationSummary['result'],
  rest: Partial<IterationSummary> = {},
): IterationSummary => ({ iteration, passRate, result, commit: null, turns: 2, ...rest })
const STATUS: StatusReply = {
  id: 'ID',
  kind: 'test-fix',
  project: '/p',
  status: 'running',
  phase: 'fix',
  iteration: 0,
  maxIterations: 5,
  passRate: null,
  waitingFor: 'agent: a',
  branch: null,
  questions: 0,
  history: [],
}
const look = (status: Partial<StatusReply>, rest: Partial<Look> = {}): Look => ({
  status: { ...STATUS, ...status },
  waitingFor: 'agent: a',
  now: [],
  questions: [],
  ...rest,
})

test.each([
  { outcome: 'success', code: 0 },
  { outcome: 'partial_success', code: 0 },
  { outcome: 'completed', code: 0 },
  { outcome: 'user_exit', code: 0 },
  { outcome: 'failed', code: 1 },
  { outcome: 'blocked', code: 1 },
  { outcome: 'stopped', code: 1 },
  { outcome: 'max_iterations', code: 1 },
  { outcome: 'completed_with_issues', code: 1 },
])('outcome $outcome is exit code $code', ({ outcome, code }) =>
  expect(exitCodeOf({ kind: 'dev-loop', outcome, commits: ['c1'] })).toBe(code),
)

test('a cycle or loop that changed nothing is exit code 1, unless a person confirmed it', () => {
  expect(exitCodeOf({ kind: 'dev-cycle', outcome: 'completed', commits: [] })).toBe(1)
  expect(exitCodeOf({ kind: 'dev-loop', outcome: 'completed', commits: [] })).toBe(1)
  expect(
    exitCodeOf({
      kind: 'dev-loop',
      outcome: 'completed',
      commits: ['of an earlier task'],
      nothingCommitted: true,
    }),
  ).toBe(1)
  expect(
    exitCodeOf({ kind: 'dev-cycle', outcome: 'completed', commits: [], confirmedByPerson: true }),
  ).toBe(0)
  expect(exitCodeOf({ kind: 'test-fix', outcome: 'success', commits: [] })).toBe(0)
})

test('each iteration is one line, from the rate before it to the rate after it', () => {
  const history = [
    entry(0, 60, 'baseline', { passed: 3, total: 5 }),
    entry(1, 20, 'rolled_back', { note: 'rolled back: it fell' }),
    entry(2, 80, 'kept'),
    entry(3, 80, 'no_change'),
    entry(4, null, 'not_started'),
  ]
  expect(progressLines(look({}), look({ history }))).toEqual([
    'baseline     60.0 %  (3 of 5)',
    'iteration 1  60.0 % → 20.0 %  rolled back',
    '             rolled back: it fell',
    'iteration 2  60.0 % → 80.0 %  kept',
    'iteration 3  80.0 % → 80.0 %  no change',
    'iteration 4  80.0 % → not measured  not started',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'the strategy', entry: { strategy: 'surgical' }, says: 'surgical' },
  { why: 'a degraded analysis', entry: { strategy: 'conservative', analysis: 'degraded' }, says: 'conservative, analysis degraded' },
  { why: 'stuck tests', entry: { strategy: 'reflective', analysis: 'normal', stuck: 3 }, says: 'reflective, 3 stuck' },
  { why: 'failing tests by criticality, those that are there', entry: { stuck: 0, levels: { high: 1, medium: 0, low: 2, undecided: 1 } }, says: 'failing: 1 high, 2 low' },
  { why: 'nothing for a run of the first rules', entry: {}, says: '' },
  { why: 'nothing where nothing fails', entry: { levels: { high: 0, medium: 0, low: 0, undecided: 0 } }, says: '' },
] as const,
)('the line of an iteration adds $why', ({ entry: rest, says }) => {
  const [line] = historyLines([entry(0, 60, 'baseline'), entry(1, 80, 'kept', rest)], 1)
  expect(line).toBe(`iteration 1  60.0 % → 80.0 %  kept${says === '' ? '' : `  ${says}`}`)
})

test('prints only changes', () => {
  const first = look({})
  expect(progressLines(undefined, first)).toEqual(['fix          agent: a'])
  expect(progressLines(first, first)).toEqual([])
  expect(progressLines(first, look({}, { now: ['codex: tool edit'] }))).toEqual([
    '             codex: tool edit',
  ])
  expect(progressLines(first, look({}, { waitingFor: 'slot: taken' }))).toEqual([
    'waiting      slot: taken',
  ])
  expect(progressLines(first, look({ phase: 'testing' }, { waitingFor: 'tests: pytest' }))).toEqual(
    ['testing      tests: pytest'],
  )
  expect(progressLines(first, look({ phase: 'success' }, { waitingFor: 'nothing' }))).toEqual([])
})

test.each(['planning tests', 'generating tests', 'measuring coverage'])(
  'a long phase is apart from its step: %s',
  (phase) =>
    expect(progressLines(look({}), look({ phase }, { waitingFor: 'tests: pytest' }))).toEqual([
      `${phase} tests: pytest`,
    ]),
)

const CYCLE = { kind: 'dev-cycle', phase: 'cd' } as const

test.each(
  // prettier-ignore
  [
  { why: 'measured before it started', history: [entry(0, 60, 'baseline', { passed: 3, total: 5 }), entry(1, 80, 'kept', { note: '2 issues are left' }), entry(2, 100, 'kept')], lines: ['baseline     60.0 %  (3 of 5)', 'iteration 1  v1.0.0  60.0 % → 80.0 %  kept', '             2 issues are left', 'iteration 2  v1.1.0  80.0 % → 100.0 %  kept'] },
  { why: 'measured for the first time at the end of the first iteration', history: [entry(1, 80, 'kept', { passed: 4, total: 5 })], lines: ['iteration 1  v1.0.0  80.0 %  (4 of 5)  kept'] },
  { why: 'not measured', history: [entry(1, null, 'no_change')], lines: ['iteration 1  v1.0.0  not measured  no change'] },
],
)('each iteration of a cycle is one line with its version: $why', ({ history, lines }) => {
  expect(progressLines(look(CYCLE), look({ ...CYCLE, history }))).toEqual(lines)
})

test.each([
  { why: 'the rate that was measured', passRate: 50, line: 'measured     50.0 %' },
  { why: 'that none was', passRate: null, line: 'measured     nothing' },
])('the line before the feedback of a cycle says $why', ({ passRate, line }) => {
  const [testing, feedback] = [
    look({ ...CYCLE, phase: 'testing', passRate: 100 }),
    look({ ...CYCLE, phase: 'feedback', passRate }),
  ]
  expect(progressLines(testing, feedback)).toEqual([line, 'feedback     agent: a'])
  expect(progressLines(feedback, feedback)).toEqual([])
})

const LOOP = { kind: 'dev-loop', phase: 'develop' } as const
test.each(
  // prettier-ignore
  [
  { why: 'its action and the number of changed files', entry: { note: 'develop T1: success: adds a cart', files: 3 }, line: 'iteration 2  develop T1: success: adds a cart · 3 files' },
  { why: 'one file', entry: { note: 'develop T1: partial', files: 1 }, line: 'iteration 2  develop T1: partial · 1 file' },
  { why: 'what was measured after it', entry: { note: 'validate: success', files: 0, passRate: 75, passed: 3, total: 4, claimed: 75 }, line: 'iteration 2  validate: success · 75.0 % (3 of 4)' },
  { why: 'a different claim', entry: { note: 'validate: success', passRate: 75, passed: 3, total: 4, claimed: 100 }, line: 'iteration 2  validate: success · 75.0 % (3 of 4), claimed 100.0 %' },
  { why: 'no more than is known', entry: { result: 'not_started' }, line: 'iteration 2  not started' },
] as { why: string; entry: Partial<IterationSummary>; line: string }[],
)('a worker of a loop is one line: $why', ({ entry: { result = 'kept', ...rest }, line }) => {
  expect(
    progressLines(look(LOOP), look({ ...LOOP, history: [entry(2, null, result, rest)] })),
  ).toEqual([line])
})

test('prints each entry once of a history that keeps only the newest', () => {
  const all = [1, 2, 3, 4].map((n) =>
    entry(n, null, 'kept', { note: `develop T${n}`, startedAt: n }),
  )
  expect(newEntries(undefined, all)).toBe(0)
  expect(newEntries(all.slice(0, 3), all.slice(1))).toBe(2)
  expect(newEntries(all.slice(0, 1), all.slice(2))).toBe(0) // everything moved on meanwhile
  expect(
    progressLines(
      look({ ...LOOP, history: all.slice(0, 3) }),
      look({ ...LOOP, history: all.slice(1) }),
    ),
  ).toEqual(['iteration 4  develop T4'])
})

test.each(['completed', 'user_exit', 'failed', 'stopped', 'max_iterations'])(
  'prints that a loop is %s at its end, not as a phase',
  (phase) => {
    expect(progressLines(look(LOOP), look({ ...LOOP, phase }, { waitingFor: 'nothing' }))).toEqual(
      [],
    )
  },
)

test('a question asked as a prompt is not printed as lines', () => {
  const asked = look(
    { questions: 1 },
    {
      waitingFor: 'person: what next',
      questions: [{ id: 'q1', kind: 'menu', text: 'Next?', options: ['develop'], askedAt: 0 }],
    },
  )
  expect(progressLines(look({}), asked, 'without questions')).toEqual([])
})

test('prints only the agents of a cycle that changed their activity', () => {
  const first = look(CYCLE, { now: ['requirements-analyst: read a', 'code-developer: starting'] })
  expect(
    progressLines(
      first,
      look(CYCLE, { now: ['requirements-analyst: read a', 'code-developer: edit b'] }),
    ),
  ).toEqual(['             code-developer: edit b'])
})

test.each(['completed', 'completed_with_issues', 'failed', 'stopped'])(
  'prints that a cycle is %s at its end, not as a phase',
  (phase) => {
    expect(
      progressLines(look(CYCLE), look({ ...CYCLE, phase }, { waitingFor: 'nothing' })),
    ).toEqual([])
  },
)

test('prints a question once, with the command that answers it', () => {
  const asked = look(
    { questions: 1 },
    {
      waitingFor: 'person: codex asks: rm?',
      questions: [
        {
          id: 'q1',
          kind: 'permission',
          text: 'codex asks: rm?',
          options: ['allow', 'deny'],
          recommended: 'deny',
          askedAt: 0,
        },
      ],
    },
  )
  expect(progressLines(look({}), asked)).toEqual([
    'question     codex asks: rm?',
    '             options: allow, deny (recommended)',
    '             answer with: ratchet answer ID deny',
  ])
  expect(progressLines(asked, asked)).toEqual([])
})

test.each(
  // prettier-ignore
  [
  { why: 'the question is named where several are open', question: { options: ['yes', 'no'] }, open: 2, command: 'ratchet answer ID --question q yes' },
  { why: 'an option of several words is quoted', question: { options: ["don't continue now"] }, open: 1, command: "ratchet answer ID 'don'\\''t continue now'" },
  { why: 'free text has a place', question: { options: [] }, open: 1, command: "ratchet answer ID 'your answer'" },
],
)('the command that answers can be copied: $why', ({ question, open, command }) => {
  expect(
    questionLines('ID', { id: 'q', kind: 'decision', text: 't', askedAt: 0, ...question }, open).at(
      -1,
    ),
  ).toBe(`             answer with: ${command}`)
})

const MENU: Question = {
  id: 'iteration-1',
  kind: 'menu',
  text: 'Continue?',
  options: ['continue', 'extend', 'stop'],
  recommended: 'continue',
  askedAt: 0,
}

test('the question between two iterations says how to give a further task with the answer', () => {
  expect(questionLines('ID', MENU, 1).slice(-2)).toEqual([
    '             answer with: ratchet answer ID continue',
    '             or:          ratchet answer ID extend "<further task>"',
  ])
})

const BUDGET: Question = {
  ...MENU,
  id: 'budget-1',
  kind: 'budget',
  options: ['raise', 'stop'],
  recommended: 'stop',
  amount: { option: 'raise', unit: 'tokens', usual: '500' },
}

test('the question of a budget says how to name an amount', () => {
  expect(questionLines('ID', BUDGET, 1).slice(-2)).toEqual([
    '             answer with: ratchet answer ID stop',
    '             or:          ratchet answer ID raise 500, or another number of tokens',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'an option that takes an amount, without amount', question: BUDGET, words: ['raise'], answer: { choice: 'raise' } },
  { why: 'an option with an amount behind it', question: BUDGET, words: ['raise', '50,000'], answer: { choice: 'raise', text: '50,000' } },
  { why: 'an option', question: MENU, words: ['continue'], answer: { choice: 'continue' } },
  { why: 'an option of a menu with a text behind it', question: MENU, words: ['extend', 'and a', 'till'], answer: { choice: 'extend', text: 'and a till' } },
  { why: 'an option of several words', question: { ...MENU, options: ['complete anyway', 'stop'] }, words: ['complete', 'anyway'], answer: { choice: 'complete anyway' } },
  { why: 'own words for a question of a worker', question: { ...MENU, kind: 'clarification' as const, options: ['redis', 'files'] }, words: ['postgres', '16'], answer: { text: 'postgres 16' } },
  { why: 'an option for a question of a worker', question: { ...MENU, kind: 'clarification' as const, options: ['redis', 'files'] }, words: ['files'], answer: { choice: 'files' } },
  { why: 'the change of a plan', question: { ...MENU, kind: 'approval' as const, options: ['approve', 'change', 'stop'] }, words: ['stop', 'using floats'], answer: { text: 'stop using floats' } },
  { why: 'an approval', question: { ...MENU, kind: 'approval' as const, options: ['approve', 'change', 'stop'] }, words: ['approve'], answer: { choice: 'approve' } },
  { why: 'a text where there are no options', question: { ...MENU, options: [] }, words: ['and', 'a till'], answer: { text: 'and a till' } },
],
)('an answer is $why', ({ question, words, answer }) =>
  expect(answerTo(question, words)).toEqual(answer),
)

test.each(
  // prettier-ignore
  [
  { why: 'an unknown option', question: MENU, words: ['perhaps'] },
  { why: 'a text after an option of a permission', question: { ...MENU, kind: 'permission' as const, options: ['allow', 'deny'] }, words: ['allow', 'it'] },
  { why: 'an amount that is no number', question: BUDGET, words: ['raise', 'lots'] },
  { why: 'an amount after an option that takes none', question: BUDGET, words: ['stop', '5'] },
],
)('an answer is refused: $why', ({ question, words }) => {
  expect(() => answerTo(question, words)).toThrow(
    expect.objectContaining({ type: 'BadInput' }) as Error,
  )
})

const RESULT: RunResult = {
  warnings: [],
  id: 'WFS-test-x.012345',
  kind: 'test-fix',
  outcome: 'blocked',
  status: 'failed',
  iterations: 1,
  passRate: 66.6,
  reviewNeeded: false,
  branch: 'ratchet/WFS-test-x',
  commits: ['c'],
  failures: [{ test: 'adds', file: 'a.test.js', criticality: 'high', error: 'expected 3\n  at x' }],
  failuresTotal: 1,
  reason: 'no agent',
  recordDir: '/p/.workflow/WFS-test-x',
  usage: { turns: 1, inputTokens: 10, outputTokens: 2, estimated: true },
  history: [],
}

test('the end names outcome, rate, reason, failures, branch, apply, record and Web UI', () => {
  expect(endLines(RESULT, 'http://ui')).toEqual([
    'blocked after 1 iteration, pass rate 66.6 %',
    '  reason   no agent',
    '  failing  a.test.js  adds (high): expected 3',
    '  branch   ratchet/WFS-test-x (1 commit)',
    '  apply    ratchet apply WFS-test-x.012345',
    '  continue ratchet resume WFS-test-x.012345',
    '  record   /p/.workflow/WFS-test-x',
    '  usage    1 agent turn, 10 tokens in, 2 out (estimated)',
    '  web ui   http://ui',
  ])
})

test.each([
  { why: 'iterations are left', rest: { iterations: 4 }, command: 'ratchet resume' },
  { why: 'the iterations are spent', rest: {}, command: 'ratchet extend' },
  { why: 'of a blocked run', rest: { outcome: 'blocked' }, command: 'ratchet resume' },
])('the command that continues a run is not refused: $why', ({ rest, command }) => {
  const result = { ...RESULT, outcome: 'failed', iterations: 5, maxIterations: 5, ...rest }
  const further = command === 'ratchet extend' ? ' 3' : ''
  expect(endLines(result, null)).toContain(`  continue ${command} WFS-test-x.012345${further}`)
})

test('the end shows the cost of the run where an agent reported a price', () => {
  expect(
    endLines(
      {
        ...RESULT,
        usage: { turns: 3, inputTokens: 900, outputTokens: 80, estimated: false, costUsd: 0.0043 },
      },
      null,
    ),
  ).toContain('  usage    3 agent turns, 900 tokens in, 80 out, $0.0043')
})

test('a success offers no resume; a success that needs a review says why', () => {
  const lines = endLines(
    {
      ...RESULT,
      outcome: 'partial_success',
      status: 'completed',
      reviewNeeded: true,
      reason: '1 failing test of low criticality',
    },
    null,
  )
  expect(lines[0]).toBe('partial success after 1 iteration, pass rate 66.6 %, needs review')
  expect(lines[1]).toBe('  review   1 failing test of low criticality')
  expect(lines.join('\n')).not.toContain('ratchet resume')
})

const DONE: Partial<RunResult> = {
  id: 'cycle-v1-x',
  kind: 'dev-cycle',
  branch: 'ratchet/cycle-v1-x',
  status: 'completed',
}
test.each(
  // prettier-ignore
  [
  { why: 'completed: only a further task continues it', result: { ...DONE, outcome: 'completed', failures: [], failuresTotal: 0, passRate: 100 }, go: ['ratchet extend cycle-v1-x "<a further task>"'] },
  { why: 'issues left: a further task, or fix for failing tests', result: { ...DONE, outcome: 'completed_with_issues' }, go: ['ratchet resume cycle-v1-x', 'ratchet extend cycle-v1-x \"<what is left to do>\"', 'ratchet fix --base ratchet/cycle-v1-x'] },
  { why: 'issues left, no test fails', result: { ...DONE, outcome: 'completed_with_issues', failures: [], failuresTotal: 0 }, go: ['ratchet resume cycle-v1-x', 'ratchet extend cycle-v1-x \"<what is left to do>\"'] },
  { why: 'issues left, nothing was committed', result: { ...DONE, outcome: 'completed_with_issues', commits: [] }, go: ['ratchet resume cycle-v1-x', 'ratchet extend cycle-v1-x \"<what is left to do>\"'] },
  { why: 'stopped: resume continues it', result: { ...DONE, outcome: 'stopped', status: 'failed' }, go: ['ratchet resume cycle-v1-x'] },
] as const,
)('the end of a cycle, $why', ({ result, go }) => {
  const lines = endLines({ ...RESULT, ...result } as RunResult, null)
  expect(lines.flatMap((line) => /^ {2}continue (.*)$/.exec(line)?.[1] ?? [])).toEqual(go)
})

const LOOP_END: Partial<RunResult> = {
  ...DONE,
  id: 'loop-b-x',
  kind: 'dev-loop',
  branch: 'ratchet/loop-b-x',
  suggestion: {
    message: 'add a cart',
    command:
      "ratchet apply loop-b-x && git add -A -- 'cart.js' && git commit -m 'add a cart' -- 'cart.js'",
    readyForPr: true,
  },
}
test.each(
  // prettier-ignore
  [
  { why: 'completed', result: { ...LOOP_END, outcome: 'completed', failures: [], failuresTotal: 0 }, go: ['ratchet extend loop-b-x "<a further task>"'] },
  { why: 'completed by choice with failing tests', result: { ...LOOP_END, outcome: 'completed' }, go: ['ratchet extend loop-b-x "<a further task>"', 'ratchet fix --base ratchet/loop-b-x'] },
  { why: 'left', result: { ...LOOP_END, outcome: 'user_exit', status: 'user_exit' }, go: ['ratchet loop --loop-id loop-b-x'] },
  { why: 'out of iterations', result: { ...LOOP_END, outcome: 'max_iterations', status: 'failed', failuresTotal: 0, failures: [] }, go: ['ratchet resume loop-b-x'] },
  { why: 'failed with failing tests', result: { ...LOOP_END, outcome: 'failed', status: 'failed' }, go: ['ratchet resume loop-b-x', 'ratchet fix --base ratchet/loop-b-x'] },
  { why: 'stopped', result: { ...LOOP_END, outcome: 'stopped', status: 'failed' }, go: ['ratchet resume loop-b-x'] },
] as const,
)('the end of a loop shows how to continue it: $why', ({ result, go }) => {
  const lines = endLines({ ...RESULT, ...result } as RunResult, null)
  expect(lines.flatMap((line) => /^ {2}continue (.*)$/.exec(line)?.[1] ?? [])).toEqual(go)
})

test('the end of a loop: tasks, conflicts, and the command that commits on a line of its own', () => {
  const result = {
    ...RESULT,
    ...LOOP_END,
    outcome: 'completed',
    reviewNeeded: true,
    reason: '2 tasks are open',
  } as RunResult
  const lines = endLines(result, null, {
    done: 3,
    pending: ['T4 write the docs'],
    blocked: ['T5 ask the bank'],
    conflicts: ['cart.js: develop, validate, taken from develop'],
    summary: '/p/.workflow/.loop/loop-b-x.progress/summary.md',
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      '  review   2 tasks are open',
      '  tasks    3 done, 2 open, 1 of them blocked',
      '  open     T4 write the docs',
      '           T5 ask the bank',
      '  conflict cart.js: develop, validate, taken from develop',
      '  commit   ready for a pull request; apply and commit it with',
      result.suggestion?.command,
      '  summary  /p/.workflow/.loop/loop-b-x.progress/summary.md',
    ]),
  )
  expect(endLines({ ...result, commits: [] }, null)).not.toContain(result.suggestion?.command)
})

test('failing tests that only the record names are counted', () => {
  expect(endLines({ ...RESULT, failures: [], failuresTotal: 3 }, null)).toContain(
    '  failing  3 tests, named in the record',
  )
})

test('iterations without a usable analysis are named', () => {
  const history = [
    entry(1, 50, 'kept', { analysis: 'degraded' }),
    entry(2, 60, 'kept', { analysis: 'normal' }),
    entry(3, 60, 'no_change', { analysis: 'degraded' }),
  ]
  expect(endLines({ ...RESULT, history }, null)).toContain(
    '  analysis degraded in iterations 1, 3: no agent returned a usable analysis',
  )
})

test('written tests are offered even if no fix followed', () => {
  const best = { commit: 'c', iteration: 0, passRate: 100 }
  const shown = (rest: Partial<RunResult>): string =>
    endLines({ ...RESULT, iterations: 0, best, ...rest }, null).join('\n')
  expect(shown({ confirmed: true })).toContain('  apply    ratchet apply ')
  expect(shown({})).not.toContain('ratchet apply')
})

test('without a commit there is nothing to apply, and it is not offered', () => {
  expect(endLines({ ...RESULT, commits: [] }, null).join('\n')).not.toContain('ratchet apply')
})

test.each(
  // prettier-ignore
  [
  { why: 'a refusal, with its own words', ended: { kind: 'failed', type: 'WorkspaceNotIsolated', message: 'm (w). Next: n', details: { message: 'm', where: 'w', next: 'n' } }, exitCode: 2, problem: { type: 'WorkspaceNotIsolated', message: 'm', where: 'w', next: 'n' } },
  { why: 'bad input, without details', ended: { kind: 'failed', type: 'BadInput', message: 'project: must be an absolute path' }, exitCode: 2, problem: { type: 'BadInput', message: 'project: must be an absolute path', where: 'ID', next: 'correct it, then start again with: ratchet fix' } },
  { why: 'a cancel', ended: { kind: 'canceled', message: 'Workflow execution cancelled' }, exitCode: 1, problem: { type: 'canceled', message: 'the run was canceled', where: 'ID', next: 'start again with: ratchet fix' } },
  { why: 'a termination', ended: { kind: 'terminated', message: 'x' }, exitCode: 1, problem: { type: 'terminated', message: 'the run was terminated', where: 'ID', next: 'continue with: ratchet resume ID' } },
  { why: 'any other failure', ended: { kind: 'failed', type: 'Odd', message: 'it broke' }, exitCode: 1, problem: { type: 'Odd', message: 'it broke', where: 'ID', next: 'start again with: ratchet fix' } },
] as const,
)('a run without a result: $why is exit $exitCode', ({ ended, exitCode, problem }) => {
  expect(endedError('ID', ended)).toMatchObject({ exitCode, problem })
})

test('a cycle that was refused is started again as a cycle', () => {
  expect(
    endedError('ID', { kind: 'failed', type: 'BadInput', message: 'm' }, 'dev-cycle').problem.next,
  ).toBe('correct it, then start again with: ratchet cycle "<task>"')
})

const grpc = (code: number): Error => Object.assign(new Error('x'), { code })
test.each(
  // prettier-ignore
  [
  { why: 'a refusal', error: new RefusalError('NoCommit', 'm', 'w', 'n'), exitCode: 2, type: 'NoCommit' },
  { why: 'a server that is away', error: grpc(14), exitCode: 3, type: 'NoServer' },
  { why: 'a server that is too slow', error: new Error('outer', { cause: grpc(4) }), exitCode: 3, type: 'NoServer' },
  { why: 'a server that refuses', error: grpc(16), exitCode: 3, type: 'NoServer' },
  { why: 'no server program', error: Object.assign(new Error('m'), { name: 'NoTemporalBinary', where: 'w', next: 'n' }), exitCode: 3, type: 'NoTemporalBinary' },
  { why: 'a local process that does not start', error: Object.assign(new Error('m'), { name: 'LocalStartFailed', where: 'w', next: 'n' }), exitCode: 3, type: 'LocalStartFailed' },
  { why: 'an answer that the run refuses', error: Object.assign(new Error('x', { cause: new Error('"y" is not an option') }), { name: 'WorkflowUpdateFailedError' }), exitCode: 2, type: 'BadInput' },
  { why: 'Ctrl-C', error: new CommandError(130, { type: 'Interrupted', message: 'm', where: 'w', next: 'n' }), exitCode: 130, type: 'Interrupted' },
  { why: 'a file that cannot be written', error: Object.assign(new Error('x'), { code: 'EACCES', syscall: 'open', path: '/p' }), exitCode: 1, type: 'NotWritable' },
  { why: 'a bug', error: new TypeError('x is not a function'), exitCode: 1, type: 'InternalError' },
],
)('$why is exit $exitCode', ({ error, exitCode, type }) => {
  expect(describeError(error)).toMatchObject({ exitCode, problem: { type } })
})

test.each(
  // prettier-ignore
  [
  { code: 'ENOSPC', message: 'cannot write (ENOSPC): the disk is full', next: 'free some space, then try again' },
  { code: 'EROFS', message: 'cannot write (EROFS): the file system is read-only', next: 'make it writable, then try again' },
  { code: 'EACCES', message: 'cannot write (EACCES): writing is not permitted', next: 'make the directory and what is in it writable, then try again' },
],
)('NotWritable of $code says what is in the way and where', ({ code, message, next }) => {
  expect(
    describeError(Object.assign(new Error('x'), { code, syscall: 'open', path: '/state/file' }))
      .problem,
  ).toEqual({ type: 'NotWritable', message, where: '/state/file', next })
})

test('a problem is three lines, a long "where" wraps below itself', () => {
  expect(
    problemLines({
      type: 'T',
      message: 'no server',
      where: 'one: not there\ntwo: refused',
      next: 'install Go',
    }),
  ).toEqual([
    'error: no server',
    '  where  one: not there',
    '         two: refused',
    '  next   install Go',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'a mistyped session', wanted: 'WFS-test-shpo', ids: ['WFS-test-login.aaaaaa', 'WFS-test-shop.bbbbbb', 'cycle-v1-20261120T120000-abcdefgh'], first: 'WFS-test-shop.bbbbbb' },
  { why: 'a mistyped key', wanted: 'WFS-test-shop.bbbbbc', ids: ['WFS-test-shop.aaaaaa', 'WFS-test-shop.bbbbbb'], first: 'WFS-test-shop.bbbbbb' },
],
)('the nearest id of $why comes first', ({ wanted, ids, first }) =>
  expect(nearest(wanted, ids)[0]).toBe(first),
)

test('at most five ids are offered', () =>
  expect(nearest('a', ['b', 'c', 'd', 'e', 'f', 'g'])).toEqual(['b', 'c', 'd', 'e', 'f']))

test.each(
  // prettier-ignore
  [
  { dir: '/home/u/shop', names: ['WFS-test-shop', 'WFS-test-shop-2', 'WFS-test-shop-3'] },
  { dir: '/home/u/My Shop_2.0', names: ['WFS-test-my-shop-2-0', 'WFS-test-my-shop-2-0-2'] },
  { dir: '/home/u/ÄÖ', names: ['WFS-test-project'] },
  { dir: '/', names: ['WFS-test-project'] },
  { dir: `/${'a'.repeat(40)}-b`, names: [`WFS-test-${'a'.repeat(40)}`, `WFS-test-${'a'.repeat(39)}-2`] },
],
)('sessions of $dir are named after it', ({ dir, names }) => {
  const offered = sessionNames(dir)
  const first = names.map(() => String(offered.next().value))
  expect(first).toEqual(names)
  for (const name of first) expect(sessionProblem(name)).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'fewer are reported than failed', failures: 1, total: 60, more: '           and 59 more, all in the record' },
  { why: 'more are reported than shown', failures: 50, total: 50, more: '           and 40 more, all in the record' },
  { why: 'all are shown', failures: 2, total: 2, more: undefined },
],
)('failures that are not shown are counted by their total: $why', ({ failures, total, more }) => {
  const [failure] = RESULT.failures
  const lines = endLines(
    {
      ...RESULT,
      failures: Array.from({ length: failures }, () => failure as RunResult['failures'][number]),
      failuresTotal: total,
    },
    null,
  )
  expect(lines.find((line) => line.includes(' more, '))).toBe(more)
})

test('a reason that is plain is not shown', () => {
  expect(endLines({ ...RESULT, reason: null }, null).join('\n')).not.toContain('reason')
})
