import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOOP_ACTIONS, type LoopAction } from '../../../../../src/contract/dev-loop/loop-input.js'
import {
  QUESTIONS_KEPT,
  TASKS_KEPT,
  WORKER_ITEM_CHARS,
  WORKER_ITEMS,
  WorkerReading,
} from '../../../../../src/contract/dev-loop/action-reading.js'
import {
  DETAIL_BYTES,
  detailedOutput,
  readWorker,
} from '../../../../../src/core/dev-loop/answers/action-block.js'
import { workerForm } from '../../../../../src/core/dev-loop/prompts/action-form.js'
import { cpuMs } from '../../../../support/cpu.js'

type Reading = ReturnType<typeof readWorker>
const answer = (action: LoopAction, lines: readonly string[], after = ''): string =>
  `Done.\n\n\`\`\`\nWORKER_RESULT:\n- action: ${action}\n${lines.map((line) => `- ${line}\n`).join('')}\`\`\`\n${after}`
const details = (value: unknown): string =>
  `\nDETAILED_OUTPUT:\nIn words.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`
const read = (lines: readonly string[], after = '', action: LoopAction = 'develop'): Reading =>
  readWorker(answer(action, lines, after), action)
const ASKS = '\nCLARIFICATION_NEEDED:\nQ1: Which store? | Options: [A, B] | Recommended: [A]\n'

test('parseWorkerResult: the block of the source is read whole', () => {
  expect(
    read([
      'status: success',
      'summary: Login in two steps',
      'files_changed: ["src/a.ts"]',
      'next_suggestion: validate',
      'loop_back_to: null',
    ]),
  ).toEqual({
    action: 'develop',
    status: 'success',
    reported: 'success',
    summary: 'Login in two steps',
    filesClaimed: ['src/a.ts'],
    next: 'validate',
    questions: [],
  })
})

const PLAIN = [
  'WORKER_RESULT:',
  '- action: develop',
  '- status: success',
  '- summary: all of it',
  '- files_changed: [a.ts]',
  '- loop_back_to: debug',
]
const AS_JSON =
  '{"action":"develop","status":"success","summary":"all of it","files_changed":["a.ts"],"next_suggestion":null,"loop_back_to":"debug"}'
test.each(
  // prettier-ignore
  [
  { why: 'as the source has it', text: PLAIN.join('\n') },
  { why: 'CRLF', text: PLAIN.join('\r\n') },
  { why: 'stars as bullets', text: PLAIN.join('\n').replace(/^-/gm, '*') },
  { why: 'no bullets, details right behind it', text: `${PLAIN.join('\n').replace(/^- /gm, '')}\nDETAILED_OUTPUT:\nstatus: failed` },
  { why: 'bold keys', text: PLAIN.join('\n').replace(/^- (\w+):/gm, '- **$1**:') },
  { why: 'details right behind it', text: `${PLAIN.join('\n')}\nDETAILED_OUTPUT: none` },
  { why: 'details as a bullet', text: `${PLAIN.join('\n')}\n- DETAILED_OUTPUT: all is well` },
  { why: 'a list without its end, then details', text: `${PLAIN.join('\n').replace('[a.ts]', 'a.ts').replace('- loop_back_to: debug', '')}- loop_back_to: debug\n- blockers: [\nDETAILED_OUTPUT:\nx` },
  { why: 'in one fence with its details', text: `\`\`\`\n${PLAIN.join('\n')}\n\nDETAILED_OUTPUT:\nx\n\`\`\`` },
  { why: 'without an action', text: PLAIN.join('\n').replace('- action: develop\n', '') },
  { why: 'with an unknown action', text: PLAIN.join('\n').replace('action: develop', 'action: coding') },
  { why: 'between signs', text: PLAIN.join('\n').replace('WORKER_RESULT:', '=== WORKER_RESULT ===') },
  { why: 'in tags', text: `${PLAIN.join('\n').replace('WORKER_RESULT:', '<WORKER_RESULT>')}\n</WORKER_RESULT>` },
  { why: 'its name in words', text: PLAIN.join('\n').replace('WORKER_RESULT:', '## Worker Result') },
  { why: 'JSON below its name', text: `WORKER_RESULT:\n\`\`\`json\n${AS_JSON}\n\`\`\`` },
  { why: 'JSON behind its name', text: `WORKER_RESULT: ${AS_JSON}` },
  { why: 'JSON under its name', text: `\`\`\`json\n{"WORKER_RESULT": ${AS_JSON}}\n\`\`\`` },
  { why: 'by its role', text: PLAIN.join('\n').replace('action: develop', 'action: loop-develop') },
],
)('block: $why is read', ({ text }) => {
  expect(readWorker(text, 'develop')).toMatchObject({
    status: 'success',
    summary: 'all of it',
    filesClaimed: ['a.ts'],
    loopBack: { to: 'debug', said: 'debug' },
  })
})

