// The logic of the test-fix cycle on a real Temporal server with a scripted host.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { stubHost } from '../support/stub-host.js'
import { measured, notStarted } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const whole = (host: ReturnType<typeof stubHost>, input: object = {}) =>
  runCycle(env, host, (run) => run.result(), { project: '/repo', ...input })

describe('iteration', () => {
  test('a green project ends as success after a final full run, without a turn', async () => {
    const host = stubHost({ runs: [measured(5, 5)] })
    const result = await whole(host)
    expect(result).toMatchObject({
      kind: 'test-fix',
      outcome: 'success',
      status: 'completed',
      iterations: 0,
      passRate: 100,
      reviewNeeded: false,
      commits: [],
      failures: [],
      branch: 'ratchet/WFS-test-repo',
    })
    expect(host.tests.map((t) => t.step.split('/').slice(1).join('/'))).toEqual([
      'baseline',
      'final-0',
    ])
    expect(host.turns).toEqual([])
  })

  test('analysis, fix, commit and retest repeat until the gate opens', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)],
    })
    const result = await whole(host)
    expect(result).toMatchObject({
      outcome: 'success',
      iterations: 2,
      commits: ['kept-1', 'kept-2'],
      usage: { turns: 4, inputTokens: 40, outputTokens: 20 },
    })
    expect(result.history.map((h) => [h.iteration, h.passRate, h.result])).toEqual([
      [0, 60, 'baseline'],
      [1, 80, 'kept'],
      [2, 100, 'kept'],
    ])
    expect(host.turns.map((t) => [t.role, t.task, t.iteration, t.turn, t.expectHead])).toEqual([
      ['cli-planning-agent', undefined, 1, 'work', 'base'],
      ['test-fix-agent', 'IMPL-fix-1', 1, 'work', 'base'],
      ['cli-planning-agent', undefined, 2, 'work', 'kept-1'],
      ['test-fix-agent', 'IMPL-fix-2', 2, 'work', 'kept-1'],
    ])
    expect(host.tests.slice(1).every((t) => t.baseline?.path === '/state/results-1.json')).toBe(
      true,
    )
  })

  test('a spent budget fails by the same gate; the branch ends at the best state, and the task is blocked', async () => {
    const host = stubHost({ runs: [measured(3, 5)] })
    const result = await whole(host, { project: '/repo', maxIterations: 2 })
    expect(result).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      iterations: 2,
      passRate: 60,
      failuresTotal: 2,
      reason:
        '60 % (3 of 5) after 2 of 2 iterations; no fix improved on the start, so there is nothing to apply',
      best: { iteration: 0, passRate: 60 },
      baselinePassRate: 60,
      broken: [],
    })
    expect(host.turns).toHaveLength(4)
    expect(host.backs).toMatchObject([{ step: 'end-2', subject: 'Back to the start' }])
    expect(result.commits).toEqual(['kept-1', 'kept-2', 'back-1'])
    expect(host.records.at(-1)?.state.queue).toMatchObject([
      { id: 'IMPL-002', status: 'blocked', attempts: 2 },
    ])
  })

  test('regression: the fix is rolled back by its own sha, its reason reaches the next analysis, the iteration is spent', async () => {
    const host = stubHost({
      runs: [measured(8, 10), measured(5, 10), measured(10, 10), measured(10, 10)],
    })
    const result = await whole(host)
    expect(host.rollbacks).toMatchObject([{ expectHead: 'fix-1', step: 'iteration-1/rollback' }])
    expect(host.backs).toEqual([])
    expect(host.turns[2]?.ask).toMatchObject({
      about: 'diagnose',
      lastRun: { passed: 8 },
      rollbackReason:
        'IMPL-fix-1 was rolled back: 8 of 10 tests pass at the best state, 5 of them after the fix',
    })
    expect(host.turns[2]?.expectHead).toBe('base')
    expect(result).toMatchObject({
      outcome: 'success',
      iterations: 2,
      commits: ['kept-2'],
    })
    expect(result.history.slice(1)).toMatchObject([
      { result: 'rolled_back', passRate: 50, commit: 'fix-1' },
      { result: 'kept', passRate: 100, commit: 'kept-2' },
    ])
    expect(host.accepts).toMatchObject([
      {
        expectHead: 'fix-2',
        commits: [
          {
            subject: expect.stringMatching(/^fix\(IMPL-fix-2\): .* 80\.0 → 100\.0 %\)$/) as string,
            body: expect.stringMatching(/rolled back: IMPL-fix-1, 80\.0 → 50\.0 %$/) as string,
          },
        ],
      },
    ])
  })

  test('the first run is no regression, and after a rollback the run before the undone fix counts', async () => {
    const host = stubHost({
      runs: [
        measured(8, 10),
        measured(5, 10),
        measured(6, 10),
        measured(7, 10),
        measured(10, 10),
        measured(10, 10),
      ],
    })
    const result = await whole(host)
    expect(result.history.map(({ passRate, result: what }) => [passRate, what])).toEqual([
      [80, 'baseline'],
      [50, 'rolled_back'],
      [60, 'rolled_back'],
      [70, 'rolled_back'],
      [100, 'kept'],
    ])
  })

  test('a fix after which the suite no longer starts is rolled back', async () => {
    const host = stubHost({
      runs: [measured(8, 10), notStarted(), measured(10, 10), measured(10, 10)],
    })
    expect((await whole(host)).history[1]).toMatchObject({ result: 'rolled_back', passRate: null })
  })

  test('a suite that never started is analysed as such, and has no pass rate', async () => {
    const host = stubHost({ runs: [notStarted(), measured(5, 5), measured(5, 5)] })
    const result = await whole(host)
    expect(host.turns[0]?.ask).toMatchObject({
      about: 'diagnose',
      lastRun: { kind: 'not_started' },
    })
    expect(result.history[0]).toMatchObject({ passRate: null, result: 'not_started' })
    expect(result.outcome).toBe('success')
  })

  test('a suite that never starts: the branch ends at the tree that the first fix began from, and nothing is handed over', async () => {
    const host = stubHost({ runs: [notStarted()] })
    const result = await whole(host, { maxIterations: 2 })
    expect(result).toMatchObject({
      outcome: 'failed',
      best: null,
      passRate: null,
      head: 'back-1',
      commits: ['kept-1', 'kept-2', 'back-1'],
      reason: expect.stringContaining(
        'no run of the tests measured anything, so nothing is handed over',
      ) as string,
    })
    expect(host.backs).toMatchObject([
      { subject: 'Back to the start', toTree: 'kept-1^', expectHead: 'kept-2' },
    ])
  })

  test('a workspace that is gone at the end: the run still has its result and its record', async () => {
    const host = stubHost({
      runs: [measured(3, 9), measured(5, 9), measured(5, 9)],
      goBack: () => ApplicationFailure.nonRetryable('/state/tree is gone', 'WorkspaceGone'),
    })
    const result = await whole(host, { maxIterations: 2 })
    expect(result).toMatchObject({
      outcome: 'blocked',
      head: 'kept-2',
      reason:
        '/state/tree is gone; the branch stays at its last published commit, which is not the best measured state: /state/tree is gone',
    })
    expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'blocked' })
  })

  test('tests that cannot be executed end as failed without a turn', async () => {
    const host = stubHost({
      runs: [notStarted({ kind: 'cannot_execute', reason: 'command not found: nope' })],
    })
    expect(await whole(host)).toMatchObject({
      outcome: 'failed',
      reason: 'command not found: nope',
      passRate: null,
      iterations: 0,
    })
    expect(host.turns).toEqual([])
  })

  test('a failing final run goes back into the loop', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(4, 5), measured(5, 5), measured(5, 5)],
    })
    expect(await whole(host)).toMatchObject({ outcome: 'success', iterations: 2 })
  })

  test('a flaky test caps the outcome at partial success, although the final run is clean', async () => {
    const host = stubHost({
      runs: [
        measured(3, 5),
        measured(5, 5, { flaky: 1, flakyTests: ['a.test.ts > sometimes'] }),
        measured(5, 5),
      ],
    })
    expect(await whole(host)).toMatchObject({
      outcome: 'partial_success',
      status: 'completed',
      reviewNeeded: true,
      passRate: 100,
      reason: 'passed only on re-run: a.test.ts > sometimes',
    })
  })

  test('a fix without changes makes no commit, runs no test and spends the iteration', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      emptyFixes: [1],
    })
    const result = await whole(host)
    expect(result.history[1]).toMatchObject({ result: 'no_change', passRate: 60, commit: null })
    expect(host.tests).toHaveLength(3)
    expect(result).toMatchObject({ outcome: 'success', iterations: 2, commits: ['kept-2'] })
  })

  test('the retest decides; a claim is kept with the measured results', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(4, 5)],
      turn: (t) => (t.role === 'test-fix-agent' ? { tail: 'Done. 100% of tests pass.' } : {}),
    })
    const result = await whole(host, { project: '/repo', maxIterations: 1 })
    expect(result.history[1]).toMatchObject({
      claimed: 100,
      passRate: 80,
      note: 'the agent claimed 100 %, measured: 80 %',
    })
    expect(result.outcome).toBe('failed')
  })

  test('no agent: measures, then blocks and names the setting', async () => {
    const host = stubHost({
      runs: [measured(3, 5)],
      prepared: { agents: { 'cli-planning-agent': [], 'test-fix-agent': [] } },
    })
    const result = await whole(host)
    expect(result).toMatchObject({
      outcome: 'blocked',
      status: 'failed',
      passRate: 60,
      iterations: 0,
    })
    expect(result.reason).toContain('install one of claude')
    expect(result.reason).toContain('To see what is missing, run ratchet doctor')
  })
})

