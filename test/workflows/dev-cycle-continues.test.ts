// How a dev cycle continues, and what its state says meanwhile, on a real Temporal server.
import { describe, expect, test } from 'vitest'
import { cycleHost } from '../support/cycle/cycle-host.js'
import { TASK, cycleRuns } from '../support/cycle/cycle-runs.js'
import { measured } from '../support/test-runs.js'
import type { Running } from '../support/servers/workflow-env.js'

const { run, whole } = cycleRuns()

describe('interrupted iterations', () => {
  const restored = (rest: object) => ({
    startedAt: 1,
    tasks: [{ text: 'Add OAuth2 login', iteration: 1 }],
    scheduling: 'parallel' as const,
    parallel: 4,
    interactive: false,
    iteration: 3,
    maxIterations: 5,
    completedPhases: [],
    phaseErrors: [],
    agents: Object.fromEntries(
      ['ra', 'ep', 'cd', 'vas'].map((p) => [
        p,
        { status: 'idle', output_files: [], iterations_completed: 2 },
      ]),
    ) as never,
    iterations: [],
    feedbackLog: [],
    decisions: [],
    blockers: [],
    oneToHundred: false,
    openIssues: [],
    pendingExtensions: [],
    history: [],
    commits: [],
    changedFiles: 3,
    ...rest,
  })
  const iterations = (...ended: boolean[]) =>
    ended.map((over, n) => ({
      number: n + 1,
      startedAt: 1,
      ...(over ? { completedAt: 2 } : {}),
      agentResults: {},
      issuesFound: [],
      resolved: false,
    }))

  test('a repeated iteration covers its extension again, together with those that waited', async () => {
    const tasks = [
      { text: 'Add OAuth2 login', iteration: 1 },
      { text: 'Also add MFA', iteration: 3 },
    ]
    const { host } = await whole(
      {
        runs: [measured(3, 3)],
        prepared: {
          restored: restored({
            tasks,
            iterations: iterations(true, true, false),
            pendingExtensions: ['Also add SSO'],
          }),
        },
      },
      { project: '/repo', cycleId: 'cycle-1', extend: 'And docs' },
    )
    expect(host.turns[0]).toMatchObject({
      iteration: 3,
      ask: {
        brief: {
          version: '1.2.0',
          extension: 'Also add MFA\n\nAlso add SSO\n\nAnd docs',
          description: expect.stringMatching(
            /^Add OAuth2 login\n\n--- ITERATION 3 ---\nAlso add MFA\n\n--- ITERATION 3 ---/,
          ) as unknown,
        },
      },
    })
    expect(host.records.at(-1)?.state).toMatchObject({
      iterations: [
        { number: 1 },
        { number: 2 },
        { number: 3, extension: expect.stringContaining('Also add MFA') as unknown },
      ],
      pendingExtensions: [],
    })
  })

  test('a record with only the number of iterations does not restart at the first', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(3, 3)],
        prepared: { restored: restored({ iterations: iterations(false, false, false) }) },
      },
      { project: '/repo', cycleId: 'cycle-1' },
    )
    expect(host.turns[0]).toMatchObject({ iteration: 3, ask: { brief: { version: '1.2.0' } } })
    expect(result.iterations).toBe(3)
  })

  test('what was used before counts on', async () => {
    const usage = { turns: 9, inputTokens: 900, outputTokens: 90, estimated: false }
    const { host, result } = await whole(
      { runs: [measured(3, 3)], prepared: { restored: restored({ usage }) } },
      { project: '/repo', cycleId: 'cycle-1', extend: 'And docs' },
    )
    expect(result.usage.turns).toBe(9 + host.turns.length)
    expect(result.usage.inputTokens).toBeGreaterThan(900)
  })
})

test('an interrupted agent keeps its documents: a stop while VAS validates restores none', async () => {
  const host = cycleHost({
    runs: [measured(3, 3)],
    turn: (t) => (t.turn === 'validate' ? { waitForCancel: true } : {}),
  })
  await run(host, async (r) => {
    await r.until('the validation', () => host.turns.some((t) => t.turn === 'validate'))
    await r.handle.signal('stop')
    return r.result()
  })
  expect(host.records.at(-1)).toMatchObject({
    settled: ['ra', 'ep', 'cd'],
    state: { agents: { vas: { status: 'failed' } } },
    result: { outcome: 'stopped' },
  })
})

test('current_phase: staged, it is the agent that works', async () => {
  const host = cycleHost({
    runs: [measured(3, 3)],
    turn: async () => {
      phases.push(
        ((await handle?.query('state')) as { state: { currentPhase: string } }).state.currentPhase,
      )
      return {}
    },
  })
  const phases: string[] = []
  let handle: Running['handle'] | undefined
  await run(
    host,
    (r) => {
      handle = r.handle
      return r.result()
    },
    { ...TASK, scheduling: 'staged' },
  )
  expect(phases).toEqual(['ra', 'ep', 'cd', 'vas'])
  expect(host.commits.map((c) => c.record.state.currentPhase)).toEqual(['aggregation'])
})

test('the end names the tests that CD changed, including those of earlier iterations', async () => {
  const { host, result } = await whole(
    {
      runs: [measured(3, 3), measured(2, 3), measured(2, 3), measured(3, 3)],
      changedTests: (n) => (n === 1 ? ['a.test.ts'] : []),
    },
    { ...TASK, maxIterations: 3 },
  )
  expect(host.records.at(-1)).toMatchObject({
    state: {
      iteration: 2,
      warnings: ['existing tests were changed in iteration 1: a.test.ts'],
    },
  })
  expect(result).toMatchObject({
    outcome: 'completed',
    reviewNeeded: true,
    reason: 'existing tests were changed: a.test.ts',
    changedTestFiles: ['a.test.ts'],
  })
})

test('over ten iterations with a task of 6,000 characters a turn stays below 16 kB and the state stops growing', async () => {
  const list = (what: string, of: number) =>
    Array.from({ length: 3 }, (_, i) => `${what} ${of}.${i} ${'w'.repeat(80)}`)
  let call = 0
  const failures = Array.from({ length: 5 }, (_, f) => ({
    test: `logs in with provider ${f}`,
    file: 'test/login/oauth.test.ts',
    error: 'e'.repeat(200),
  }))
  const host = cycleHost({
    runs: [measured(10, 20, { failures })],
    turn: (t) =>
      t.phase === 'cd'
        ? {
            says: {
              issues: list('issue', ++call),
              blockers: list('blocker', call),
              planIssues: list('plan', call),
            },
          }
        : {},
  })
  const { handle } = await run(
    host,
    async (r) => {
      await r.result()
      return r
    },
    { ...TASK, task: 'x'.repeat(6_000), maxIterations: 10 },
  )
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  expect(host.records.length).toBeGreaterThan(10)
  expect(Math.max(...[...host.turns, ...host.tests].map(bytes))).toBeLessThan(16_000)
  expect(Math.max(...[...host.records, ...host.commits].map(bytes))).toBeLessThan(32_000)
  const history = await handle.fetchHistory()
  const started =
    history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  expect(started.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)).toBeLessThan(25_000)
})

test('IterationRecord: lists the committed files of CD from both rounds, and the documents of the others', async () => {
  const { host } = await whole({ runs: [measured(3, 3), measured(2, 3), measured(3, 3)] })
  expect(host.records.at(-1)?.state.iterations).toMatchObject([
    {
      agentResults: {
        ra: { status: 'completed', files_modified: 1 },
        cd: { status: 'completed', files_modified: 2 },
      },
    },
  ])
})
