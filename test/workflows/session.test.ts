// The queue of a session, the decisions of an iteration, and resumed sessions, on a real Temporal
// server with a scripted host.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { TaskEntry } from '../../src/contract/test-fix/task.js'
import type { Measured, TestRun } from '../../src/contract/test-run.js'
import { NO_USAGE } from '../../src/core/run/run-usage.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { ANALYSIS, TEST_TASK, stubHost, type Script, type StubHost } from '../support/stub-host.js'
import { compared as comparisonOf, measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const whole = (host: StubHost, input?: unknown) =>
  runCycle(env, host, (run) => run.result(), input ?? { project: '/repo' })
const steps = (host: StubHost) =>
  host.turns.map((t) => `${t.role} ${t.task ?? '-'} ${t.turn} ${t.ask.about}`)
const checks = (host: StubHost, gate: string) =>
  host.turns
    .filter((t) => t.ask.about === 'gate' && t.ask.gate === gate)
    .map((t) => t.key.split('/').at(-1))
const tests = (host: StubHost) => host.tests.map((t) => t.step.split('/').slice(1).join('/'))

/** A run compared with earlier ones: all its failures of one level, and so many of them stuck. */
function compared(
  passed: number,
  total: number,
  {
    level = 'high',
    undecided = true,
    stuck = 0,
    fingerprint,
  }: {
    level?: 'high' | 'medium' | 'low'
    undecided?: boolean
    stuck?: number
    fingerprint?: string
  } = {},
): TestRun {
  const failed = total - passed
  const comparison = comparisonOf({
    levels: {
      high: 0,
      medium: 0,
      low: 0,
      undecided: undecided && level === 'high' ? failed : 0,
      [level]: failed,
    },
    stuck,
    stuckTests: stuck > 0 ? ['a.test.ts > test 1'] : [],
  })
  return measured(passed, total, {
    comparison,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  })
}
const GREEN = measured(20, 20)
const levels = (low: number, high = 0) => ({ high, medium: 0, low, undecided: 0 })
const claims = { path: '/state/claims.json', sha256: 'c', bytes: 1 }
/** Answers the assessment; every other turn succeeds. */
const assessed =
  (of: { low: number; high?: number }): NonNullable<Script['turn']> =>
  (t) =>
    t.turn === 'assess'
      ? { read: { kind: 'assessment', claims, levels: levels(of.low, of.high) } }
      : {}

describe('threshold decision', () => {
  test('95 % with failures assessed as low ends as partial success with the review flag, after a fix was tried', async () => {
    const host = stubHost({
      runs: [
        compared(18, 20, { fingerprint: 'a' }),
        compared(19, 20, { fingerprint: 'b' }),
        compared(19, 20, { level: 'low' }),
      ],
      turn: assessed({ low: 1 }),
    })
    const result = await whole(host)
    expect(result).toMatchObject({
      outcome: 'partial_success',
      reviewNeeded: true,
      passRate: 95,
      failuresTotal: 1,
      iterations: 1,
    })
    expect(result.reason).toContain('1 failing test of low criticality: a.test.ts > test 1')
    expect(steps(host)).toEqual([
      'cli-planning-agent - work diagnose',
      'test-fix-agent IMPL-fix-1 work fix-task',
      'test-fix-agent - assess assess',
    ])
    expect(host.tests[2]?.compare?.claims).toEqual(claims)
  })

  test('95 % with a failure assessed as high enters the fix loop', async () => {
    const host = stubHost({
      runs: [compared(19, 20, { fingerprint: 'a' }), compared(19, 20, { fingerprint: 'b' }), GREEN],
      turn: assessed({ low: 0, high: 1 }),
    })
    expect(await whole(host)).toMatchObject({ outcome: 'success', iterations: 2 })
    expect(steps(host)).toEqual([
      'cli-planning-agent - work diagnose',
      'test-fix-agent IMPL-fix-1 work fix-task',
      'test-fix-agent - assess assess',
      'cli-planning-agent - work diagnose',
      'test-fix-agent IMPL-fix-2 work fix-task',
    ])
  })

  test('the same set of failures is assessed once', async () => {
    const host = stubHost({
      runs: [compared(19, 20, { fingerprint: 'same' })],
      turn: assessed({ low: 0, high: 1 }),
    })
    await whole(host, { project: '/repo', maxIterations: 2 })
    expect(host.turns.filter((t) => t.turn === 'assess')).toHaveLength(1)
  })

  test('below 95 % no agent assesses the failures', async () => {
    const host = stubHost({ runs: [compared(18, 20), GREEN] })
    await whole(host)
    expect(host.turns.some((t) => t.turn === 'assess')).toBe(false)
  })

  test('95 % with a high failure at the end of the budget is a failure', async () => {
    const host = stubHost({ runs: [compared(19, 20)], turn: assessed({ low: 0, high: 1 }) })
    const result = await whole(host, { project: '/repo', maxIterations: 1 })
    expect(result).toMatchObject({ outcome: 'failed', passRate: 95 })
    expect(result.reason).toContain(
      '95 % (19 of 20) after 1 of 1 iterations, with 1 high and 0 medium failures left',
    )
  })

  test('an assessment that cannot be read is asked for once more; then the failures count as high', async () => {
    const host = stubHost({
      runs: [compared(19, 20, { fingerprint: 'a' }), compared(19, 20, { fingerprint: 'b' }), GREEN],
      turn: (t) =>
        t.turn === 'assess' || t.turn === 'retry'
          ? { read: { kind: 'unusable', problem: 'no JSON', form: '{}' } }
          : {},
    })
    const result = await whole(host)
    expect(steps(host).slice(2, 5)).toEqual([
      'test-fix-agent - assess assess',
      'test-fix-agent - retry retry',
      'cli-planning-agent - work diagnose',
    ])
    expect(result.outcome).toBe('success')
  })

  test('the same gate judges low failures that first appear in the final validation', async () => {
    const host = stubHost({ runs: [compared(18, 20), GREEN, compared(19, 20, { level: 'low' })] })
    expect(await whole(host)).toMatchObject({ outcome: 'partial_success', passRate: 95 })
  })
})

describe('strategies', () => {
  const strategies = (host: StubHost) =>
    host.turns.flatMap((t) => (t.ask.about === 'diagnose' ? [t.ask.strategy] : []))

  test('stuck: a stuck majority switches to reflective, and blocks where the next full run still has it', async () => {
    const runs = [
      compared(10, 20, { fingerprint: 'a' }),
      compared(10, 20, { fingerprint: 'b' }),
      compared(10, 20, { stuck: 6, fingerprint: 'c' }),
      compared(10, 20, { stuck: 6, fingerprint: 'd' }),
    ]
    const host = stubHost({ runs })
    const result = await whole(host)
    expect(strategies(host)).toEqual(['conservative', 'conservative', 'reflective'])
    expect(result).toMatchObject({ outcome: 'blocked', iterations: 3, passRate: 50 })
    expect(result.reason).toContain('reflective')
    expect(host.turns.find((t) => t.iteration === 3)?.ask).toMatchObject({
      stuckTests: ['a.test.ts > test 1'],
    })
  })

  test('continues when the reflective iteration resolves a stuck majority', async () => {
    const runs = [
      compared(10, 20, { fingerprint: 'a' }),
      compared(10, 20, { fingerprint: 'b' }),
      compared(10, 20, { stuck: 6, fingerprint: 'c' }),
      compared(16, 20, { fingerprint: 'd' }),
      GREEN,
    ]
    expect(await whole(stubHost({ runs }))).toMatchObject({ outcome: 'success', iterations: 4 })
  })

  test('a reflective fix without changes blocks the run', async () => {
    const runs = [
      compared(10, 20, { fingerprint: 'a' }),
      compared(10, 20, { fingerprint: 'b' }),
      compared(10, 20, { stuck: 6, fingerprint: 'c' }),
      GREEN,
    ]
    const host = stubHost({ runs, emptyFixes: [3] })
    expect(await whole(host)).toMatchObject({ outcome: 'blocked', iterations: 3 })
    expect(strategies(host)).toEqual(['conservative', 'conservative', 'reflective'])
  })

  test('a regression makes the next iteration surgical', async () => {
    const host = stubHost({
      runs: [compared(16, 20, { fingerprint: 'a' }), compared(8, 20, { fingerprint: 'b' }), GREEN],
    })
    const result = await whole(host)
    expect(strategies(host)).toEqual(['conservative', 'surgical'])
    expect(host.turns[2]?.ask).toMatchObject({
      analysisType: 'regression-analysis',
      rollbackReason:
        'IMPL-fix-1 was rolled back: 16 of 20 tests pass at the best state, 8 of them after the fix',
    })
    expect(result.history.map((h) => [h.task, h.strategy, h.result])).toEqual([
      [undefined, undefined, 'baseline'],
      ['IMPL-fix-1', 'conservative', 'rolled_back'],
      ['IMPL-fix-2', 'surgical', 'kept'],
    ])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a fix without changes', script: { runs: [compared(10, 20), GREEN], emptyFixes: [1] } },
    { why: 'the very same failures', script: { runs: [compared(10, 20, { fingerprint: 'same' }), compared(10, 20, { fingerprint: 'same' }), GREEN] } },
  ],
  )('$why switches the strategy at once and blocks nothing', async ({ script }) => {
    const host = stubHost(script)
    expect((await whole(host)).outcome).toBe('success')
    expect(strategies(host)[0]).toBe('conservative')
    expect(strategies(host)[1]).not.toBe('conservative')
  })

  test('a rolled-back fix is no dependency of the next one', async () => {
    const host = stubHost({
      runs: [
        compared(10, 20, { fingerprint: 'a' }),
        compared(12, 20, { fingerprint: 'b' }),
        compared(2, 20, { fingerprint: 'c' }),
        GREEN,
      ],
    })
    await whole(host)
    expect(
      host.turns.flatMap((t) => (t.read?.as === 'analysis' ? [t.read.dependsOn] : [])),
    ).toEqual([[], ['IMPL-fix-1'], ['IMPL-fix-1']])
  })
})

describe('analysis', () => {
  const unusable = { read: { kind: 'unusable' as const, problem: 'no fenced JSON', form: '{}' } }
  const chain = {
    agents: { 'cli-planning-agent': ['gemini', 'qwen'], 'test-fix-agent': ['fixer'] },
  }

  test('an unusable answer gets one retry prompt in its session', async () => {
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      turn: (t) =>
        t.role === 'cli-planning-agent' && t.turn === 'work'
          ? { ...unusable, sessionId: 'a-1' }
          : {},
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.turns[1]).toMatchObject({
      turn: 'retry',
      sessionId: 'a-1',
      ask: { problem: 'no fenced JSON' },
      read: { as: 'analysis' },
    })
  })

  test('an agent that needs a new session in a new session gets a new one for each later turn', async () => {
    const facts = { turns: 1, bytes: 100 }
    const host = stubHost({
      runs: [compared(10, 20), compared(12, 20), GREEN],
      prepared: { agents: { 'cli-planning-agent': ['a'], 'test-fix-agent': ['a'] } },
      turn: (t) => {
        const n = host.turns.length
        const last = { sessionId: `s${n}`, session: facts }
        return t.task === 'IMPL-fix-1' && t.turn === 'work'
          ? { ...last, session: { ...facts, needsNew: true }, outcome: 'timed_out' }
          : last
      },
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.turns.map((t) => [t.turn, t.sessionId])).toEqual([
      ['work', undefined],
      ['work', 's1'],
      ['converge', 's2'],
      ['work', undefined],
      ['work', undefined],
    ])
    const { history = [] } = host.records.at(-1)?.state ?? {}
    expect(
      history.flatMap(({ sessions }) =>
        sessions === undefined ? [] : [sessions.analysis?.use, sessions.fix?.use],
      ),
    ).toEqual(['first', 'needs_new', 'needs_new', 'needs_new'])
  })

  test('fallback: the next agent of the chain is asked', async () => {
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      prepared: chain,
      turn: (t) => (t.agent === 'gemini' ? unusable : {}),
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.turns.map((t) => `${t.agent} ${t.turn}`)).toEqual([
      'gemini work',
      'gemini retry',
      'qwen work',
      'fixer work',
    ])
  })

  test('after an answer that a retry cannot repair the next agent is asked at once', async () => {
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      prepared: chain,
      turn: (t) => (t.agent === 'gemini' ? { read: { ...unusable.read, form: '' } } : {}),
    })
    await whole(host)
    expect(host.turns.map((t) => `${t.agent} ${t.turn}`)).toEqual([
      'gemini work',
      'qwen work',
      'fixer work',
    ])
  })

  test('a weak analysis counts if no agent gives a better one', async () => {
    const weak = { read: { ...ANALYSIS, weak: 'the report has 20 words' } }
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      prepared: chain,
      turn: (t) =>
        t.agent === 'gemini'
          ? weak
          : t.agent === 'qwen'
            ? { outcome: 'failed', reason: 'HTTP 429' }
            : {},
    })
    const result = await whole(host)
    expect(host.turns.map((t) => t.agent)).toEqual(['gemini', 'qwen', 'fixer'])
    expect(result.history[1]).toMatchObject({
      analysis: 'normal',
      note: 'the report has 20 words, and no other agent gave a better analysis',
    })
  })

  test('the most confident of the weak analyses counts; refused ones are listed in the iteration', async () => {
    const refused = [
      {
        agent: 'gemini',
        reason: 'the confidence is 0.2, below 0.4',
        file: '.process/iteration-1-refused-1.md',
      },
    ]
    const weak = (confidence: number, summary: string) => ({
      read: {
        ...ANALYSIS,
        confidence,
        summary,
        weak: `the confidence is ${confidence}, below 0.4`,
        ...(summary === 'surer' ? { refused } : {}),
      },
    })
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      prepared: chain,
      turn: (t) =>
        t.agent === 'gemini' ? weak(0.2, 'unsure') : t.agent === 'qwen' ? weak(0.3, 'surer') : {},
    })
    const result = await whole(host)
    expect(host.turns.map((t) => t.agent)).toEqual(['gemini', 'qwen', 'fixer'])
    expect(host.turns[2]?.ask).toMatchObject({
      about: 'fix-task',
      pending: { summary: 'surer', refused },
    })
    expect(result.history[1]).toMatchObject({
      refused,
      note: 'the confidence is 0.3, below 0.4, and no other agent gave a better analysis; answers that were not used: .process/iteration-1-refused-1.md (gemini)',
    })
  })

  test('a refused answer is also listed if the next agent gives a good one, and in a degraded iteration', async () => {
    const refused = [
      { agent: 'gemini', reason: 'no fenced JSON', file: '.process/iteration-1-refused-1.md' },
    ]
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      prepared: chain,
      turn: (t) => (t.agent === 'gemini' ? { read: { ...unusable.read, form: '', refused } } : {}),
    })
    expect((await whole(host)).history[1]).toMatchObject({ analysis: 'normal', refused })
    const none = stubHost({
      runs: [compared(10, 20), GREEN],
      turn: (t) => (t.role === 'cli-planning-agent' ? { read: { ...unusable.read, refused } } : {}),
    })
    expect((await whole(none)).history[1]).toMatchObject({ analysis: 'degraded', refused })
  })

  test('degraded: accepted in iteration 1, with a plan from earlier fixes, and shown', async () => {
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      turn: (t) => (t.role === 'cli-planning-agent' ? unusable : {}),
    })
    const result = await whole(host)
    expect(host.degraded).toMatchObject([
      { iteration: 1, reason: 'planner: no fenced JSON', strategy: 'conservative' },
    ])
    expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
    expect(result.history[1]).toMatchObject({
      analysis: 'degraded',
      note: 'degraded analysis: planner: no fenced JSON',
    })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'accepted in iteration 2 after an improvement', second: compared(14, 20, { fingerprint: 'b' }), outcome: 'success', degraded: 2 },
    { why: 'the second in a row without progress blocks', second: compared(10, 20, { fingerprint: 'b' }), outcome: 'blocked', degraded: 1 },
  ],
  )('degraded: $why', async ({ second, outcome, degraded }) => {
    const host = stubHost({
      runs: [compared(10, 20), second, GREEN],
      turn: (t) => (t.role === 'cli-planning-agent' ? unusable : {}),
    })
    expect((await whole(host)).outcome).toBe(outcome)
    expect(host.degraded).toHaveLength(degraded)
  })

  test('on_error fail: an unreadable file of a task blocks the run without a retry', async () => {
    const host = stubHost({
      runs: [compared(10, 20)],
      turn: (t) =>
        t.ask.about === 'fix-task'
          ? { fail: 'IMPL-fix-1: load_fix_strategy cannot be read', failType: 'PreAnalysisFailed' }
          : {},
    })
    expect(await whole(host)).toMatchObject({
      outcome: 'blocked',
      reason: 'IMPL-fix-1: load_fix_strategy cannot be read',
    })
    expect(host.turns).toHaveLength(2)
    expect(host.settled).toEqual([])
  })

  test.each([
    { fix: 'without an effect', passed: 10, earlierCauses: ['c-1'] },
    { fix: 'that repaired a test', passed: 12, earlierCauses: [] },
  ])(
    'after a fix $fix, the next analysis gets the earlier causes $earlierCauses, and the claims on failures',
    async ({ passed, earlierCauses }) => {
      const host = stubHost({
        runs: [
          compared(10, 20, { fingerprint: 'a' }),
          compared(passed, 20, { fingerprint: passed === 10 ? 'a' : 'b' }),
          GREEN,
        ],
        turn: (t) =>
          t.read?.as === 'analysis' && t.iteration === 1
            ? { read: { ...ANALYSIS, cause: 'c-1', claims } }
            : {},
      })
      await whole(host)
      expect(host.turns[2]?.read).toMatchObject({ as: 'analysis', earlierCauses, claims })
      expect(host.tests[1]?.compare).toMatchObject({ claims })
    },
  )
})