test.each([
  { said: 'success', status: 'success' },
  { said: '✅ Success', status: 'success' },
  { said: 'COMPLETED', status: 'success' },
  { said: '**done**', status: 'success' },
  { said: 'success (3 files)', status: 'success' },
  { said: 'finished', status: 'success' },
  { said: 'fixed', status: 'success' },
  { said: 'Resolved', status: 'success' },
  { said: 'no changes needed', status: 'success' },
  { said: 'nothing to do', status: 'success' },
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
  { said: 'skipped', status: 'partial' },
  { said: 'incomplete', status: 'partial' },
  { said: 'inconclusive', status: 'partial' },
  { said: 'in_progress', status: 'partial' },
  { said: 'in progress', status: 'partial' },
  { said: 'completed with issues', status: 'partial' },
  { said: 'failed', status: 'failed' },
  { said: 'error', status: 'failed' },
  { said: 'needs_fix', status: 'failed' },
  { said: 'needs fix (2 tests)', status: 'failed' },
  { said: 'needs_input', status: 'needs_input' },
  { said: 'needs_more_info', status: 'needs_input' },
  { said: 'Needs more info', status: 'needs_input' },
  { said: 'blocked-on-input', status: 'needs_input' },
  { said: 'green', status: 'unknown' },
  { said: 'not done', status: 'unknown' },
  { said: 'unsuccessful', status: 'unknown' },
  { said: '42', status: 'unknown' },
  { said: 'none', status: 'unknown' },
])('statuses: "$said" is $status', ({ said, status }) =>
  expect(read([`status: ${said}`]).status).toBe(status),
)

test('a note of a validate without a grade is asked about', () => {
  const lines = ['WORKER_RESULT:', '- action: validate', '- status: success']
  const problem = (finding: string) =>
    readWorker([...lines, `- findings: ["${finding}"]`].join('\n'), 'validate').problem
  expect(problem('Note: orders are lost')).toContain('has no severity')
  expect(problem('Note: docs could be longer')).toBeUndefined()
})

test('statuses: one that takes something back is asked again, and quoted', () => {
  expect(read(['status: complete except FR-003', 'summary: a'])).toMatchObject({
    status: 'partial',
    summary: expect.stringContaining('status "complete except FR-003"; ') as string,
    problem: expect.stringContaining('can be read as success and as partial') as string,
  })
  expect(read(['status: completed with issues'])).not.toHaveProperty('problem')
})

test('statuses: an unknown one is asked again', () => {
  expect(read(['status: erfolgreich'])).toMatchObject({
    status: 'unknown',
    problem: expect.stringContaining('the status "erfolgreich" is none of') as string,
  })
})

test('statuses: blocked is a failure that says so, and the raw word is kept', () => {
  expect(read(['status: blocked: no key'])).toMatchObject({
    status: 'failed',
    blocked: true,
    reported: 'blocked: no key',
  })
  expect(read(['status: failed']).blocked).toBeUndefined()
  expect(read(['status: green']).reported).toBe('green')
})

test.each(
  // prettier-ignore
  [
  { why: 'a blocker', lines: ['status: success', 'blockers: [no key]'], after: '', status: 'partial' },
  { why: 'a blocker in the details', lines: ['status: success'], after: details({ blockers: [{ issue: 'no key' }] }), status: 'partial' },
  { why: 'a blocked task', lines: ['status: success'], after: details({ tasks_completed: ['T1'], blocked_tasks: ['T2'] }), status: 'partial' },
  { why: 'a remaining task that is blocked', lines: ['status: success'], after: details({ pending_tasks: [{ id: 'T2', status: 'blocked' }] }), status: 'partial' },
  { why: 'prose about blockers is none', lines: ['status: success'], after: '\nDETAILED_OUTPUT:\n## Blockers\n\nNothing stood in the way.\n', status: 'success' },
  { why: 'no blocker', lines: ['status: success', 'blockers: none'], after: details({ blocked_tasks: [] }), status: 'success' },
  { why: 'a failure stays one', lines: ['status: failed', 'blockers: [no key]'], after: '', status: 'failed' },
],
)('a success with a blocker is at most partial: $why', ({ lines, after, status }) =>
  expect(read(lines, after).status).toBe(status),
)