describe('the end', () => {
  test('a refusal in the middle closes the run as blocked, with its record', async () => {
    const host = stubHost({ runs: [measured(3, 5)], commitRefused: 'limits.idle needs a unit' })
    expect(await whole(host)).toMatchObject({
      outcome: 'blocked',
      status: 'failed',
      passRate: 60,
      reason: 'limits.idle needs a unit',
    })
    expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'blocked' })
  })

  test('the record is there from the start, and reports the failures of the result', async () => {
    const failures = [{ test: 't', file: 'a.test.ts', criticality: 'high' as const, error: 'e' }]
    const host = stubHost({ runs: [measured(3, 5)], failures })
    const result = await whole(host, { project: '/repo', maxIterations: 1 })
    expect(host.records[0]?.state.lastRun).toBeUndefined()
    expect(result).toMatchObject({ failures, failuresTotal: 2 })
  })

  test('a closed run returns its outcome and refuses later requests', async () => {
    const host = stubHost({ runs: [measured(5, 5)] })
    await runCycle(env, host, async (run) => {
      await run.result()
      expect(await run.status()).toMatchObject({
        status: 'completed',
        phase: 'success',
        waitingFor: 'nothing',
      })
    })
  })

  test('a final run that cannot be executed ends the run, no iteration is bought', async () => {
    const host = stubHost({
      runs: [measured(5, 5), notStarted({ kind: 'cannot_execute', reason: 'no tests' })],
    })
    expect(await whole(host)).toMatchObject({ outcome: 'failed', reason: 'no tests' })
    expect(host.turns).toEqual([])
  })

  test('the host gets the id of the chain it prepares for', async () => {
    const host = stubHost({ runs: [measured(3, 5), measured(5, 5), measured(5, 5)] })
    const first = await runCycle(env, host, async (run) => {
      await run.result()
      return run.handle.firstExecutionRunId
    })
    expect(host.prepares.map((p) => p.chain)).toEqual([first])
  })
})

