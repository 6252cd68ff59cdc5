// Every kept history replays against the current workflows: an open run continues after an upgrade.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Worker, type ReplayResult } from '@temporalio/worker'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Kind } from '../../src/contract/names.js'
import { quietRuntime, workflowBundle } from '../support/servers/workflow-env.js'
import { DIRECTORY, historyId } from './keep-history.js'

const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.json'))
quietRuntime()

type History = {
  events: {
    eventType?: string | number
    activityTaskScheduledEventAttributes?: { activityType: { name: string } }
  }[]
}
const read = (name: string) =>
  JSON.parse(readFileSync(path.join(DIRECTORY, name), 'utf8')) as History
const workflowId = (name: string) => historyId(name.split('.')[0] as Kind, name.split('.')[1] ?? '')

const PATHS = [
  'happy',
  'paused',
  'stopped',
  'cancelled',
  'budget-spent',
  'agent-crashed',
  'worker-lost',
  'rolled-back',
  'converged',
  'asked-and-extended',
]
const MORE_PATHS = [
  'assessed-low',
  'stuck',
  'degraded',
  'degraded-blocked',
  'final-failed',
  'tests-generated',
  'gate-blocked',
  'resumed-fix',
  'resumed-retest',
  'flaky',
  'no-change',
  'approved',
  'not-approved',
  'approved-tests',
]
const OF_CYCLES = [
  'success',
  'with-issues',
  'timeout',
  'extension',
  'stopped',
  'interactive',
  'plan-changed',
  'continued',
  'feedback',
  'staged',
  'paused',
  'cancelled',
  'worker-lost',
  'agent-failed',
  'blockers-and-decisions',
]

const OF_LOOPS = [
  'auto',
  'auto-debug',
  'auto-tasks',
  'auto-clarified',
  'auto-timeout',
  'auto-stuck',
  'max-iterations',
  'no-tests',
  'no-block',
  'no-agent',
  'worker-lost',
  'interactive',
  'interactive-clarified',
  'breakdown-changed',
  'user-exit',
  'paused-at-the-menu',
  'mode-changed',
  'extended',
  'continued',
  'parallel',
  'parallel-conflict',
  'parallel-timeout',
  'stopped-at-a-conflict',
  'paused',
  'stopped',
  'cancelled',
]

test.each(OF_LOOPS)('a history of the loop "%s" is kept', (name) => {
  expect(files.some((file) => file.startsWith(`dev-loop.${name}.`))).toBe(true)
})

test.each(OF_CYCLES)('a history of the cycle "%s" is kept', (name) => {
  expect(files.some((file) => file.startsWith(`dev-cycle.${name}.`))).toBe(true)
})

test.each(['auto', 'answered', 'no-draft', 'paused', 'stopped'])(
  'a history of the preparation "%s" is kept',
  (name) => {
    expect(files.some((file) => file.startsWith(`prep.${name}.`))).toBe(true)
  },
)

test.each([...PATHS, ...MORE_PATHS])('a history of the path "%s" is kept', (name) => {
  expect(files.some((file) => file.startsWith(`test-fix.${name}.`))).toBe(true)
})

test.each([
  'test-fix.hooks-told',
  'test-fix.hooks-withdrawn',
  'test-fix.hooks-failed',
  'test-fix.hooks-stopped',
  'dev-cycle.hooks',
  'dev-loop.hooks',
])('a history with hooks, "%s", is kept', (name) => {
  const told = files
    .filter((file) => file.startsWith(`${name}.`))
    .flatMap((file) => read(file).events)
    .filter((e) => e.activityTaskScheduledEventAttributes?.activityType.name === 'notify')
  expect(told.length).toBeGreaterThan(0)
})

test('a history that continues as new is kept link by link', () => {
  expect(files.filter((file) => file.startsWith('test-fix.happy.')).length).toBeGreaterThan(2)
})

describe('with the current workflows', () => {
  // One worker replays all, one after the other: starting a worker takes longer than a replay.
  const problems = new Map<string, Error | undefined>()
  beforeAll(async () => {
    const results = Worker.runReplayHistories(
      { workflowBundle: await workflowBundle() },
      files.map((name) => ({ history: read(name), workflowId: workflowId(name) })),
    )
    for (const name of files)
      problems.set(name, ((await results.next()).value as ReplayResult).error)
    await results.return?.()
  })

  test.each(files)('%s replays', (name) => {
    expect(problems.has(name)).toBe(true)
    expect(problems.get(name)).toBeUndefined()
  })
})

test('reports a workflow that schedules another activity than its history, and replays the histories after it', async () => {
  const name = 'test-fix.happy.1.json'
  const history = read(name)
  const scheduled = history.events.filter(
    (e) => e.activityTaskScheduledEventAttributes !== undefined,
  )
  const last = scheduled.at(-1)?.activityTaskScheduledEventAttributes
  if (last === undefined) throw new Error(`${name} schedules no activity`)
  last.activityType.name = 'somethingElse'
  const results = Worker.runReplayHistories(
    { workflowBundle: await workflowBundle() },
    [history, read(name)].map((one) => ({ history: one, workflowId: workflowId(name) })),
  )
  const errors: (Error | undefined)[] = []
  for await (const { error } of results) errors.push(error)
  expect(errors).toEqual([expect.any(Error), undefined])
  expect(String(errors[0])).toMatch(/TMPRL1100|[Nn]ondeterminism/)
})
