// A fix with `interactive`: a person approves its plans, and tests before and after they are
// written, on a real Temporal server with a scripted host.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { PendingFix } from '../../../src/contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../../src/contract/test-fix/task.js'
import { CHANGES_MOST } from '../../../src/core/run/approval.js'
import { approvalOf, say } from '../../support/runs/approving.js'
import { sharedEnv } from '../../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../../support/servers/workflow-env.js'
import {
  ANALYSIS,
  TEST_TASK,
  stubHost,
  type Script,
  type StubHost,
} from '../../support/stub-host.js'
import { measured } from '../../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const INPUT = { project: '/repo', interactive: true }
const GREEN = [measured(3, 5), measured(5, 5), measured(5, 5)]
const PLAN = 'approve-IMPL-fix-1'

const steered = <T>(host: StubHost, body: (run: Running) => Promise<T>, input: unknown = INPUT) =>
  runCycle(env, host, body, input)
/** Approves `answers` in order, and returns the result. */
const through = (host: StubHost, answers: [id: string, answer: string][], input: unknown = INPUT) =>
  steered(
    host,
    async (run) => {
      for (const [id, answer] of answers) await say(run, id, answer)
      return run.result()
    },
    input,
  )
const asks = ({ turns }: StubHost) => turns.map(({ ask }) => ask.about)
const lastState = ({ records }: StubHost) => records.at(-1)?.state