describe('turns', () => {
  test('a turn out of time is asked to converge in its session', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: (t) =>
        t.turn === 'work' && t.role === 'cli-planning-agent'
          ? { outcome: 'timed_out', sessionId: 'late' }
          : {},
    })
    const result = await whole(host)
    expect(host.turns.map((t) => [t.role, t.turn, t.sessionId])).toEqual([
      ['cli-planning-agent', 'work', undefined],
      ['cli-planning-agent', 'converge', 'late'],
      ['test-fix-agent', 'work', undefined],
    ])
    expect(host.turns[1]).toMatchObject({ limitMs: 180_000, ask: { about: 'converge' } })
    expect(result.outcome).toBe('success')
  })

  test('a fix that never converged is judged by its changes in the tree', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: (t) => (t.role === 'test-fix-agent' ? { outcome: 'timed_out' } : {}),
    })
    const result = await whole(host)
    expect(result.outcome).toBe('success')
    expect(result.history[1]?.note).toContain('judged by the tests')
  })

  test('the next agent of the chain follows a failed one', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      prepared: {
        agents: { 'cli-planning-agent': ['gemini', 'qwen'], 'test-fix-agent': ['fixer'] },
      },
      turn: (t) => (t.agent === 'gemini' ? { outcome: 'failed', reason: 'no credentials' } : {}),
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.turns.map((t) => t.agent)).toEqual(['gemini', 'qwen', 'fixer'])
    expect(new Set(host.turns.map((t) => t.key)).size).toBe(3)
  })

  test('agent error: one retry with simplified context, then blocked with the reason', async () => {
    const host = stubHost({
      runs: [measured(3, 5)],
      turn: (t) =>
        t.role === 'test-fix-agent' ? { outcome: 'failed', reason: 'exited with code 1' } : {},
    })
    const result = await whole(host)
    expect(result).toMatchObject({
      outcome: 'blocked',
      reason: 'IMPL-fix-1 could not be carried out: fixer: exited with code 1',
    })
    expect(host.turns.filter((t) => t.role === 'test-fix-agent').map((t) => t.ask)).toMatchObject([
      { simplified: false },
      { simplified: true },
    ])
  })

  test('a turn whose activity failed is settled before its workspace is used again', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: (_t, call) => (call === 1 ? { fail: 'disk full' } : {}),
    })
    expect((await whole(host)).outcome).toBe('success')
    expect(host.settled).toMatchObject([{ key: host.turns[0]?.key, reason: 'disk full' }])
    expect(host.turns[1]).toMatchObject({ role: 'cli-planning-agent', ask: { simplified: true } })
  })

  test('after a reset, turns before the reset point are kept, and a later one starts under a new key', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: (_t, call) => (call === 2 ? { waitForCancel: true } : {}),
    })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the fix', () => host.turns.length === 2)
      const { workflowId } = run.handle
      const { runId } = await env.client.workflow.getHandle(workflowId).describe()
      const { events } = await env.client.workflow.getHandle(workflowId, runId).fetchHistory()
      const fix = events?.findLast(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'agentTurn',
      )
      await env.client.workflowService.resetWorkflowExecution({
        namespace: env.namespace ?? 'default',
        workflowExecution: { workflowId, runId },
        reason: 'test',
        requestId: randomUUID(),
        workflowTaskFinishEventId:
          fix?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId ?? null,
      })
      return run.result()
    })
    expect(result.outcome).toBe('success')
    expect(host.turns.map((t) => t.role)).toEqual([
      'cli-planning-agent',
      'test-fix-agent',
      'test-fix-agent',
    ])
    expect(host.turns[2]?.key).not.toBe(host.turns[1]?.key)
    expect(host.turns[2]?.key.split('/').slice(2)).toEqual(host.turns[1]?.key.split('/').slice(2))
  })

  test('default limits are asked of the host: 40 min analysis, 30 min fix, 10 min idle', async () => {
    const host = stubHost({ runs: [measured(3, 5), measured(5, 5), measured(5, 5)] })
    await whole(host)
    expect(host.turns.map((t) => [t.limitMs, t.idleMs])).toEqual([
      [2_400_000, 600_000],
      [1_800_000, 600_000],
    ])
  })
})
