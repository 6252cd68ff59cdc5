// The telemetry of a real run: spans at a collector and metrics on the worker's page, without any
// text of users or agents.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerProject } from '../../src/adapters/config/registry.js'
import type { RunResult } from '../../src/client/index.js'
import { otlpCollector, type Collector } from '../support/hooks/otlp-collector.js'
import { makeProject, realUser, TWO_FIXES, type RealUser } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

const SECRET = 'tel-secret-4711'
let user: RealUser
let collector: Collector
let taken: http.Server
let project: string
let result: RunResult
let scraped: string
let page: string
let workflowsPage: string

beforeAll(async () => {
  user = await realUser({
    TELEMETRY_TEST_KEY: SECRET,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${SECRET}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  collector = await otlpCollector()
  taken = http.createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  project = makeProject(user, 'observed', TWO_FIXES, {
    agents: { playbook: { protocol: 'playbook', passEnv: ['TELEMETRY_TEST_KEY'] } },
    telemetry: { traces: collector.url, metrics: `127.0.0.1:${port}` },
  })
  // The workflow worker started before the project existed, so it must restart, as after a change
  // of the config.
  await registerProject(user.dirs, project)
  process.kill(await user.pidOf('workflows'), 'SIGTERM')
  workflowsPage = await waitFor(() => /metrics: (http:\S+)/.exec(user.log('workflows'))?.[1], {
    what: 'the page of the worker for workflows',
    timeoutMs: 30_000,
  })
  result = await user.finish(await user.fix(project, 'WFS-test-observed'))
  page = await waitFor(
    () => /metrics: (http:\S+) \(port \d+ is taken\)/.exec(user.log('projects'))?.[1],
    { what: 'the page of the metrics', timeoutMs: 10_000 },
  )
  // The last record is counted when its activity ends, after the run.
  scraped = await waitFor(
    async () => {
      const text = await (await fetch(page)).text()
      return text.includes('ratchet_runs_total') ? text : undefined
    },
    { what: 'the end of the run in the metrics', timeoutMs: 10_000 },
  )
  await waitFor(() => collector.spans().some(({ name }) => name === 'run test-fix') || undefined, {
    what: 'the span of the run',
    timeoutMs: 20_000,
  })
})
afterAll(async () => {
  await user.close()
  await collector.close()
  taken.close()
})

const named = (name: string) => collector.spans().filter((span) => span.name === name)
const only = (name: string) => {
  const [span, ...more] = named(name)
  if (span === undefined || more.length > 0) throw new Error(`${name}: ${named(name).length} spans`)
  return span
}
/** Sum over all samples of a metric with these labels. */
const sample = (metric: string, labels: Record<string, string> = {}): number =>
  scraped
    .split('\n')
    .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
    .filter((line) =>
      Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)),
    )
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)

test('issue "OpenTelemetry": all spans of a run are one trace under one root', () => {
  const spans = collector.spans()
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(
    spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name),
  ).toEqual(['run test-fix'])
  const ids = new Set(spans.map(({ spanId }) => spanId))
  expect(ids.size).toBe(spans.length)
  expect(
    spans
      .filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))
      .map(({ name }) => name),
  ).toEqual([])
})

test('issue "OpenTelemetry": run, iteration, activity and turn are nested', () => {
  const fix = named('turn test-fix-agent').find(
    ({ attributes }) => attributes['ratchet.iteration'] === 1,
  )
  const activity = collector.spans().find(({ spanId }) => spanId === fix?.parentSpanId)
  const iteration = collector.spans().find(({ spanId }) => spanId === activity?.parentSpanId)
  expect([activity?.name, iteration?.name, iteration?.parentSpanId]).toEqual([
    'RunActivity:agentTurn',
    'iteration 1',
    only('run test-fix').spanId,
  ])
  for (const inner of collector
    .spans()
    .filter(({ parentSpanId }) => parentSpanId === iteration?.spanId)) {
    expect(
      BigInt(inner.startTimeUnixNano) >= BigInt(iteration?.startTimeUnixNano ?? 0),
      inner.name,
    ).toBe(true)
    expect(
      BigInt(inner.endTimeUnixNano) <= BigInt(iteration?.endTimeUnixNano ?? 0),
      inner.name,
    ).toBe(true)
  }
})