test.each(
  // prettier-ignore
  [
  { why: 'unquoted, as in the template', line: 'files_changed: [src/a.ts, src/b.ts]', files: ['src/a.ts', 'src/b.ts'] },
  { why: 'JSON', line: 'files_changed: ["src/a.ts", "src/b.ts"]', files: ['src/a.ts', 'src/b.ts'] },
  { why: 'over several lines', line: 'files_changed: [\n    "src/a.ts",\n    "src/b.ts"\n  ]', files: ['src/a.ts', 'src/b.ts'] },
  { why: 'bullets below the key', line: 'files_changed:\n  - `src/a.ts`\n  - src/b.ts', files: ['src/a.ts', 'src/b.ts'] },
  { why: 'brackets in a path', line: 'files_changed: [app/[id]/page.tsx]', files: ['app/[id]/page.tsx'] },
  { why: 'none', line: 'files_changed: []', files: [] },
  { why: 'the sample', line: 'files_changed: [list]', files: [] },
  { why: 'a count', line: 'files_changed: 3 files', files: [] },
],
)('files_changed, $why', ({ line, files }) =>
  expect(read(['status: success', line]).filesClaimed).toEqual(files),
)

test.each([
  'null',
  'NULL',
  'none',
  '',
  '""',
  '"null"',
  "'none'",
  'n/a',
  '-',
  '—',
  '~',
  '[]',
  'None.',
  'none (all tests pass)',
  'null (tests pass)',
  'no',
  'not needed',
  'No loop back needed',
  'develop | null',
  '<action, or null>',
])('loop_back_to "%s" is none', (said) =>
  expect(read(['status: success', `loop_back_to: ${said}`]).loopBack).toBeUndefined(),
)

test.each([
  ...LOOP_ACTIONS.map((action) => ({ why: 'any action', said: action, to: action })),
  { why: 'a condition behind it', said: 'develop (if tests fail)', to: 'develop' },
  { why: 'quoted', said: '"debug"', to: 'debug' },
  { why: 'in capitals', said: 'VALIDATE', to: 'validate' },
  { why: 'in words', said: 'back to the debug phase', to: 'debug' },
  { why: 'a forward target', said: 'completion', to: 'complete' },
  { why: 'an unknown target', said: 'rethink', to: 'develop' },
  { why: 'no word at all', said: '42', to: 'develop' },
])('loop_back_to "$said" is $to, $why', ({ said, to }) =>
  expect(read(['status: failed', `loop_back_to: ${said}`]).loopBack).toEqual({
    to,
    said: said.replace(/"/g, ''),
  }),
)

test.each([
  { said: 'validate', next: 'validate' },
  { said: 'Run **all** tests', next: 'Run **all** tests' },
  { said: 'none', next: null },
  { said: 'null', next: null },
  { said: '', next: null },
  { said: 'develop | debug', next: null },
])('next_suggestion "$said" is $next', ({ said, next }) =>
  expect(read(['status: success', `next_suggestion: ${said}`]).next).toBe(next),
)

describe('no valid block', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'nothing', text: '', says: 'there is no WORKER_RESULT block' },
    { why: 'prose', text: 'All is well, status: success', says: 'there is no WORKER_RESULT block' },
    { why: 'only the sample', text: answer('debug', ['status: success | failed | needs_input', 'files_changed: [list]']), says: 'has no status' },
    { why: 'no status', text: answer('debug', ['summary: all of it']), says: 'has no status' },
    { why: "another worker's block", text: answer('develop', ['status: success']), says: 'is that of "develop", not of "debug"' },
    { why: "another worker's block behind the own sample", text: `${answer('debug', ['status: success | failed'])}\n${answer('develop', ['status: success'])}`, says: 'has no status' },
  ],
  )('$why is a problem, with the form', ({ text, says }) => {
    expect(readWorker(text, 'debug')).toMatchObject({
      status: 'unknown',
      reported: '',
      questions: [],
      problem: expect.stringContaining(says) as string,
      form: workerForm('debug'),
    })
  })
})

