// Pause, resume, stop, cancel, questions: from the Web UI, the CLI and scripts, with every payload.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WorkflowFailedError } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { sharedEnv, temporalPath } from '../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { cancelled, stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'
import type { Question } from '../../src/contract/question.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const QUESTION: Question = {
  id: 'q-1',
  kind: 'permission',
  text: 'run rm?',
  options: ['allow', 'deny'],
  recommended: 'deny',
  askedAt: 0,
}

/** A turn that lasts until the test lets it end. */
function gate() {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('pause', () => {
  test('mode turn lets the running turn end, then holds until resume', async () => {
    const turn = gate()
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: async (_t, call) => {
        if (call === 1) await turn.opened
        return {}
      },
    })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the first turn', (s) => s.phase === 'analysis')
      await run.handle.signal('pause', { reason: 'lunch' })
      expect((await run.status()).status).toBe('running')
      turn.open()
      const paused = await run.until('the pause', (s) => s.status === 'paused')
      expect(paused.waitingFor).toBe(
        `paused (lunch); continue with: ratchet resume ${run.handle.workflowId}`,
      )
      expect(host.turns).toHaveLength(1)
      await run.handle.signal('resume')
      return run.result()
    })
    expect(result.outcome).toBe('success')
    expect(host.turns).toHaveLength(2)
  })

  test('mode now interrupts the turn, which continues after resume', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: (_t, call) => (call === 1 ? { waitForCancel: true } : {}),
    })
    await runCycle(env, host, async (run) => {
      await run.until('the first turn', (s) => s.phase === 'analysis' && host.turns.length === 1)
      await run.handle.signal('pause', { mode: 'now' })
      await run.until('the pause', (s) => s.status === 'paused')
      expect(host.turns).toHaveLength(1)
      expect(host.beats).toHaveLength(1) // a turn that only waits learns of it at once
      await run.handle.signal('resume')
      expect((await run.result()).outcome).toBe('success')
    })
    expect(host.turns[1]?.key).toBe(host.turns[0]?.key)
  })

  test('mode now given twice interrupts twice, and the same turn continues each time', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: (_t, call) => (call <= 2 ? { waitForCancel: true } : {}),
    })
    await runCycle(env, host, async (run) => {
      for (const turns of [1, 2]) {
        await run.until(`turn ${turns}`, () => host.turns.length === turns)
        await run.handle.signal('pause', { mode: 'now' })
        await run.until('the pause', (s) => s.status === 'paused')
        await run.handle.signal('resume')
      }
      expect((await run.result()).outcome).toBe('success')
    })
    expect(new Set(host.turns.slice(0, 3).map((t) => t.key)).size).toBe(1)
  })

  test('mode now during a test run whose worker is lost pauses the run, and the tests run again', async () => {
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      testsLostOnCancel: [1],
    })
    await runCycle(env, host, async (run) => {
      await run.until('the first test run', () => host.tests.length === 1)
      await run.handle.signal('pause', { mode: 'now' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
      expect((await run.result()).outcome).toBe('success')
    })
    expect(host.tests.slice(0, 2).map((t) => t.step.split('/')[1])).toEqual([
      'baseline',
      'baseline',
    ])
  })

  test('resume reads the configuration again', async () => {
    const turn = gate()
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: async (_t, call) => {
        if (call === 1) await turn.opened
        return {}
      },
      reloaded: {
        configHash: 'new',
        agents: { 'cli-planning-agent': ['planner'], 'test-fix-agent': ['other'] },
      },
    })
    await runCycle(env, host, async (run) => {
      await run.until('the first turn', () => host.turns.length === 1)
      await run.handle.signal('pause')
      turn.open()
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
      await run.result()
    })
    expect(host.turns.map((t) => [t.agent, t.configHash])).toEqual([
      ['planner', 'c'],
      ['other', 'new'],
    ])
  })

  test('after a pause of a turn in an earlier session, a changed configuration begins a new one', async () => {
    const session = { turns: 1, bytes: 100 }
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      prepared: { agents: { 'cli-planning-agent': ['a'], 'test-fix-agent': ['a'] } },
      reloaded: {
        configHash: 'new',
        agents: { 'cli-planning-agent': ['a'], 'test-fix-agent': ['a'] },
      },
      turn: (_t, call) =>
        call === 2 ? { waitForCancel: true } : { sessionId: `s${call}`, session },
    })
    await runCycle(env, host, async (run) => {
      await run.until('the fix', () => host.turns.length === 2)
      await run.handle.signal('pause', { mode: 'now' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
      return run.result()
    })
    expect(host.turns.map((t) => [t.configHash, t.sessionId, t.knows === undefined])).toEqual([
      ['c', undefined, true],
      ['c', 's1', false],
      ['new', undefined, true],
    ])
    const { history = [] } = host.records.at(-1)?.state ?? {}
    expect(history.at(-1)?.sessions?.fix).toEqual({ id: 's3', use: 'configuration' })
  })

  test('a pause outlives the iteration boundary', async () => {
    const fix = gate()
    const host = stubHost({
      runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)],
      turn: async (_t, call) => {
        if (call === 2) await fix.opened
        return {}
      },
    })
    await runCycle(env, host, async (run) => {
      await run.until('the fix', (s) => s.phase === 'fix')
      await run.handle.signal('pause')
      fix.open()
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
      expect((await run.result()).iterations).toBe(2)
    })
  })

  test.each([undefined, null, 'now', 42, { mode: 'later' }, ['x'], { reason: { deep: true } }])(
    'a payload of %j is tolerated by pause, resume and stop',
    async (payload) => {
      const host = stubHost({ runs: [measured(3, 5)], turn: () => ({ waitForCancel: true }) })
      const result = await runCycle(env, host, async (run) => {
        await run.until('the first turn', () => host.turns.length === 1)
        const args = payload === undefined ? [] : [payload]
        await run.handle.signal('pause', ...args)
        await run.handle.signal('resume', ...args)
        await run.handle.signal('stop', ...args)
        await run.handle.signal('no-such-signal', ...args)
        return run.result()
      })
      expect(result.outcome).toBe('stopped')
    },
  )
})