test('issue "OpenTelemetry": a turn has role, agent, iteration, outcome, tokens, attempts and session; a test run its verdict', () => {
  expect(named('turn test-fix-agent')[0]?.attributes).toMatchObject({
    'ratchet.role': 'test-fix-agent',
    'ratchet.agent': 'playbook',
    'ratchet.iteration': 1,
    'ratchet.outcome': 'completed',
    'ratchet.attempts': 1,
    'ratchet.turn': 'work',
    'gen_ai.usage.input_tokens': expect.any(Number) as number,
    'gen_ai.usage.output_tokens': expect.any(Number) as number,
    'ratchet.usage.estimated': expect.any(Boolean) as boolean,
    'ratchet.session.id': expect.any(String) as string,
  })
  expect(
    named('test run').map(({ attributes }) => [
      attributes['ratchet.verdict'],
      attributes['ratchet.pass_rate'],
    ]),
  ).toEqual([
    ['measured', 33.3],
    ['measured', 66.6],
    ['measured', 100],
    ['measured', 100],
  ])
  expect(only('run test-fix').attributes).toMatchObject({
    'ratchet.outcome': 'success',
    'ratchet.pass_rate': 100,
    'ratchet.turns': result.usage.turns,
  })
  expect(only('run test-fix').resource).toMatchObject({ 'service.name': 'ratchet' })
})

test('issue "OpenTelemetry": the counts match the run', () => {
  expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
  expect(sample('ratchet_turns_total')).toBe(result.usage.turns)
  expect(
    sample('ratchet_turns_total', {
      role: 'test-fix-agent',
      agent: 'playbook',
      outcome: 'completed',
    }),
  ).toBe(2)
  expect(sample('ratchet_tokens_total', { direction: 'input' })).toBe(result.usage.inputTokens)
  expect(sample('ratchet_tokens_total', { direction: 'output' })).toBe(result.usage.outputTokens)
  expect(sample('ratchet_turn_seconds_count')).toBe(result.usage.turns)
  expect(sample('ratchet_test_runs_total', { result: 'measured' })).toBe(4)
  expect(sample('ratchet_verdicts_total', { verdict: 'kept' })).toBe(2)
  expect(sample('ratchet_runs_total', { kind: 'test-fix', outcome: 'success' })).toBe(1)
  expect(scraped).toContain('temporal_activity_execution_latency')
})

test('neither contains a secret, text of a prompt or answer, or a path of the project', () => {
  for (const [what, text] of [
    ['spans', collector.received()],
    ['metrics', scraped],
    ['headers', JSON.stringify(collector.headers())],
  ] as const)
    for (const hidden of [
      SECRET,
      'ratchet-turn',
      'Role:',
      'wrong operator',
      'Root Cause',
      'assert add',
      project,
      user.root,
    ])
      expect(text, `${hidden} in ${what}`).not.toContain(hidden)
})

test('issue "Prometheus metrics": the workflow worker has its own page, one port above', async () => {
  const { port } = taken.address() as AddressInfo
  expect(Number(new URL(workflowsPage).port)).toBeGreaterThan(port)
  expect(workflowsPage).not.toBe(page)
  const text = await (await fetch(workflowsPage)).text()
  expect(text).toMatch(/^temporal_workflow_completed\{.*workflow_type="testFixCycle".*\} 1$/m)
  for (const hidden of [SECRET, project, user.root]) expect(text).not.toContain(hidden)
})

test('the page listens on 127.0.0.1, on the next free port', () => {
  expect(new URL(page).hostname).toBe('127.0.0.1')
  expect(Number(new URL(page).port)).toBeGreaterThan((taken.address() as AddressInfo).port)
})