describe('the plan of a fix', () => {
  test('is in the record and asked about before the fix is bought; approve carries it out', async () => {
    const host = stubHost({
      runs: GREEN,
      turn: ({ role }) =>
        role === 'cli-planning-agent'
          ? { read: { ...ANALYSIS, files: ['src/parse.ts', 'src/lex.ts'] } }
          : {},
    })
    const result = await steered(host, async (run) => {
      expect(await approvalOf(run, PLAN)).toMatchObject({
        kind: 'approval',
        options: ['approve', 'change', 'stop'],
        text: 'Approve the plan of IMPL-fix-1? add the missing check (conservative). It changes src/parse.ts, src/lex.ts. The plan: .workflow/WFS-test-repo/.task/IMPL-fix-1.json. Used so far: 1 agent turn, 10 tokens in, 5 out.',
      })
      expect(asks(host)).toEqual(['diagnose'])
      expect(lastState(host)?.pending).toMatchObject({ task: 'IMPL-fix-1' })
      expect(await run.status()).toMatchObject({
        phase: 'asking',
        waitingFor: expect.stringMatching(/^person: Approve the plan/) as string,
      })
      await say(run, PLAN, 'approve')
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
    expect(asks(host)).toEqual(['diagnose', 'fix-task'])
  })

  test('without interactive nothing is asked', async () => {
    const host = stubHost({ runs: GREEN })
    const result = await through(host, [], { project: '/repo' })
    expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
  })

  test('a change goes to the analysis agent, in its session, and spends no iteration', async () => {
    const host = stubHost({
      runs: GREEN,
      turn: (_turn, call) =>
        call === 2
          ? { read: { ...ANALYSIS, summary: 'use integers', files: ['src/sum.ts'] } }
          : { session: { turns: 1, bytes: 10 } },
    })
    const result = await steered(host, async (run) => {
      await say(run, PLAN, 'change: use integers')
      const again = await approvalOf(run, `${PLAN}-change-1`)
      expect(again.text).toMatch(/use integers \(conservative\)\. It changes src\/sum\.ts\./)
      expect(again.text).toContain('Used so far: 2 agent turns')
      expect(lastState(host)?.pending?.summary).toBe('use integers')
      await say(run, `${PLAN}-change-1`, 'approve')
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
    expect(result.history).toHaveLength(2)
    expect(result.history[1]?.note).toContain('a person changed the plan: use integers')
    const [first, changed, fix] = host.turns
    expect(changed).toMatchObject({
      role: 'cli-planning-agent',
      iteration: 1,
      sessionId: 's-1',
      ask: { about: 'diagnose', change: { words: 'use integers', plan: 'add the missing check' } },
    })
    expect(changed?.key).not.toBe(first?.key)
    expect(fix?.ask).toMatchObject({ about: 'fix-task', pending: { summary: 'use integers' } })
  })

  test('a change that gives no plan says so; the earlier plan can still be approved', async () => {
    const unusable = { kind: 'unusable' as const, problem: 'no fenced JSON', form: '' }
    const host = stubHost({
      runs: GREEN,
      turn: (_turn, call) => (call === 2 ? { read: unusable } : {}),
    })
    const result = await steered(host, async (run) => {
      await say(run, PLAN, 'use integers')
      const again = await approvalOf(run, `${PLAN}-change-1`)
      expect(again.text).toMatch(/^Your change is not in it: planner: no fenced JSON\. Approve/)
      await say(run, `${PLAN}-change-1`, 'approve')
      return run.result()
    })
    expect(result.outcome).toBe('success')
    expect(host.turns.at(-1)?.ask).toMatchObject({ pending: { summary: ANALYSIS.summary } })
  })

  test('after five changes it takes only approve or stop', async () => {
    const host = stubHost({ runs: GREEN })
    await steered(host, async (run) => {
      for (let n = 0; n < CHANGES_MOST; n++)
        await say(run, n === 0 ? PLAN : `${PLAN}-change-${n}`, `change ${n}`)
      const last = `${PLAN}-change-${CHANGES_MOST}`
      expect((await approvalOf(run, last)).options).toEqual(['approve', 'stop'])
      await expect(say(run, last, 'once more')).rejects.toMatchObject({
        cause: { message: expect.stringContaining('takes no further change') as string },
      })
      await say(run, last, 'approve')
      return run.result()
    })
    expect(asks(host)).toEqual([...Array.from({ length: 6 }, () => 'diagnose'), 'fix-task'])
  })

  test('an answer to the first plan does not approve the second one', async () => {
    const host = stubHost({ runs: GREEN })
    await steered(host, async (run) => {
      await say(run, PLAN, 'use integers')
      await approvalOf(run, `${PLAN}-change-1`)
      await expect(
        run.handle.executeUpdate('answer', { args: [{ questionId: PLAN, choice: 'approve' }] }),
      ).rejects.toMatchObject({
        cause: { message: expect.stringContaining(`no open question "${PLAN}"`) as string },
      })
      await say(run, `${PLAN}-change-1`, 'stop')
      return run.result()
    })
    expect(asks(host)).not.toContain('fix-task')
  })

  test('stop ends the run at its best state', async () => {
    const host = stubHost({ runs: GREEN })
    const result = await through(host, [[PLAN, 'stop']])
    expect(result).toMatchObject({
      outcome: 'stopped',
      iterations: 0,
      best: { iteration: 0 },
      reason: 'stopped by request: no approval of the plan of IMPL-fix-1',
    })
    expect(asks(host)).toEqual(['diagnose'])
    expect(lastState(host)?.pending).toMatchObject({ task: 'IMPL-fix-1' })
    expect(lastState(host)?.pending?.approved).toBeUndefined()
  })

  test('a pause leaves it open, and its answer holds until the run is resumed', async () => {
    const host = stubHost({ runs: GREEN })
    const result = await steered(host, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.signal('pause', { mode: 'now', reason: 'night' })
      await say(run, PLAN, 'approve')
      await run.until('the pause', ({ status }) => status === 'paused')
      expect(asks(host)).toEqual(['diagnose'])
      await run.handle.signal('resume')
      return run.result()
    })
    expect(result.outcome).toBe('success')
  })

  test('the stop of a run ends it like every other question', async () => {
    const host = stubHost({ runs: GREEN })
    const result = await steered(host, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.signal('stop', { reason: 'enough' })
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'stopped', reason: 'stopped by request: enough' })
  })

  test('a cancel ends it, with a record', async () => {
    const host = stubHost({ runs: GREEN })
    await steered(host, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.cancel()
      await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
    })
    expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped', reason: 'cancelled' })
    expect(asks(host)).toEqual(['diagnose'])
  })

  test('after a regression the plan is made again with its reason', async () => {
    const host = stubHost({
      runs: [measured(8, 10), measured(5, 10), measured(10, 10), measured(10, 10)],
    })
    await through(host, [
      [PLAN, 'approve'],
      ['approve-IMPL-fix-2', 'use integers'],
      ['approve-IMPL-fix-2-change-1', 'approve'],
    ])
    expect(host.turns[3]).toMatchObject({
      iteration: 2,
      ask: {
        about: 'diagnose',
        analysisType: 'regression-analysis',
        strategy: 'surgical',
        rollbackReason: expect.any(String) as string,
      },
    })
  })
})

describe('a session that continues', () => {
  const pending: PendingFix = {
    iteration: 1,
    task: 'IMPL-fix-1',
    parent: 'IMPL-002',
    strategy: 'conservative',
    quality: 'normal',
    summary: 'fix it',
    points: 1,
    affectedFiles: [],
    startedAt: 2,
    turnsBefore: 0,
    notes: [],
  }
  const restored = (more: object) => ({
    startedAt: 1,
    iteration: 0,
    history: [],
    commits: [],
    usage: { turns: 1, inputTokens: 1, outputTokens: 1, estimated: false },
    lastRun: measured(3, 5),
    interactive: true,
    ...more,
  })
  const continued = (more: object): StubHost =>
    stubHost({ runs: [measured(5, 5)], prepared: { restored: restored(more) } })

  test('asks about a plan that no person has answered, without another analysis', async () => {
    const host = continued({ pending })
    const result = await through(host, [[PLAN, 'approve']], { project: '/repo' })
    expect(result.outcome).toBe('success')
    expect(asks(host)).toEqual(['fix-task'])
  })

  test('does not ask again about one that was approved', async () => {
    const host = continued({ pending: { ...pending, approved: true } })
    expect(await through(host, [], { project: '/repo' })).toMatchObject({ outcome: 'success' })
  })

  test('asks nothing any more with auto', async () => {
    const host = continued({ pending })
    const result = await through(host, [], { project: '/repo', auto: true })
    expect(result.outcome).toBe('success')
  })
})

describe('tests', () => {
  // prettier-ignore
  const TASKS: TaskEntry[] = [
    { id: 'IMPL-001', title: 'write tests', type: 'test-gen', role: 'code-developer', status: 'pending', dependsOn: [], file: 'IMPL-001.json', attempts: 0 },
    { ...TEST_TASK, dependsOn: ['IMPL-001'] },
  ]
  const AGENTS = {
    'cli-planning-agent': ['planner'],
    'test-fix-agent': ['fixer'],
    'code-developer': ['developer'],
  }
  const generating = (more: Partial<NonNullable<Script['prepared']>> = {}): StubHost =>
    stubHost({
      runs: [measured(5, 5)],
      prepared: { agents: AGENTS, tasks: TASKS, unplanned: true, ...more },
    })
  const about = (host: StubHost) =>
    host.turns.map(({ ask }) =>
      ask.about === 'task' ? `task ${ask.repairs ?? ''} ${ask.feedback ?? ''}`.trim() : ask.about,
    )

  test('are approved before they are paid for, and once they are written', async () => {
    const host = generating()
    const result = await steered(host, async (run) => {
      expect(await approvalOf(run, 'approve-IMPL-001')).toMatchObject({
        text: expect.stringContaining(
          'write tests. The plan: .workflow/WFS-test-repo/.process/TEST_ANALYSIS_RESULTS.md.',
        ) as string,
      })
      expect(about(host)).toEqual(['plan-tests'])
      await say(run, 'approve-IMPL-001', 'approve')
      await say(run, 'approve-IMPL-001-written', 'approve')
      return run.result()
    })
    expect(result.outcome).toBe('success')
    expect(about(host)).toEqual(['plan-tests', 'task'])
  })

  test('a change makes their plan again, and has written ones changed', async () => {
    const host = generating()
    const result = await through(host, [
      ['approve-IMPL-001', 'cover the parser'],
      ['approve-IMPL-001-change-1', 'approve'],
      ['approve-IMPL-001-written', 'shorter'],
      ['approve-IMPL-001-written-change-1', 'approve'],
    ])
    expect(result.outcome).toBe('success')
    expect(about(host)).toEqual(['plan-tests', 'plan-tests', 'task', 'task approval shorter'])
    expect(host.turns[1]?.ask).toMatchObject({ change: 'cover the parser' })
  })

  test('stop after they are written does not buy them again: the next run asks about them', async () => {
    const host = generating()
    const result = await through(host, [
      ['approve-IMPL-001', 'approve'],
      ['approve-IMPL-001-written', 'stop'],
    ])
    expect(result).toMatchObject({
      outcome: 'stopped',
      reason: 'stopped by request: no approval of the tests that IMPL-001 has written',
    })
    const { writtenTests, testPlanApproved, interactive, queue } = lastState(host) ?? {}
    expect({ writtenTests, testPlanApproved }).toEqual({
      writtenTests: 'IMPL-001',
      testPlanApproved: true,
    })
    const next = generating({
      unplanned: false,
      tasks: queue ?? [],
      restored: {
        startedAt: 1,
        iteration: 0,
        history: [],
        commits: [],
        usage: { turns: 2, inputTokens: 1, outputTokens: 1, estimated: false },
        writtenTests,
        testPlanApproved,
        interactive,
      },
    })
    const ended = await through(next, [['approve-IMPL-001-written', 'approve']], {
      project: '/repo',
    })
    expect(ended.outcome).toBe('success')
    expect(next.turns).toEqual([])
  })
})