describe('queue', () => {
  const task = (
    id: string,
    type: TaskEntry['type'],
    dependsOn: string[] = [],
    role: TaskEntry['role'] = 'code-developer',
  ): TaskEntry => ({
    id,
    title: id,
    type,
    role,
    status: 'pending',
    dependsOn,
    file: `${id}.json`,
    attempts: 0,
  })
  const agents = {
    'cli-planning-agent': ['planner'],
    'test-fix-agent': ['fixer'],
    'code-developer': ['developer'],
  }
  const GENERATED = [
    task('IMPL-001', 'test-gen'),
    task('IMPL-001.3', 'code-validation', ['IMPL-001'], 'test-fix-agent'),
    task('IMPL-001.5', 'test-quality-review', ['IMPL-001.3'], 'test-fix-agent'),
    { ...TEST_TASK, dependsOn: ['IMPL-001.5'] },
  ]

  test('tests are planned, written and checked before they are run', async () => {
    const host = stubHost({
      runs: [GREEN],
      prepared: { agents, tasks: GENERATED, unplanned: true },
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(steps(host)).toEqual([
      'cli-planning-agent IMPL-001 work plan-tests',
      'code-developer IMPL-001 work task',
      'test-fix-agent IMPL-001.3 work gate',
      'test-fix-agent IMPL-001.5 work gate',
    ])
    expect(host.commits).toMatchObject([{ writesTests: true, subject: 'IMPL-001: IMPL-001' }])
    expect(tests(host)).toEqual(['before-tests', 'test-IMPL-002', 'final-0'])
    expect(host.records.at(-1)?.state.queue?.map((t) => t.status)).toEqual([
      'completed',
      'completed',
      'completed',
      'completed',
    ])
  })

  test('the run after test generation sets the baseline and the best state, and nothing resets further back', async () => {
    const best = (commit: string) => ({
      commit,
      iteration: 1,
      size: 1,
      run: compared(19, 20) as Measured,
    })
    const baseline = { path: '/state/before.json', sha256: 'before', bytes: 1 }
    const founded = { path: '/state/founded.json', sha256: 'founded', bytes: 1 }
    const before = {
      startedAt: 1,
      iteration: 0,
      history: [],
      commits: [],
      usage: NO_USAGE,
      baseline,
      best: best('b'),
      start: best('s'),
      earlier: [best('e')],
    }
    const host = stubHost({
      runs: [{ ...compared(18, 20, { fingerprint: 'a' }), baseline: founded } as Measured, GREEN],
      prepared: {
        agents,
        tasks: [task('IMPL-001', 'test-gen'), { ...TEST_TASK, dependsOn: ['IMPL-001'] }],
        restored: before,
      },
    })
    await whole(host)
    expect(host.tests.map(({ founds, baseline: against }) => [founds, against?.sha256])).toEqual([
      [true, 'before'],
      [undefined, 'founded'],
      [undefined, 'founded'],
    ])
    const after = host.records.find(({ state }) => state.lastRun !== undefined)?.state
    expect(after).toMatchObject({ baseline: founded, best: { iteration: 0 } })
    expect([after?.start, after?.earlier]).toEqual([undefined, undefined])
  })

  test('gate 001.3: a soft failure gets at most two repairs, then blocks with its report', async () => {
    const soft = {
      kind: 'gate' as const,
      critical: 0,
      error: 9,
      warning: 0,
      lines: null,
      branches: null,
      functions: null,
      antiPatterns: 0,
      report: '9 type errors',
    }
    const host = stubHost({
      runs: [GREEN],
      prepared: { agents, tasks: GENERATED },
      turn: (t) => (t.ask.about === 'gate' ? { read: soft } : {}),
    })
    const result = await whole(host)
    expect(result.outcome).toBe('blocked')
    expect(result.reason).toContain('IMPL-001.3 (code-validation)')
    expect(
      host.turns
        .filter((t) => t.ask.about === 'task')
        .map((t) => (t.ask.about === 'task' ? t.ask.feedback : '')),
    ).toEqual([
      undefined,
      expect.stringContaining('9 type errors'),
      expect.stringContaining('9 type errors'),
    ])
    expect(tests(host)).toEqual(['before-tests'])
  })

  test.each([
    { gate: 'code-validation', outcome: 'blocked' },
    { gate: 'test-quality-review', outcome: 'success' },
  ])(
    'a $gate without a report is asked again without a repair -> $outcome',
    async ({ gate, outcome }) => {
      const host = stubHost({
        runs: [GREEN],
        prepared: { agents, tasks: GENERATED },
        turn: (t) =>
          t.ask.about === 'gate' && t.ask.gate === gate
            ? { read: { kind: 'unusable', problem: 'no JSON', form: '' } }
            : {},
      })
      const result = await whole(host)
      expect(result).toMatchObject({
        outcome,
        reason: expect.stringMatching(
          /IMPL-001\.[35] .*no agent gave a readable report, after 3 checks: fixer: no JSON/,
        ) as string,
      })
      expect(result.reviewNeeded).toBe(outcome === 'success')
      expect(host.turns.filter((t) => t.ask.about === 'task')).toHaveLength(1)
      expect(checks(host, gate)).toEqual(['check-1', 'check-2', 'check-3'])
    },
  )

  test('gate 001.5: unreported coverage passes with the review flag', async () => {
    const unknown = {
      kind: 'gate' as const,
      critical: 0,
      error: 0,
      warning: 0,
      lines: null,
      branches: null,
      functions: null,
      antiPatterns: 0,
      report: 'fine',
    }
    const host = stubHost({
      runs: [GREEN],
      prepared: { agents, tasks: GENERATED },
      turn: (t) => (t.ask.about === 'gate' ? { read: unknown } : {}),
    })
    expect(await whole(host)).toMatchObject({
      outcome: 'success',
      reviewNeeded: true,
      reason: expect.stringContaining(
        'IMPL-001.5 (test-quality-review): no coverage was reported',
      ) as string,
    })
    expect(host.turns.filter((t) => t.ask.about === 'gate')).toHaveLength(2)
  })

  test('gate 001.5: rewritten tests are validated again first', async () => {
    const thin = {
      kind: 'gate' as const,
      critical: 0,
      error: 0,
      warning: 0,
      lines: 40,
      branches: null,
      functions: null,
      antiPatterns: 0,
      report: 'thin',
    }
    const host = stubHost({
      runs: [GREEN],
      prepared: { agents, tasks: GENERATED },
      turn: (t) =>
        t.ask.about === 'gate' && t.ask.gate === 'test-quality-review' && t.ask.attempt === 1
          ? { read: thin }
          : {},
    })
    expect(await whole(host)).toMatchObject({ outcome: 'success' })
    expect(steps(host)).toEqual([
      'code-developer IMPL-001 work task',
      'test-fix-agent IMPL-001.3 work gate',
      'test-fix-agent IMPL-001.5 work gate',
      'code-developer IMPL-001 work task',
      'test-fix-agent IMPL-001.3 work gate',
      'test-fix-agent IMPL-001.5 work gate',
    ])
    expect([checks(host, 'code-validation'), checks(host, 'test-quality-review')]).toEqual([
      ['check-1', 'check-2'],
      ['check-1', 'check-2'],
    ])
    expect(host.turns[3]?.ask).toMatchObject({
      repairs: 'test-quality-review',
      feedback: expect.stringContaining('lines covered 40 %') as string,
    })
    expect(host.records.at(-1)?.state.queue?.map((t) => t.status)).toEqual([
      'completed',
      'completed',
      'completed',
      'completed',
    ])
  })

  test('a repair in a session that writes no tests may change tests, in its prompt and in its commit', async () => {
    const soft = {
      kind: 'gate' as const,
      critical: 0,
      error: 9,
      warning: 0,
      lines: null,
      branches: null,
      functions: null,
      antiPatterns: 0,
      report: '9 type errors',
    }
    const host = stubHost({
      runs: [GREEN],
      prepared: {
        agents,
        tasks: [
          task('IMPL-001.3', 'code-validation', [], 'test-fix-agent'),
          { ...TEST_TASK, dependsOn: ['IMPL-001.3'] },
        ],
      },
      turn: (t) => (t.ask.about === 'gate' && t.ask.attempt === 1 ? { read: soft } : {}),
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.turns.map((t) => t.ask)).toMatchObject([
      { about: 'gate' },
      { about: 'task', task: 'IMPL-001.3', repairs: 'code-validation' },
      { about: 'gate', attempt: 2 },
    ])
    expect(host.turns[1]?.role).toBe('code-developer')
    expect(host.commits).toMatchObject([{ writesTests: true }])
  })

  test('gate 001.5: tests that stay thin pass with the review flag', async () => {
    const thin = {
      kind: 'gate' as const,
      critical: 0,
      error: 0,
      warning: 0,
      lines: 40,
      branches: null,
      functions: null,
      antiPatterns: 0,
      report: 'thin',
    }
    const host = stubHost({
      runs: [GREEN],
      prepared: { agents, tasks: GENERATED },
      turn: (t) =>
        t.ask.about === 'gate' && t.ask.gate === 'test-quality-review' ? { read: thin } : {},
    })
    const result = await whole(host)
    expect(result).toMatchObject({ outcome: 'success', reviewNeeded: true })
    expect(result.reason).toContain('IMPL-001.5')
  })

  test('each test task has its own iterations, and a later one begins where the first left off', async () => {
    const two = [
      { ...TEST_TASK, maxIterations: 1 },
      {
        ...TEST_TASK,
        id: 'IMPL-003',
        file: 'IMPL-003.json',
        maxIterations: 2,
        dependsOn: ['IMPL-002'],
      },
    ]
    const host = stubHost({
      runs: [compared(10, 20), GREEN, compared(18, 20, { fingerprint: 'x' }), GREEN, GREEN],
      prepared: { tasks: two },
    })
    const result = await whole(host)
    expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
    expect(result.history.map((h) => [h.task, h.parent])).toEqual([
      [undefined, undefined],
      ['IMPL-fix-1', 'IMPL-002'],
      ['IMPL-fix-2', 'IMPL-003'],
    ])
  })

  test('other work is committed without test changes, and measured by the test task after it', async () => {
    const host = stubHost({
      runs: [GREEN],
      prepared: {
        agents,
        tasks: [task('IMPL-001', 'work'), { ...TEST_TASK, dependsOn: ['IMPL-001'] }],
      },
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.commits).toMatchObject([{ writesTests: false }])
  })

  test('a task without an agent for its role blocks and names the setting', async () => {
    const host = stubHost({ runs: [GREEN], prepared: { tasks: GENERATED } })
    const result = await whole(host)
    expect(result).toMatchObject({ outcome: 'blocked', iterations: 0 })
    expect(result.reason).toContain('no agent is configured for code-developer')
    expect(host.records.at(-1)?.state.queue?.every((t) => t.status === 'blocked')).toBe(true)
  })

  test('a due fix and its retest come first in the queue', async () => {
    const seen: string[][] = []
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      turn: (t) => (t.ask.about === 'fix-task' ? { waitForCancel: true } : {}),
    })
    await runCycle(env, host, async (run) => {
      await run.until('the fix', (s) => s.phase === 'fix')
      const { state } = await run.handle.query<{ state: { queue: TaskEntry[] } }>('state')
      seen.push(state.queue.map((t) => `${t.id} ${t.status}`))
      await run.handle.signal('stop')
      await run.result()
    })
    expect(seen).toEqual([
      ['IMPL-fix-1 in_progress', 'IMPL-002-retest-1 pending', 'IMPL-002 in_progress'],
    ])
    expect(host.records.at(-1)?.state.queue?.map((t) => t.status)).toEqual([
      'pending',
      'pending',
      'pending',
    ])
  })
})

describe('a resumed session', () => {
  const history = [
    {
      iteration: 0,
      passRate: 50,
      passed: 10,
      total: 20,
      result: 'baseline' as const,
      commit: null,
      turns: 0,
    },
  ]
  const begun = {
    startedAt: 1,
    iteration: 0,
    history,
    commits: [],
    usage: { turns: 1, inputTokens: 1, outputTokens: 1, estimated: false },
    lastRun: measured(10, 20),
    baseline: { path: '/b', sha256: 'b', bytes: 1 },
  }
  const pending = {
    iteration: 1,
    task: 'IMPL-fix-1',
    parent: 'IMPL-002',
    strategy: 'conservative' as const,
    quality: 'normal' as const,
    summary: 'fix it',
    points: 1,
    affectedFiles: [],
    startedAt: 2,
    turnsBefore: 0,
    notes: [],
  }

  test.each(
    // prettier-ignore
    [
    { at: 'analyze', restored: begun, turns: ['cli-planning-agent - work diagnose', 'test-fix-agent IMPL-fix-1 work fix-task'], ran: ['iteration-1/retest', 'final-1'] },
    { at: 'execute_fix_task', restored: { ...begun, pending }, turns: ['test-fix-agent IMPL-fix-1 work fix-task'], ran: ['iteration-1/retest', 'final-1'] },
    { at: 'retest', restored: { ...begun, pending: { ...pending, commit: 'fix-0' } }, turns: [], ran: ['iteration-1/retest', 'final-1'] },
    { at: 'retest of a fix that changed nothing', restored: { ...begun, pending: { ...pending, commit: null } }, turns: ['cli-planning-agent - work diagnose', 'test-fix-agent IMPL-fix-2 work fix-task'], ran: ['iteration-2/retest', 'final-2'] },
    { at: 'retest without the run before it', restored: { ...begun, lastRun: undefined, pending: { ...pending, commit: 'fix-0' } }, turns: [], ran: ['test-IMPL-002', 'final-1'] },
  ],
  )('resume: at $at it buys nothing twice', async ({ restored, turns, ran }) => {
    const host = stubHost({ runs: [GREEN], prepared: { restored } })
    const result = await whole(host)
    expect(result.outcome).toBe('success')
    expect(steps(host)).toEqual(turns)
    expect(tests(host)).toEqual(ran)
    expect(result.usage.turns).toBe(1 + turns.length)
  })

  const ofOtherTool = {
    ...begun,
    iteration: 1,
    history: history.map((one) => ({
      ...one,
      iteration: 1,
      result: 'kept' as const,
      task: 'IMPL-fix-1',
    })),
    usage: NO_USAGE,
    lastRun: undefined,
    baseline: undefined,
    pending: { ...pending, iteration: 2, task: 'IMPL-fix-2', planned: true as const },
  }

  test('another tool: its planned fix is carried out after the first measurement, without an analysis', async () => {
    const host = stubHost({
      runs: [compared(10, 20), GREEN],
      prepared: { restored: ofOtherTool, tasks: [{ ...TEST_TASK, attempts: 1 }] },
    })
    const result = await whole(host)
    expect(steps(host)).toEqual(['test-fix-agent IMPL-fix-2 work fix-task'])
    expect(tests(host)).toEqual(['baseline', 'iteration-2/retest', 'final-2'])
    expect(result).toMatchObject({ outcome: 'success', iterations: 2, baselinePassRate: 50 })
    expect(result.history).toMatchObject([
      { iteration: 1, task: 'IMPL-fix-1', result: 'kept' },
      {
        iteration: 2,
        task: 'IMPL-fix-2',
        result: 'kept',
        turns: 1,
        note: expect.stringContaining('planned by another tool') as string,
      },
    ])
  })

  test('another tool: its planned fix is not carried out if the tests pass without it', async () => {
    const host = stubHost({ runs: [GREEN], prepared: { restored: ofOtherTool } })
    const result = await whole(host)
    expect(host.turns).toEqual([])
    expect(tests(host)).toEqual(['baseline', 'final-1'])
    expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
    expect(host.records.at(-1)?.state).not.toHaveProperty('pending')
    expect(host.records.at(-1)?.state.warnings).toContain(
      'IMPL-fix-2 was not carried out: the tests pass without it',
    )
  })

  test('spent iterations stay spent; extend adds more', async () => {
    const spent = {
      ...begun,
      iteration: 2,
      history: [
        ...history,
        ...[1, 2].map((n) => ({
          iteration: n,
          passRate: 50,
          result: 'kept' as const,
          commit: `c${n}`,
          turns: 2,
        })),
      ],
    }
    const tasks = [{ ...TEST_TASK, attempts: 2 }]
    const over = stubHost({ runs: [compared(10, 20)], prepared: { restored: spent, tasks } })
    expect(await whole(over, { project: '/repo', maxIterations: 2 })).toMatchObject({
      outcome: 'failed',
      iterations: 2,
    })
    expect(over.turns).toEqual([])
    const more = stubHost({
      runs: [compared(12, 20)],
      prepared: {
        restored: spent,
        tasks,
        limits: { maxIterations: 2, agentTurnMs: 1, convergeMs: 1, idleMs: 1, analysisMs: 1 },
      },
    })
    expect(await whole(more, { project: '/repo', extend: 1 })).toMatchObject({
      outcome: 'failed',
      iterations: 3,
    })
  })

  test('blocked tasks are due again', async () => {
    const host = stubHost({
      runs: [GREEN],
      prepared: { restored: begun, tasks: [{ ...TEST_TASK, status: 'blocked' }] },
    })
    expect((await whole(host)).outcome).toBe('success')
  })
})