test.each(
  // prettier-ignore
  [
  { why: "behind another's", text: `${answer('develop', ['status: failed'])}\n${answer('debug', ['status: success'])}` },
  { why: "before another's", text: `${answer('debug', ['status: success'])}\n${answer('develop', ['status: failed'])}` },
  { why: 'behind a draft', text: `${answer('debug', ['status: failed'])}\n${answer('debug', ['status: success'])}` },
  { why: 'before an echoed sample', text: `${answer('debug', ['status: success'])}\n${answer('debug', ['status: success | failed'])}` },
],
)('the last valid block of the own action counts, $why', ({ text }) =>
  expect(readWorker(text, 'debug').status).toBe('success'),
)

describe('questions next to a block', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'no block at all', text: `I have to ask.${ASKS}`, status: 'needs_input', asked: 1 },
    { why: 'only the sample of a block', text: `${answer('develop', ['status: success | failed'])}${ASKS}`, status: 'needs_input', asked: 1 },
    { why: "another worker's block", text: `${answer('debug', ['status: success'])}${ASKS}`, status: 'needs_input', asked: 1 },
    { why: 'needs_input', text: answer('develop', ['status: needs_input'], ASKS), status: 'needs_input', asked: 1 },
    { why: 'questions before the block', text: `${ASKS}\n${answer('develop', ['status: needs_more_info'])}`, status: 'needs_input', asked: 1 },
    { why: 'partial and asking', text: answer('develop', ['status: partial'], ASKS), status: 'needs_input', asked: 1 },
    { why: 'blocked and asking', text: answer('develop', ['status: blocked'], ASKS), status: 'needs_input', asked: 1 },
    { why: 'success: what it quotes is no question', text: answer('develop', ['status: success'], ASKS), status: 'success', asked: 0 },
    { why: 'success with a blocker', text: answer('develop', ['status: success', 'blockers: [x]'], ASKS), status: 'partial', asked: 0 },
  ],
  )('$why', ({ text, status, asked }) => {
    const reading = readWorker(text, 'develop')
    expect([reading.status, reading.questions.length, reading.problem, reading.blocked]).toEqual([
      status,
      asked,
      undefined,
      undefined,
    ])
  })

  test('needs_input without a question is a problem, and the form shows how to ask', () => {
    const reading = read(['status: needs_input', 'summary: Which store?'])
    expect(reading).toMatchObject({
      status: 'needs_input',
      problem: 'it asks for input but names no question',
      questions: [],
    })
    expect(reading.form).toContain('CLARIFICATION_NEEDED:')
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'behind the block', text: answer('develop', ['status: success'], '\nDETAILED_OUTPUT:\nA\nB\n'), detailed: 'A\nB' },
  { why: 'on the line of its name', text: answer('develop', ['status: success'], '\n**DETAILED_OUTPUT:** A\nB\n'), detailed: 'A\nB' },
  { why: 'in one fence with the block', text: '```\nWORKER_RESULT:\n- status: success\n\nDETAILED_OUTPUT:\nA\n```', detailed: 'A' },
  { why: 'a fence of its own is kept', text: answer('develop', ['status: success'], '\nDETAILED_OUTPUT:\n```json\n{}\n```\n'), detailed: '```json\n{}\n```' },
  { why: 'no bullets in the block', text: 'WORKER_RESULT:\nstatus: success\nDETAILED_OUTPUT:\nresult: A', detailed: 'result: A' },
  { why: 'without the name, what follows the block', text: answer('develop', ['status: success'], '\nA\n'), detailed: 'A' },
  { why: 'before the block', text: `DETAILED_OUTPUT:\nA\n\n${'WORKER_RESULT:\n- status: success'}`, detailed: 'A' },
  { why: 'without a block', text: 'DETAILED_OUTPUT:\nold\n\nDETAILED_OUTPUT:\nA', detailed: 'A' },
  { why: 'nothing behind the block', text: answer('develop', ['status: success']), detailed: '' },
  { why: 'nothing at all', text: 'I am done.', detailed: '' },
  { why: 'CRLF and colours', text: 'WORKER_RESULT:\r\n- status: success\r\n\r\nDETAILED_OUTPUT:\r\n\u001b[31mA\u001b[0m\r\nB\u0007', detailed: 'A\nB' },
],
)('detailed_output, $why', ({ text, detailed }) => expect(detailedOutput(text)).toBe(detailed))