describe('stop', () => {
  test('waits for the end of the turn, keeps its cost and writes the record', async () => {
    const host = stubHost({ runs: [measured(3, 5)], turn: () => ({ waitForCancel: true }) })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the first turn', () => host.turns.length === 1)
      await run.handle.signal('stop', { reason: 'enough' })
      return run.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      status: 'failed',
      reason: 'stopped by request: enough',
      usage: { turns: 1 },
    })
    expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped' })
    // The turn itself returned: the workflow waited for it and had nothing to settle.
    expect(host.settled).toEqual([])
  })

  test('ends a paused run', async () => {
    const host = stubHost({ runs: [measured(3, 5)], turn: () => ({ waitForCancel: true }) })
    await runCycle(env, host, async (run) => {
      await run.until('the first turn', () => host.turns.length === 1)
      await run.handle.signal('pause', 'now')
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('stop')
      expect((await run.result()).outcome).toBe('stopped')
    })
  })

  test('Cancel in the Web UI does the same work and ends as canceled', async () => {
    const host = stubHost({ runs: [measured(3, 5)], turn: () => ({ waitForCancel: true }) })
    await runCycle(env, host, async (run) => {
      await run.until('the first turn', () => host.turns.length === 1)
      await run.handle.cancel()
      await expect(run.result()).rejects.toThrow(WorkflowFailedError)
    })
    expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped', reason: 'cancelled' })
  })

  test('Cancel waits for the end of a commit before it writes the record', async () => {
    const host = stubHost({ runs: [measured(3, 5)] })
    const { commitFix, recordRun } = host.activities
    const done: string[] = []
    Object.assign(host.activities, {
      commitFix: async (input: Parameters<typeof commitFix>[0]) => {
        done.push('begun')
        await cancelled()
        done.push('committed')
        return commitFix(input)
      },
      recordRun: (input: Parameters<typeof recordRun>[0]) => {
        if (input.result !== undefined) done.push('recorded')
        return recordRun(input)
      },
    })
    await runCycle(env, host, async (run) => {
      await run.until('the commit', () => done.length === 1)
      await run.handle.cancel()
      await expect(run.result()).rejects.toThrow(WorkflowFailedError)
    })
    expect(done).toEqual(['begun', 'committed', 'recorded'])
  })
})

