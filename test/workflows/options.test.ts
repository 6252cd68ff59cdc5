// The limits that a run requests from the server, read from its history.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { stubHost } from '../support/stub-host.js'
import type { Measured } from '../../src/contract/test-run.js'
import { compared, measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

type Options = {
  type: string
  startToClose: number
  heartbeat: number
  attempts: number
  longestBackoff: number
  queue: string
}

async function optionsByActivity(): Promise<{
  events: number
  activities: Options[]
  chain: number
}> {
  const host = stubHost({ runs: [measured(3, 5), measured(5, 5), measured(5, 5)] })
  const activities: Options[] = []
  let events = 0
  let chain = 0
  await runCycle(env, host, async (run) => {
    await run.result()
    let runId: string | undefined = run.handle.firstExecutionRunId
    while (runId !== undefined) {
      chain++
      const history = await env.client.workflow
        .getHandle(run.handle.workflowId, runId)
        .fetchHistory()
      events = Math.max(events, history.events?.length ?? 0)
      runId = undefined
      for (const event of history.events ?? []) {
        const a = event.activityTaskScheduledEventAttributes
        if (a != null)
          activities.push({
            type: a.activityType?.name ?? '',
            startToClose: Number(a.startToCloseTimeout?.seconds ?? 0),
            heartbeat: Number(a.heartbeatTimeout?.seconds ?? 0),
            attempts: a.retryPolicy?.maximumAttempts ?? 0,
            longestBackoff: Number(a.retryPolicy?.maximumInterval?.seconds ?? 0),
            queue: a.taskQueue?.name ?? '',
          })
        runId = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? runId
      }
    }
  })
  return { events, activities, chain }
}

test('payloads between workflow and host stay below 21 kB, with a run of 8 kB and notes of maximum length', async () => {
  const long = (n: number): Measured =>
    measured(10 + n, 20, {
      fingerprint: `f${n}`,
      failures: Array.from({ length: 5 }, (_, f) => ({
        test: `${'t'.repeat(290)}${f}`,
        file: `${'f'.repeat(290)}.ts`,
        error: 'e'.repeat(200),
      })),
      flakyTests: Array.from({ length: 4 }, (_, f) => `${'y'.repeat(290)}${f}`),
      comparison: compared({
        levels: { high: 10 - n, medium: 0, low: 0, undecided: 10 - n },
        stuck: 0,
        stuckTests: Array.from({ length: 4 }, (_, f) => `${'s'.repeat(340)}${f}`),
      }),
    })
  const host = stubHost({
    runs: [0, 1, 2, 3, 4, 5].map(long),
    turn: (t) =>
      t.role === 'test-fix-agent'
        ? { tail: 'All tests pass.', denied: Array.from({ length: 5 }, () => 'x'.repeat(200)) }
        : {},
  })
  await runCycle(env, host, (run) => run.result(), { project: '/repo' })
  const bytes = (input: unknown) => Buffer.byteLength(JSON.stringify(input))
  expect(host.records.length).toBeGreaterThan(5)
  expect(
    Math.max(...[...host.turns, ...host.tests, ...host.records, ...host.commits].map(bytes)),
  ).toBeLessThan(21_000)
})

test('turns have their limit plus 12 h of waiting, a heartbeat timeout of a minute and unlimited retries', async () => {
  const { activities, events, chain } = await optionsByActivity()
  const of = (type: string) => activities.filter((a) => a.type === type)
  const HOUR = 3_600
  expect(of('agentTurn').map((a) => a.startToClose)).toEqual([
    40 * 60 + 12 * HOUR,
    30 * 60 + 12 * HOUR,
  ])
  expect(of('runTests').map((a) => a.startToClose)).toEqual(Array(3).fill(10 * 60 + 12 * HOUR))
  expect(activities.filter((a) => a.type !== 'serverFacts').every((a) => a.heartbeat === 60)).toBe(
    true,
  )
  expect(activities.every((a) => a.attempts === 0 && a.longestBackoff === 30)).toBe(true)
  // One iteration is one run, of at most 8 activities and far below 1,000 events.
  expect(chain).toBe(3)
  expect(activities.length).toBeLessThanOrEqual(4 + 8 + 2)
  expect(events).toBeLessThan(200)
})