test('detailed_output of one action, and its bound', () => {
  const text = (['develop', 'debug'] as const)
    .map(
      (action) =>
        `WORKER_RESULT:\n- action: ${action}\n- status: success\n\nDETAILED_OUTPUT:\n${action === 'debug' ? 'B' : 'A'}\n`,
    )
    .join('\n')
  expect([
    detailedOutput(text, 'develop'),
    detailedOutput(text, 'debug'),
    detailedOutput(text),
  ]).toEqual(['A', 'B', 'B'])
  expect(
    Buffer.byteLength(detailedOutput(`DETAILED_OUTPUT:\n${'ü'.repeat(100_000)}`)),
  ).toBeLessThanOrEqual(DETAIL_BYTES)
})

const listed = (reading: Reading): string[][] => [
  reading.filesClaimed,
  reading.findings ?? [],
  reading.recommendations ?? [],
]
function expectBounded(reading: Reading): void {
  expect(WorkerReading.safeParse({ kind: 'worker', ...reading }).error).toBeUndefined()
  for (const list of listed(reading)) {
    expect(list.length).toBeLessThanOrEqual(WORKER_ITEMS)
    for (const one of list)
      expect(one.length <= WORKER_ITEM_CHARS && !/[\r\n\u0000]/.test(one)).toBe(true)
  }
  expect((reading.tasks ?? []).length).toBeLessThanOrEqual(TASKS_KEPT)
  expect(reading.questions.length).toBeLessThanOrEqual(QUESTIONS_KEPT)
  expect(new Set(reading.questions.map(({ id }) => id)).size).toBe(reading.questions.length)
  expect(reading.suggestion?.message.length ?? 0).toBeLessThanOrEqual(2_000)
  expect(JSON.stringify({ ...reading, form: '' }).length).toBeLessThan(40_000)
}

test('everything is bounded, one line each', () => {
  const many = Array.from({ length: 30 }, (_, i) => `${i}\nx `.repeat(200))
  const questions = many
    .map(
      (one, i) =>
        `Q${i + 1}: ${one.replaceAll('\n', ' ')}? | Options: [${many.map((_, n) => `option ${n}`).join(', ')}]\n`,
    )
    .join('')
  for (const action of LOOP_ACTIONS) {
    const extras = {
      tasks: many.map((description) => ({
        id: 'T1',
        description,
        priority: 'high',
        files: many.slice(0, 9),
      })),
      tasks_completed: many.map((_, i) => `T${i}`),
      findings: many,
      failures: many,
      root_cause: many[0],
      commit_suggestion: { message: many.join('\n'), branch_strategy: many[0] },
      recommendations: many,
      blockers: many,
    }
    for (const status of ['success', 'partial', 'needs_input', many.join(' ')])
      expectBounded(
        read(
          [
            `status: ${status}`,
            `summary: ${many.join(' ').replaceAll('\n', ' ')}`,
            `files_changed: ${JSON.stringify(many)}`,
          ],
          `${details(extras)}\nCLARIFICATION_NEEDED:\n${questions}`,
          action,
        ),
      )
  }
})

test('any text is read, within the bounds', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'WORKER_RESULT:\n',
      '- status: success\n',
      '- status: needs_input\n',
      '- action: debug\n',
      'DETAILED_OUTPUT:',
      'CLARIFICATION_NEEDED:\n',
      'Q1: a? | Options: [A, B] | Recommended: B\n',
      '- Q1: b?\n',
      'TASK_BREAKDOWN:\n',
      '- T1 [high]: a\n',
      'T2: b | files: [c]\n',
      'FAILURES:\n',
      '- ',
      '```\n',
      '```json\n',
      '{"tasks":[',
      '{"id":"T1"}',
      ']}',
      '\r\n',
      '|',
      '[',
      ']',
      ':',
      'ROOT_CAUSE_ANALYSIS:\n',
      'COMMIT_SUGGESTION:\n',
      '- message: a\n',
      '\u2028',
      '\ud800',
    ),
    fc.json(),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.constantFrom(...LOOP_ACTIONS),
      (text, action) => {
        expectBounded(readWorker(text, action))
        expect(Buffer.byteLength(detailedOutput(text))).toBeLessThanOrEqual(DETAIL_BYTES)
      },
    ),
  )
})