describe('questions', () => {
  const asking = () => {
    const turn = gate()
    return {
      turn,
      host: stubHost({
        runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
        turn: async (_t, call) => {
          if (call === 1) await turn.opened
          return {}
        },
      }),
    }
  }

  /** Ends the turn even if the test fails: the worker waits for it. */
  const opening =
    (turn: { open: () => void }, act: Parameters<typeof runCycle<void>>[2]): typeof act =>
    (run) =>
      act(run).finally(turn.open)

  test('one waits until it is answered, and is shown meanwhile', async () => {
    const { turn, host } = asking()
    await runCycle(
      env,
      host,
      opening(turn, async (run) => {
        await run.until('the first turn', () => host.turns.length === 1)
        const asked = await run.handle.startUpdate('ratchetAsk', {
          args: [QUESTION],
          waitForStage: 'ACCEPTED',
        })
        expect(await run.handle.query('questions')).toEqual([QUESTION])
        expect((await run.status()).waitingFor).toBe('person: run rm?')
        await expect(
          run.handle.executeUpdate('answer', { args: [{ choice: 'perhaps' }] }),
        ).rejects.toThrow()
        await expect(
          run.handle.executeUpdate('answer', { args: [{ questionId: 'q-9', choice: 'allow' }] }),
        ).rejects.toThrow()
        await expect(run.handle.executeUpdate('answer', { args: [{}] })).rejects.toThrow()
        expect(await run.handle.executeUpdate('answer', { args: ['allow'] })).toEqual({
          questionId: 'q-1',
          answer: 'allow',
        })
        expect(await asked.result()).toBe('allow')
        await expect(run.handle.executeUpdate('answer', { args: ['allow'] })).rejects.toThrow()
        turn.open()
        await run.result()
      }),
    )
  })

  test('a question that is asked again in a later iteration keeps its deadline', async () => {
    const gates = [gate(), gate()]
    const host = stubHost({
      runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)],
      prepared: { questionLimits: { permission: { after: 3_600_000, then: 'deny' } } },
      turn: async (_t, call) => {
        await gates[[1, 3].indexOf(call)]?.opened
        return {}
      },
    })
    const asked = async (run: Running): Promise<Question> => {
      await run.handle.startUpdate('ratchetAsk', { args: [QUESTION], waitForStage: 'ACCEPTED' })
      const [question] = await env.client.workflow
        .getHandle(run.handle.workflowId)
        .query<Question[]>('questions')
      if (question === undefined) throw new Error('no question is open')
      return question
    }
    await runCycle(env, host, async (run) => {
      const latest = { ...run, handle: env.client.workflow.getHandle(run.handle.workflowId) }
      try {
        await run.until('the first turn', () => host.turns.length === 1)
        const first = await asked(run)
        expect(first).toMatchObject({ onDeadline: 'deny', deadline: expect.any(Number) as number })
        expect((await run.status()).waitingFor).toMatch(
          /^person: run rm\? Without an answer by \S+: deny$/,
        )
        await run.handle.signal('pause')
        expect(await run.handle.query('questions')).toEqual([
          { ...QUESTION, onDeadline: 'deny', remainingMs: expect.any(Number) as number },
        ])
        await run.handle.signal('resume')
        const [resumed] = await run.handle.query<Question[]>('questions')
        gates[0]?.open()
        await run.until('the next iteration', () => host.turns.length === 3)
        const again = await asked(latest as Running)
        expect(again.deadline).toBe(resumed?.deadline)
        gates[1]?.open()
        expect((await run.result()).outcome).toBe('success')
      } finally {
        for (const { open } of gates) open()
      }
    })
  })

  test('the same request twice answers once', async () => {
    const { turn, host } = asking()
    await runCycle(
      env,
      host,
      opening(turn, async (run) => {
        await run.until('the first turn', () => host.turns.length === 1)
        await run.handle.startUpdate('ratchetAsk', { args: [QUESTION], waitForStage: 'ACCEPTED' })
        const answer = { questionId: 'q-1', choice: 'allow', requestId: 'r-1' }
        await run.handle.executeUpdate('answer', { args: [answer], updateId: 'first' })
        expect(
          await run.handle.executeUpdate('answer', { args: [answer], updateId: 'second' }),
        ).toMatchObject({ repeated: true })
        turn.open()
        await run.result()
      }),
    )
  })

  test.each<{ why: string; payload: unknown }>([
    { why: 'nothing', payload: undefined },
    { why: 'null', payload: null },
    { why: 'an empty object', payload: {} },
    { why: 'a text', payload: 'text' },
    { why: 'one without its text', payload: { id: 'q', kind: 'menu' } },
  ])('what is none, as $why, is refused and harms nothing', async ({ payload }) => {
    const { turn, host } = asking()
    await runCycle(
      env,
      host,
      opening(turn, async (run) => {
        await run.until('the first turn', () => host.turns.length === 1)
        await expect(
          run.handle.executeUpdate('ratchetAsk', {
            args: (payload === undefined ? [] : [payload]) as [unknown],
          }),
        ).rejects.toThrow()
        expect((await run.status()).questions).toBe(0)
        turn.open()
        expect((await run.result()).outcome).toBe('success')
      }),
    )
  })

  test('one left open by its turn does not hold the run', async () => {
    const fix = gate()
    const host = stubHost({
      runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
      turn: async (_t, call) => {
        if (call === 2) await fix.opened
        return {}
      },
    })
    await runCycle(env, host, async (run) => {
      await run.until('the fix', (s) => s.phase === 'fix')
      const asked = await run.handle.startUpdate('ratchetAsk', {
        args: [QUESTION],
        waitForStage: 'ACCEPTED',
      })
      fix.open()
      expect(await asked.result()).toBe('')
      expect((await run.result()).outcome).toBe('success')
    })
  })

  test('one asked between turns does not hold the iteration boundary, and a stop there is not lost', async () => {
    const fix = gate()
    const host = stubHost({
      runs: [measured(3, 5), measured(4, 5), measured(5, 5)],
      turn: async (_t, call) => {
        if (call === 2) await fix.opened
        return {}
      },
    })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the fix', (s) => s.phase === 'fix')
      await run.handle.signal('pause')
      fix.open()
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.startUpdate('ratchetAsk', { args: [QUESTION], waitForStage: 'ACCEPTED' })
      await run.handle.signal('stop')
      return run.result()
    })
    expect(result.outcome).toBe('stopped')
    expect(host.turns).toHaveLength(2)
  })

  test('a stop withdraws it, and its asker continues without an answer', async () => {
    const host = stubHost({ runs: [measured(3, 5)], turn: () => ({ waitForCancel: true }) })
    await runCycle(env, host, async (run) => {
      await run.until('the first turn', () => host.turns.length === 1)
      const asked = await run.handle.startUpdate('ratchetAsk', {
        args: [QUESTION],
        waitForStage: 'ACCEPTED',
      })
      await run.handle.signal('stop')
      expect(await asked.result()).toBe('')
      expect((await run.result()).outcome).toBe('stopped')
    })
  })

  test('extend allows more iterations, once per request', async () => {
    const { turn, host } = asking()
    await runCycle(
      env,
      host,
      opening(turn, async (run) => {
        await run.until('the first turn', () => host.turns.length === 1)
        for (const bad of [{ iterations: 0 }, { iterations: 1e9 }, 'x', { iterations: 'x' }, -1])
          await expect(run.handle.executeUpdate('extend', { args: [bad] })).rejects.toThrow()
        expect(await run.handle.executeUpdate('extend', { args: ['1'] })).toEqual({
          maxIterations: 6,
        })
        expect(
          await run.handle.executeUpdate('extend', { args: [{ iterations: 2, requestId: 'e-1' }] }),
        ).toEqual({ maxIterations: 8 })
        expect(
          await run.handle.executeUpdate('extend', { args: [{ iterations: 2, requestId: 'e-1' }] }),
        ).toEqual({ maxIterations: 8 })
        turn.open()
        await run.result()
      }),
    )
  })
})

