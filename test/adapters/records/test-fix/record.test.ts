import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { notePending } from '../../../../src/adapters/records/test-fix/iteration-state.js'
import { recordDir } from '../../../../src/adapters/records/test-fix/session-paths.js'
import { writeTestFixRecord } from '../../../../src/adapters/records/test-fix/test-fix-record.js'
import { faultPoints } from '../../../../src/adapters/failpoint.js'
import { refTo } from '../../../../src/adapters/files/file-ref.js'
import type { TestFixState } from '../../../../src/contract/test-fix/test-fix-state.js'
import {
  FailuresFile,
  FixHistory,
  IterationState,
  SessionFile,
  TestResultsFile,
  WrittenFile,
} from '../../../../src/core/records/record-schemas.js'
import { AT, filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import {
  fixTaskFile,
  iteration,
  measuredRun,
  NAME,
  PENDING,
  recordInput,
  sessionFiles,
  stateAfterOne,
  stored,
  TEST_FIX,
} from '../../../support/records.js'

const OPTIONS = { offset: '+08:00' }

type Bench = {
  project: string
  dir: string
  tests: string
  state: TestFixState
  text: (name: string) => string
  json: (name: string) => Record<string, unknown>
}

function bench(rest: Partial<TestFixState> = {}): Bench {
  const [project, tests] = [tempDir(), path.join(tempDir(), 'tests')]
  sessionFiles(project)
  const dir = recordDir(project, NAME)
  const text = (name: string) => readFileSync(path.join(dir, name), 'utf8')
  return {
    project,
    dir,
    tests,
    state: stateAfterOne(project, tests, rest),
    text,
    json: (name) => JSON.parse(text(name)) as Record<string, unknown>,
  }
}

test('the tree of an open session after an iteration', async () => {
  const { dir, state } = bench()
  expect(await writeTestFixRecord(recordInput(state), OPTIONS)).toEqual([])
  expect(Object.keys(filesOf(dir)).sort()).toEqual([
    '.process/.written.json',
    '.process/fix-history.json',
    '.process/iteration-1-failures.json',
    '.process/iteration-state.json',
    '.process/results/baseline.json',
    '.process/results/last-full.json',
    '.process/results/last-run.json',
    '.process/test-output.log',
    '.process/test-results.json',
    '.summaries/IMPL-fix-1-summary.md',
    '.summaries/iteration-summaries/iteration-0.md',
    '.summaries/iteration-summaries/iteration-1.md',
    '.summaries/task-summary.md',
    '.task/IMPL-002.json',
    '.task/IMPL-fix-1.json',
    'IMPL_PLAN.md',
    'TODO_LIST.md',
    'workflow-session.json',
  ])
})

test('field by field, with what a resumed run needs', async () => {
  const { json, state, dir } = bench({ pending: PENDING })
  writeFiles(dir, {
    '.process/iteration-state.json': JSON.stringify({
      iterations: [
        {
          iteration: 0,
          test_results: { total: 10, passed: 7, failed: 3, failures: ['a', 'b', 'c'] },
        },
      ],
    }),
  })
  await writeTestFixRecord(recordInput(state), OPTIONS)
  const { state: carried, ...rest } = json('.process/iteration-state.json')
  expect(carried).toEqual(state)
  expect(rest).toEqual({
    schema: 2,
    session_id: NAME,
    current_task: 'IMPL-fix-2',
    current_iteration: 2,
    next_action: 'execute_fix_task',
    max_iterations: 5,
    started_at: '2026-11-20T20:00:00+08:00',
    status: 'active',
    iterations: [
      {
        iteration: 0,
        started_at: null,
        completed_at: null,
        test_results: { total: 10, passed: 7, failed: 3, failures: ['a', 'b', 'c'] },
        analysis_file: null,
        fix_task: null,
        strategy: null,
        result: 'baseline',
      },
      {
        iteration: 1,
        started_at: '2026-11-20T20:01:00+08:00',
        completed_at: '2026-11-20T20:01:30+08:00',
        test_results: {
          total: 10,
          passed: 9,
          failed: 1,
          failures: ['test/unit/cart.test.js > cart 3'],
        },
        analysis_file: '.process/iteration-1-analysis.md',
        fix_task: 'IMPL-fix-1',
        strategy: 'conservative',
        result: 'partial_success',
        compared: { new_failures: 0 },
        analysis_quality: 'normal',
      },
    ],
  })
})

test('test-results.json has layers, lines and the source of each criticality', async () => {
  const { json, state } = bench()
  await writeTestFixRecord(recordInput(state), {
    ...OPTIONS,
    rules: [{ match: 'cart 3', level: 'low' }],
  })
  expect(json('.process/test-results.json')).toEqual({
    schema: 1,
    commit: '1'.repeat(40),
    total: 10,
    passed: 9,
    failed: 1,
    skipped: 0,
    flaky: [],
    pass_rate: 90,
    layer_distribution: { unit: { total: 10, passed: 9, failed: 1 } },
    failures: [
      {
        test: 'cart 3',
        file: 'test/unit/cart.test.js',
        error: 'expected 2 to be 3\n    at test/unit/cart.test.js:14:5',
        line: 14,
        criticality: 'low',
        source: 'config',
        streak: 2,
        test_type: 'unit',
      },
    ],
  })
})

test('a suite that did not start is never 0 %', async () => {
  const { json, state } = bench()
  state.lastRun = {
    kind: 'not_started',
    commit: 'x',
    reason: 'SyntaxError in a.test.js',
    tail: '',
    durationMs: 1,
  }
  await writeTestFixRecord(recordInput(state), OPTIONS)
  expect(json('.process/test-results.json')).toMatchObject({
    total: 0,
    pass_rate: null,
    suite_started: false,
    reason: 'SyntaxError in a.test.js',
    failures: [],
  })
})

test('fix-history.json has each attempt with its files and its result', async () => {
  const { json, state } = bench()
  state.history.push(
    iteration(2, {
      passRate: 50,
      passed: 5,
      total: 10,
      result: 'rolled_back',
      note: 'rolled back: the pass rate fell',
      analysis: 'degraded',
    }),
    iteration(3, { passRate: 90, passed: 9, total: 10, result: 'no_change', commit: null }),
  )
  await writeTestFixRecord(recordInput(state), OPTIONS)
  expect(json('.process/fix-history.json')['entries']).toMatchObject([
    {
      iteration: 1,
      task: 'IMPL-fix-1',
      strategy: 'conservative',
      modification_points: ['src/cart.js:total:10-14'],
      root_causes: ['The last item is left out'],
      affected_tests: ['test/unit/cart.test.js'],
      confidence: 0.8,
      commit: '1'.repeat(40),
      failures: [
        { file: 'test/unit/cart.test.js', test: 'cart 1', error: 'expected 0 to be 1' },
        { file: 'test/unit/cart.test.js', test: 'cart 3', error: 'expected 2 to be 3' },
      ],
      pass_rate_before: 70,
      pass_rate_after: 90,
      result: 'kept',
      reason: null,
      analysis: '.process/iteration-1-analysis.md',
    },
    {
      iteration: 2,
      pass_rate_before: 90,
      pass_rate_after: 50,
      result: 'rolled_back',
      reason: 'rolled back: the pass rate fell',
      modification_points: [],
    },
    { iteration: 3, pass_rate_before: 90, pass_rate_after: 90, result: 'no_change', commit: null },
  ])
})

test('an attempt stays in fix-history.json when the file of its task is gone', async () => {
  const { json, state, dir } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  writeFiles(dir, { '.task/IMPL-fix-1.json': null })
  await writeTestFixRecord(recordInput({ ...state, iteration: 2 }), OPTIONS)
  expect(json('.process/fix-history.json')['entries']).toMatchObject([
    { modification_points: ['src/cart.js:total:10-14'], confidence: 0.8 },
  ])
})

test('the status of a task and its history change, and nothing else', async () => {
  const { json, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  await writeTestFixRecord(
    recordInput({ ...state, queue: [{ ...TEST_FIX, status: 'blocked' }] }, { outcome: 'failed' }),
    OPTIONS,
  )
  const changed_at = '2026-11-20T20:10:00+08:00'
  expect(json('.task/IMPL-002.json')).toEqual({
    id: 'IMPL-002',
    title: 'Test and fix shop',
    status: 'blocked',
    custom: { keep: 'me' },
    meta: { type: 'test-fix', agent: '@test-fix-agent' },
    context: { depends_on: [] },
    status_history: [
      { from: 'pending', to: 'in_progress', changed_at },
      { from: 'in_progress', to: 'blocked', changed_at },
    ],
  })
  expect(json('.task/IMPL-fix-1.json')).toMatchObject({
    status: 'completed',
    meta: { iteration: 1 },
    status_history: [{ from: 'pending', to: 'completed', changed_at }],
  })
})

test('each cause of a turn has a status of its own in its task', async () => {
  const { dir, json, state } = bench()
  const tasks = ['IMPL-fix-1.1', 'IMPL-fix-1.2']
  for (const id of tasks)
    writeFiles(dir, { [`.task/${id}.json`]: JSON.stringify({ id, status: 'pending' }) })
  const [first, done, ...rest] = state.history
  const parts = [
    { task: 'IMPL-fix-1.1', commit: 'c1', result: 'kept' as const },
    { task: 'IMPL-fix-1.2', commit: 'c2', result: 'rolled_back' as const },
  ]
  const history = [first, { ...done, parts }, ...rest] as typeof state.history
  const warnings = await writeTestFixRecord(recordInput({ ...state, history }), OPTIONS)
  expect(warnings).toEqual([])
  expect(tasks.map((id) => json(`.task/${id}.json`)['status'])).toEqual([
    'completed',
    'rolled_back',
  ])
  expect(json('.process/iteration-state.json')['iterations']).toMatchObject([{}, { parts }])
})

test('keeps the word of another tool for the same status', async () => {
  const { text, state, dir } = bench({ queue: [{ ...TEST_FIX, status: 'completed' }] })
  const task = '{ "status": "Done" }'
  writeFiles(dir, { '.task/IMPL-002.json': task })
  await writeTestFixRecord(recordInput(state), OPTIONS)
  expect(text('.task/IMPL-002.json')).toBe(task)
})

test('a partial success is completed, marked for review, and names the approved failures', async () => {
  const { json, text, dir, tests, state } = bench({
    queue: [{ ...TEST_FIX, status: 'completed' }],
    review: ['IMPL-001.5: coverage is 60 %'],
  })
  state.lastRun = measuredRun(tests, 'final', [
    ...Array.from({ length: 99 }, (_, n) => stored(`t${n}`, n === 0 ? { status: 'flaky' } : {})),
    stored('slow', { error: 'timeout', criticality: 'low', source: 'assess' }),
  ])
  const claims = JSON.stringify({
    schema: 1,
    claims: [
      {
        test: 'slow',
        level: 'low',
        source: 'assess',
        agent: 'codex',
        iteration: 1,
        fingerprint: 'f1',
      },
    ],
  })
  writeFiles(tests, { 'claims.json': claims })
  state.claims = refTo(path.join(tests, 'claims.json'), claims)
  state.history[1] = iteration(1, { passRate: 99, passed: 99, total: 100, analysis: 'degraded' })
  state.best = { commit: 'best', iteration: 1, run: state.lastRun, size: 1 }
  state.confirmation = { commit: 'best', reason: 'no canary can be written into a.rb' }
  state.usage = { ...state.usage, cachedTokens: 60 }
  await writeTestFixRecord(
    recordInput(state, { outcome: 'partial_success', reason: '1 failing test of low criticality' }),
    OPTIONS,
  )
  expect(json('workflow-session.json')).toMatchObject({
    status: 'completed',
    outcome: 'partial_success',
    completed_at: '2026-11-20T20:10:00+08:00',
    review_needed: true,
    review_notes: [
      '1 failing test was approved as of low criticality: test/unit/cart.test.js > slow (by assess)',
      'passed only on re-run: test/unit/cart.test.js > t0',
      'the analysis of iteration 1 was degraded: no agent gave one that could be used',
      'IMPL-001.5: coverage is 60 %',
    ],
  })
  const summary = text('.summaries/session-summary.md')
  for (const line of [
    '# WFS-test-login: partial success',
    '> **Review needed**',
    '- **Pass rate**: 70% -> 99% (+29 points)',
    '- **Iterations**: 1 of 5 (1 kept)',
    '(low): timeout',
    '- **Canaries**: results not confirmed: no canary can be written into a.rb',
    ' tokens in (60 cached), ',
  ])
    expect(summary).toContain(line)
  expect(existsSync(path.join(dir, '.summaries/failure-report.md'))).toBe(false)
  expect(json('.process/iteration-state.json')).toMatchObject({
    status: 'completed',
    current_task: null,
    next_action: 'none',
  })
})

test('every iteration stays, and the report has final rate, failures, history, analysis quality and recommendations', async () => {
  const { json, text, dir, state } = bench({
    queue: [{ ...TEST_FIX, status: 'blocked' }],
    progress: true,
  })
  await writeTestFixRecord(
    recordInput(state, { outcome: 'failed', reason: '90 % (9 of 10) after 1 of 1 iterations' }),
    OPTIONS,
  )
  const report = text('.summaries/failure-report.md')
  for (const line of [
    '- **Final pass rate**: 90% after 1 iteration',
    '- **CLI analysis quality**: normal',
    '| high (default) |',
    '| 1 | 90% | kept | conservative | normal |  |',
    '- IMPL-fix-1: 70% -> 90%, kept, commit `1111111111`',
    '  - Causes: The last item is left out',
    'The last iteration repaired or moved a test: allow more iterations with `ratchet fix --resume-session WFS-test-login --max-iterations 6`',
  ])
    expect(report).toContain(line)
  expect(json('.task/IMPL-002.json')).toMatchObject({ status: 'blocked' })
  for (const kept of [
    '.process/fix-history.json',
    '.process/iteration-1-failures.json',
    '.summaries/iteration-summaries/iteration-1.md',
    '.task/IMPL-fix-1.json',
  ])
    expect(existsSync(path.join(dir, kept)), kept).toBe(true)
  expect(json('workflow-session.json')).toMatchObject({
    status: 'failed',
    failure_reason: '90 % (9 of 10) after 1 of 1 iterations',
  })
  expect(json('.process/iteration-state.json')).toMatchObject({
    status: 'failed',
    current_task: 'IMPL-002',
    next_action: 'analyze',
  })
  // The session is resumed: its earlier end is history.
  await writeTestFixRecord(recordInput({ ...state, queue: [TEST_FIX] }), OPTIONS)
  expect(json('workflow-session.json')).toMatchObject({
    status: 'running',
    resumed_at: '2026-11-20T20:10:00+08:00',
  })
  expect(json('workflow-session.json')).not.toHaveProperty('failure_reason')
  expect(existsSync(path.join(dir, '.summaries/failure-report.md'))).toBe(false)
  expect(text('.summaries/failure-report-1.md')).toBe(report)
})

test('every JSON file of a record matches its schema', async () => {
  const { json, state } = bench({ pending: PENDING })
  await writeTestFixRecord(recordInput(state, { outcome: 'blocked', reason: 'no agent' }), OPTIONS)
  for (const [name, schema] of [
    ['workflow-session.json', SessionFile],
    ['.process/iteration-state.json', IterationState],
    ['.process/test-results.json', TestResultsFile],
    ['.process/fix-history.json', FixHistory],
    ['.process/iteration-1-failures.json', FailuresFile],
    ['.process/.written.json', WrittenFile],
  ] as const)
    expect({ name, problem: schema.safeParse(json(name)).error?.message }).toEqual({
      name,
      problem: undefined,
    })
})

test('the same input gives the same files, without warnings', async () => {
  const { dir, state } = bench()
  const written = async () => {
    const warnings = await writeTestFixRecord(recordInput(state), OPTIONS)
    // What was there before is noted too, until the next write.
    return { warnings, files: { ...filesOf(dir), '.process/.written.json': '' } }
  }
  const first = await written()
  expect(await written()).toEqual({ ...first, warnings: [] })
})

test.each(
  // prettier-ignore
  [
  { name: 'workflow-session.json', edit: (text: string) => text.replace('"running"', '"paused"'), warning: /^workflow-session\.json was edited by hand .*; a run is not paused by a file: ratchet pause WFS-test-login$/ },
  { name: '.process/iteration-state.json', edit: (text: string) => text.replace('"current_iteration": 1', '"current_iteration": 0'), warning: /^\.process\/iteration-state\.json was edited by hand/ },
  { name: '.process/iteration-state.json', edit: () => '{', warning: /^\.process\/iteration-state\.json was edited by hand/ },
  { name: 'TODO_LIST.md', edit: (text: string) => text.replace('[~]', '[x]'), warning: /^TODO_LIST\.md was edited by hand and has been rewritten; the edited text is kept next to it$/ },
  { name: '.task/IMPL-002.json', edit: (text: string) => text.replace('"in_progress",\n', '"completed",\n'), warning: /^\.task\/IMPL-002\.json was edited by hand/ },
],
)('a hand edit of $name is reported, undone, and kept', async ({ name, edit, warning }) => {
  const { dir, text, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  const [written, edited] = [text(name), edit(text(name))]
  expect(edited).not.toBe(written)
  writeFiles(dir, { [name]: edited })
  expect(await writeTestFixRecord(recordInput(state), OPTIONS)).toEqual([
    expect.stringMatching(warning),
  ])
  if (name.startsWith('.task'))
    expect(JSON.parse(text(name))).toMatchObject({ status: 'in_progress', custom: { keep: 'me' } })
  else expect(text(name)).toBe(written)
  expect(text(`${name}.edited-1`)).toBe(edited)
  expect(await writeTestFixRecord(recordInput(state), OPTIONS)).toEqual([])
})

test('a hand edit of a task outside of its status is kept without a warning', async () => {
  const { dir, text, json, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  writeFiles(dir, { '.task/IMPL-002.json': text('.task/IMPL-002.json').replace('"me"', '"this"') })
  expect(
    await writeTestFixRecord(
      recordInput({ ...state, queue: [{ ...TEST_FIX, status: 'completed' }] }),
      OPTIONS,
    ),
  ).toEqual([])
  expect(json('.task/IMPL-002.json')).toMatchObject({
    status: 'completed',
    custom: { keep: 'this' },
  })
})

test('a fix task rewritten by an analysis is no hand edit', async () => {
  const { dir, state } = bench({ pending: { ...PENDING, commit: null } })
  writeFiles(dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
  await writeTestFixRecord(recordInput(state), OPTIONS)
  writeFiles(dir, { '.task/IMPL-fix-2.json': fixTaskFile(2, { title: 'Another try' }) })
  expect(await writeTestFixRecord(recordInput(state), OPTIONS)).toEqual([])
})

test('files of another tool are kept once before they are replaced, its fields in the session file stay', async () => {
  const { dir, json, text, state } = bench()
  const session =
    '{ "session_id": "WFS-test-login", "type": "test", "project": "user login", "status": "planning", "created_at": "2025-10-17T10:00:00Z", "source_session_id": "WFS-login" }'
  writeFiles(dir, {
    'workflow-session.json': session,
    'TODO_LIST.md': '- [ ] mine\n',
    '.process/fix-history.json': '[]',
  })
  await writeTestFixRecord(recordInput(state), OPTIONS)
  await writeTestFixRecord(recordInput({ ...state, pending: PENDING }), OPTIONS)
  expect(text('TODO_LIST.md.before-ratchet')).toBe('- [ ] mine\n')
  expect(text('workflow-session.json.before-ratchet')).toBe(session)
  expect(text('.process/fix-history.json.before-ratchet')).toBe('[]')
  expect(json('workflow-session.json')).toMatchObject({
    source_session_id: 'WFS-login',
    description: 'user login',
    project: state.prepared.workspace.project,
    created_at: '2025-10-17T10:00:00Z',
    workflow_type: 'test_session',
  })
})

test.each(['notes', 'file'])(
  "killed at record:%s of the first record, another tool's files do not count as edited by hand",
  async (point) => {
    const { dir, text, state } = bench()
    const list = '- [ ] mine\n'
    writeFiles(dir, {
      'workflow-session.json': '{ "session_id": "WFS-test-login", "status": "planning" }',
      'TODO_LIST.md': list,
      '.process/fix-history.json': '[]',
    })
    const points = tempDir()
    writeFiles(points, { [`record-${point}`]: '' })
    const die = (): never => {
      throw new Error('killed')
    }
    await expect(
      faultPoints.run({ directory: points, die }, () =>
        writeTestFixRecord(recordInput(state), OPTIONS),
      ),
    ).rejects.toThrow('killed')
    expect(await writeTestFixRecord(recordInput(state), OPTIONS)).toEqual([])
    expect(text('TODO_LIST.md.before-ratchet')).toBe(list)
    expect(Object.keys(filesOf(dir)).filter((name) => name.includes('.edited'))).toEqual([])
  },
)

test('a file of another tool that only a later record replaces is kept too, in any form', async () => {
  const { dir, text, state } = bench()
  const last = state.history.at(-1)?.iteration ?? 0
  const theirs = {
    'workflow-session.json': '{ "session_id": "WFS-test-login", "status": "active" }',
    '.process/test-results.json': '{ "total": 10, "passed": 7 }',
    [`.process/iteration-${last}-failures.json`]: '{ "failures": ["logout"] }',
  }
  writeFiles(dir, theirs)
  const { lastRun: _lastRun, ...unmeasured } = state
  await writeTestFixRecord(recordInput(unmeasured), OPTIONS)
  await writeTestFixRecord(recordInput(state), OPTIONS)
  await writeTestFixRecord(recordInput(state), OPTIONS)
  for (const [name, content] of Object.entries(theirs))
    expect(text(`${name}.before-ratchet`), name).toBe(content)
})

test('a record whose notes are lost is still of Ratchet: none of its files counts as one of another tool', async () => {
  const { dir, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  writeFiles(dir, { '.process/.written.json': null })
  expect(
    await writeTestFixRecord(
      recordInput({ ...state, iteration: state.iteration }, { outcome: 'failed' }),
      OPTIONS,
    ),
  ).toEqual([])
  expect(Object.keys(filesOf(dir)).filter((name) => /edited|before-ratchet/.test(name))).toEqual([])
})

test('TodoWrite Update Rules 2 and 3: an iteration that has begun is noted between two records, and is no hand edit', async () => {
  const { dir, json, text, state } = bench()
  writeFiles(dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
  await writeTestFixRecord(recordInput(state), OPTIONS)
  await notePending(dir, PENDING, AT, '+08:00')
  expect(json('.process/iteration-state.json')).toMatchObject({
    current_task: 'IMPL-fix-2',
    current_iteration: 2,
    next_action: 'execute_fix_task',
    state: { pending: PENDING },
  })
  expect(text('TODO_LIST.md')).toContain(
    'kept (90 %)\n  - [~] → Iteration 2: IMPL-fix-2, surgical: Check for an empty cart\n',
  )
  expect(json('.task/IMPL-fix-2.json')).toMatchObject({
    status: 'in_progress',
    status_history: [
      { from: 'pending', to: 'in_progress', changed_at: '2026-11-20T20:00:00+08:00' },
    ],
    context: { fix_strategy: { confidence_score: 0.8 } },
  })
  await notePending(dir, { ...PENDING, commit: 'abc' }, AT, '+08:00')
  await notePending(dir, PENDING, AT, '+08:00') // a late repetition of the first
  expect(json('.process/iteration-state.json')).toMatchObject({
    current_task: 'IMPL-002-retest-2',
    current_iteration: 2,
    next_action: 'retest',
    state: { pending: { commit: 'abc' } },
  })
  expect(text('TODO_LIST.md')).toContain('Check for an empty cart, waits for its retest\n')
  const noted = filesOf(dir)
  expect(
    await writeTestFixRecord(
      recordInput({ ...state, pending: { ...PENDING, commit: 'abc' } }),
      OPTIONS,
    ),
  ).toEqual([])
  for (const name of ['TODO_LIST.md', '.task/IMPL-fix-2.json', '.task/IMPL-002.json'])
    expect(text(name), name).toBe(noted[name])
})

test('a list of tasks that was edited by hand is not overwritten by a note, and the next record reports it', async () => {
  const { dir, text, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  writeFiles(dir, { 'TODO_LIST.md': '- [x] mine\n' })
  await notePending(dir, PENDING, AT, '+08:00')
  expect(text('TODO_LIST.md')).toBe('- [x] mine\n')
  expect(await writeTestFixRecord(recordInput({ ...state, pending: PENDING }), OPTIONS)).toEqual([
    expect.stringMatching(/^TODO_LIST\.md was edited by hand/),
  ])
  expect(text('TODO_LIST.md.edited-1')).toBe('- [x] mine\n')
})

/** A state after iteration 2, with its run and its result. */
function afterTwo(
  { state, tests }: Bench,
  result: 'kept' | 'rolled_back' | 'no_change',
  failing: string[],
): TestFixState {
  const run = measuredRun(
    tests,
    'second',
    Array.from({ length: 10 }, (_, n) =>
      stored(
        `cart ${n + 1}`,
        failing.includes(`cart ${n + 1}`)
          ? { error: 'worse', streak: 1, criticality: 'high', source: 'regression' }
          : {},
      ),
    ),
    { commit: '2'.repeat(40) },
  )
  const counted =
    result === 'no_change'
      ? { passRate: 90, passed: 9, total: 10 }
      : { passRate: 100 - 10 * failing.length, passed: 10 - failing.length, total: 10 }
  return {
    ...state,
    iteration: 2,
    history: [
      ...state.history,
      iteration(2, {
        ...counted,
        result,
        ...(result === 'rolled_back' ? { note: 'rolled back: the pass rate fell' } : {}),
      }),
    ],
    ...(result === 'no_change' ? {} : { lastFull: run.results }),
    ...(result === 'kept' ? { lastRun: run } : {}),
  }
}
const CART_3 = {
  test: 'cart 3',
  file: 'test/unit/cart.test.js',
  error: 'expected 2 to be 3\n    at test/unit/cart.test.js:14:5',
  line: 14,
  criticality: 'high',
  source: 'default',
  streak: 2,
  test_type: 'unit',
}
const worse = (test: string) => ({
  test,
  file: 'test/unit/cart.test.js',
  error: 'worse',
  criticality: 'high',
  source: 'regression',
  streak: 1,
  test_type: 'unit',
})
const UNDONE = {
  task: 'IMPL-fix-2',
  pass_rate_before: 90,
  rollback_reason: 'rolled back: the pass rate fell',
  pass_rate: 80,
  total_failures: 2,
  failures: [worse('cart 1'), worse('cart 2')],
}

test.each(
  // prettier-ignore
  [
  { result: 'kept', failing: ['cart 1', 'cart 2'], file: { pass_rate: 80, total_failures: 2, failures: [{ test: 'cart 1' }, { test: 'cart 2' }] }, undone: undefined },
  { result: 'rolled_back', failing: ['cart 1', 'cart 2'], file: { pass_rate: 90, total_failures: 1, failures: [CART_3] }, undone: UNDONE },
  { result: 'no_change', failing: [], file: { pass_rate: 90, total_failures: 1, failures: [CART_3] }, undone: undefined },
] as const,
)(
  'after $result the file has the current failures, and the undone run',
  async ({ result, failing, file, undone }) => {
    const one = bench()
    writeFiles(one.dir, { '.process/iteration-2-failures.json': '{"older":true}' })
    await writeTestFixRecord(recordInput(afterTwo(one, result, [...failing])), OPTIONS)
    const written = one.json('.process/iteration-2-failures.json')
    expect(written).toMatchObject({ schema: 1, iteration: 2, ...file })
    expect(written['rolled_back_run']).toEqual(undone)
  },
)

test('the last iteration of a session has its file too, and a final run renews it', async () => {
  const one = bench()
  const state = afterTwo(one, 'rolled_back', ['cart 1', 'cart 2'])
  await writeTestFixRecord(recordInput(state, { outcome: 'failed' }), OPTIONS)
  const final = measuredRun(
    one.tests,
    'final',
    Array.from({ length: 10 }, (_, n) => stored(`cart ${n + 1}`, n > 7 ? { error: 'late' } : {})),
    { commit: '1'.repeat(40) },
  )
  await writeTestFixRecord(
    recordInput({ ...state, lastRun: final, lastFull: final.results }, { outcome: 'failed' }),
    OPTIONS,
  )
  expect(one.json('.process/iteration-2-failures.json')).toMatchObject({
    pass_rate: 80,
    failures: [{ test: 'cart 9' }, { test: 'cart 10' }],
    rolled_back_run: UNDONE,
  })
  // Without its results there are fewer details than in the file.
  const before = one.text('.process/iteration-2-failures.json')
  writeFiles(path.dirname(one.tests), { tests: null })
  await writeTestFixRecord(
    recordInput({ ...state, lastRun: final, lastFull: final.results }, { outcome: 'failed' }),
    OPTIONS,
  )
  expect(one.text('.process/iteration-2-failures.json')).toBe(before)
})

test('a fix after which the suite does not start leaves no measured run', async () => {
  const one = bench()
  const state = {
    ...one.state,
    iteration: 2,
    history: [
      ...one.state.history,
      iteration(2, {
        passRate: null,
        result: 'rolled_back',
        note: 'rolled back: it does not start',
      }),
    ],
  }
  await writeTestFixRecord(recordInput(state), OPTIONS)
  expect(one.json('.process/iteration-2-failures.json')).toMatchObject({
    pass_rate: 90,
    failures: [CART_3],
    rolled_back_run: {
      pass_rate: null,
      total_failures: 0,
      suite_started: false,
      reason: 'rolled back: it does not start',
      failures: [],
    },
  })
})

test('the summary of an iteration keeps the changes of its run', async () => {
  const one = bench()
  const { lastRun } = one.state
  if (lastRun?.kind !== 'measured' || lastRun.comparison === undefined)
    throw new Error('it was compared')
  Object.assign(lastRun.comparison, { broken: 2, affected: { passed: 3, total: 4 } })
  await writeTestFixRecord(recordInput(one.state), OPTIONS)
  const lines =
    '- **New failures**: 2, passed before this fix\n- **Affected tests, run first**: 3 of 4 passed\n'
  expect(one.text('.summaries/iteration-summaries/iteration-1.md')).toContain(lines)
  expect(one.text('.summaries/iteration-summaries/iteration-0.md')).not.toContain('New failures')
  await writeTestFixRecord(recordInput(afterTwo(one, 'kept', ['cart 1'])), OPTIONS)
  expect(one.text('.summaries/iteration-summaries/iteration-1.md')).toContain(lines)
  expect(one.text('.summaries/iteration-summaries/iteration-2.md')).toContain(
    '- **New failures**: none\n',
  )
})

test('a note of a finished iteration, or for a damaged or missing file, changes nothing', async () => {
  const { dir, text, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  const before = text('.process/iteration-state.json')
  await notePending(dir, { ...PENDING, iteration: 1 }, AT, '+08:00')
  expect(text('.process/iteration-state.json')).toBe(before)
  writeFiles(dir, { '.process/iteration-state.json': '{' })
  await notePending(dir, PENDING, AT, '+08:00')
  expect(text('.process/iteration-state.json')).toBe('{')
})

test('an error about a file in place of a directory names the file and the way out', async () => {
  const { dir, state } = bench()
  writeFiles(dir, { '.summaries': 'mine' })
  await expect(writeTestFixRecord(recordInput(state), OPTIONS)).rejects.toMatchObject({
    name: 'RecordUnwritable',
    message: expect.stringMatching(
      /^cannot write .*\.summaries.* \(E(EXIST|NOTDIR)\): a file is in the place of a directory; move it away, and the run continues by itself$/,
    ) as string,
  })
})

test('1,000 failing tests are written completely, and bounded lists name some of them', async () => {
  const { json, tests, dir, state } = bench()
  state.lastRun = measuredRun(
    tests,
    'many',
    Array.from({ length: 1_000 }, (_, n) => stored(`t${n}`, { error: 'x'.repeat(500) })),
  )
  state.lastFull = state.lastRun.results
  state.history[1] = iteration(1, { passRate: 0, passed: 0, total: 1_000 })
  await writeTestFixRecord(recordInput(state, { outcome: 'failed' }), OPTIONS)
  expect(json('.process/test-results.json')['failures']).toHaveLength(1_000)
  expect(json('.process/iteration-state.json')).toMatchObject({
    iterations: [{}, { test_results: { failed: 1_000, failures: { length: 50 } } }],
  })
  expect(statSync(path.join(dir, '.summaries/failure-report.md')).size).toBeLessThan(40_000)
})

test('missing results leave the failures of the state, and the copies', async () => {
  const { json, dir, tests, state } = bench()
  await writeTestFixRecord(recordInput(state), OPTIONS)
  writeFiles(path.dirname(tests), { tests: null })
  await writeTestFixRecord(recordInput(state, { outcome: 'stopped' }), OPTIONS)
  expect(json('.process/test-results.json')).toMatchObject({ failures: [{ test: 'cart 3' }] })
  expect(existsSync(path.join(dir, '.process/results/last-run.json'))).toBe(true)
  expect(existsSync(path.join(dir, '.summaries/failure-report.md'))).toBe(false)
})