test('any JSON in the details is read', () => {
  const key = fc.constantFrom(
    'tasks',
    'TASK_BREAKDOWN',
    'tasks_completed',
    'pending_tasks',
    'findings',
    'hypotheses',
    'root_cause',
    'ROOT_CAUSE_ANALYSIS',
    'tests',
    'TEST_RESULTS',
    'summary',
    'coverage',
    'failures',
    'commit_suggestion',
    'recommendations',
    'blockers',
    'files_changed',
  )
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.jsonValue()),
      fc.constantFrom(...LOOP_ACTIONS),
      (value, action) => expectBounded(read(['status: success'], details(value), action)),
    ),
  )
})

test('an answer that is made to be slow or deep is read in no time', () => {
  const deep = `{"findings":[${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}]}`
  const slow = [
    'WORKER_RESULT:\n'.repeat(10_000),
    'CLARIFICATION_NEEDED:\n'.repeat(10_000),
    `CLARIFICATION_NEEDED:\nQ1: a${' |'.repeat(200_000)}x`,
    `CLARIFICATION_NEEDED:\n${'Q1: a\n'.repeat(20_000)}`,
    `WORKER_RESULT:\n- status: success\n\nDETAILED_OUTPUT:\n${'```\n'.repeat(20_000)}`,
    `WORKER_RESULT:\n- status: success\n\nDETAILED_OUTPUT:\nFAILURES:\n${'  - a\n'.repeat(20_000)}`,
    `WORKER_RESULT:\n- status: success\n\nDETAILED_OUTPUT:\n${'T1: a\n'.repeat(20_000)}`,
    `WORKER_RESULT:\n- status: success\n\nDETAILED_OUTPUT:\n${' '.repeat(300_000)}x${'A_'.repeat(100_000)}`,
    answer(
      'init',
      ['status: success'],
      `\nDETAILED_OUTPUT:\n\n\`\`\`json\n${JSON.stringify({ tasks: Array.from({ length: 50_000 }, (_, n) => ({ id: `T${n}`, description: `${n}` })) })}\n\`\`\`\n`,
    ),
    answer('debug', ['status: success'], `\nDETAILED_OUTPUT:\n\n\`\`\`json\n${deep}\n\`\`\`\n`),
  ]
  const cost = cpuMs(() => {
    for (const text of slow)
      for (const action of LOOP_ACTIONS) expectBounded(readWorker(text, action))
  })
  expect(cost).toBeLessThan(8_000)
}, 120_000)

test.each([
  { why: 'another action', text: '{"WORKER_RESULT":{"action":"validate","status":"success"}}' },
  { why: 'no status', text: 'WORKER_RESULT: {"action":"develop"}' },
  { why: 'the sample', text: 'WORKER_RESULT: {"action":"develop","status":"success | failed"}' },
  { why: 'JSON about something else', text: 'I called the service: {"status":"success"}' },
])('JSON is no block of this worker: $why', ({ text }) =>
  expect(readWorker(text, 'develop')).toMatchObject({
    status: 'unknown',
    problem: expect.any(String) as unknown,
  }),
)

test('fields of a JSON block are read like details', () => {
  expect(
    readWorker(
      '{"WORKER_RESULT":{"action":"init","status":"success","tasks":[{"id":"T1","description":"Add the login"}]}}',
      'init',
    ).tasks,
  ).toMatchObject([{ id: 'T1', description: 'Add the login' }])
  expect(
    readWorker(
      '{"WORKER_RESULT":{"action":"develop","status":"success"},"DETAILED_OUTPUT":{"tasks_completed":["T1","T2"]}}',
      'develop',
    ).tasksCompleted,
  ).toEqual(['T1', 'T2'])
})

test.each(
  // prettier-ignore
  [
  { why: 'a finding that begins with "nothing"', line: '- findings: No issues found except that the date is off by one', asks: true },
  { why: 'a blocker of that kind', line: '- blockers: None except the key that is missing', asks: true },
  { why: 'a plain finding', line: '- findings: [the date is off by one]', asks: false },
  { why: 'nothing', line: '- findings: [No issues found.]', asks: false },
],
)(
  'one prompt asks for the answer again where it can be read in two ways: $why',
  ({ line, asks }) => {
    const read = readWorker(
      `WORKER_RESULT:\n- action: validate\n- status: success\n- summary: x\n${line}`,
      'validate',
    )
    expect(
      read.problem === undefined
        ? false
        : /can be read as a finding and as none/.test(read.problem),
    ).toBe(asks)
  },
)