describe('bad input', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'no input', input: null, field: 'project' },
    { why: 'a relative project', input: { project: 'x' }, field: 'project' },
    { why: 'a limit of 0', input: { project: '/repo', maxIterations: 0 }, field: 'maxIterations' },
    { why: 'a limit of "x"', input: { project: '/repo', maxIterations: 'x' }, field: 'maxIterations' },
    // Matching writes to the pattern, so this also checks that objects shared between runs are not
    // deeply frozen.
    { why: 'a base that is no ref', input: { project: '/repo', base: '--exec' }, field: 'base' },
    { why: 'a session with ../', input: { project: '/repo', session: '../x' }, field: 'session' },
  ],
  )('$why fails the run at once as BadInput, naming $field', async ({ input, field }) => {
    const error = await runCycle(
      env,
      stubHost({ runs: [] }),
      (run) => run.result().catch((e: unknown) => e),
      input,
    )
    expect(error).toBeInstanceOf(WorkflowFailedError)
    expect((error as WorkflowFailedError).cause).toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining(`${field}:`) as string,
      nonRetryable: true,
    })
  })

  test('a workflow id that cannot be a file name is refused', async () => {
    const error = await runCycle(
      env,
      stubHost({ runs: [] }),
      (run) => run.result().catch((e: unknown) => e),
      { project: '/repo' },
      'a/../b',
    )
    expect((error as WorkflowFailedError).cause).toMatchObject({ type: 'BadInput' })
  })
})

describe('search attributes', () => {
  test('a server without our search attributes still runs the cycle', async () => {
    const bare = await TestWorkflowEnvironment.createLocal({
      server: { executable: { type: 'existing-path', path: temporalPath() }, ip: '127.0.0.1' },
    })
    try {
      const host = stubHost({
        runs: [measured(5, 5)],
        serverFacts: () =>
          Promise.resolve({
            searchAttributes: [],
            queue: 'ratchet',
            project: '/repo',
            projectKey: 'a1b2c3d4e5f6',
          }),
      })
      expect((await runCycle(bare, host, (run) => run.result())).outcome).toBe('success')
    } finally {
      await bare.teardown()
    }
  })

  test('project, kind, phase, iteration and pass rate can be searched for', async () => {
    const host = stubHost({ runs: [measured(3, 5), measured(5, 5), measured(5, 5)] })
    const { handle } = await runCycle(env, host, async (run) => {
      await run.result()
      return run
    })
    const described = await env.client.workflow.getHandle(handle.workflowId).describe()
    expect(described.searchAttributes).toMatchObject({
      RatchetProject: ['/repo'],
      RatchetKind: ['test-fix'],
      RatchetPhase: ['success'],
      RatchetIteration: [1],
      RatchetPassRate: [100],
      RatchetNeedsHuman: [false],
    })
  })
})
