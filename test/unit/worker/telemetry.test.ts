// Telemetry of the worker: switched off it does nothing, a taken port is no failure, and error
// messages are not exported.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context as ActivityContext } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTracing, type Tracing } from '../../../src/adapters/telemetry/tracing.js'
import { layout, type Dirs } from '../../../src/adapters/state-dir.js'
import { installRuntime, runtimeMeter } from '../../../src/worker/runtime.js'
import { metricsPage } from '../../../src/worker/telemetry.js'
import { tracingOf } from '../../../src/worker/tracing.js'
import { otlpCollector, type Collector } from '../../support/hooks/otlp-collector.js'

process.env['RATCHET_TRUST'] = '1'
let collector: Collector
let tracing: Tracing
beforeEach(async () => {
  collector = await otlpCollector()
  tracing = openTracing({ to: collector.url, serviceName: 'ratchet', version: '0' })
})
afterEach(() => collector.close())

function activity(activityType: string): ActivityContext {
  // Only what interceptors read.
  return {
    info: {
      activityType,
      activityId: '1',
      inWorkflow: true,
      workflowExecution: { workflowId: 'w', runId: 'r' },
    },
  } as unknown as ActivityContext
}

async function run(
  activityType: string,
  input: object,
  body: () => Promise<unknown>,
): Promise<unknown> {
  const { inbound } = tracingOf(tracing, (_id, runId) => Promise.resolve(runId))(
    activity(activityType),
  )
  return inbound?.execute?.({ args: [input], headers: {} }, body)
}

test('a span names the type of a failed activity, without message and stack, and the failure is rethrown unchanged', async () => {
  const failure = ApplicationFailure.nonRetryable(
    'the key sk-4711 was refused in /home/ann/shop',
    'AgentBroken',
  )
  await expect(
    run('agentTurn', { role: 'code-developer', agent: 'codex', iteration: 2, turn: 'work' }, () =>
      Promise.reject(failure),
    ),
  ).rejects.toBe(failure)
  await tracing.close()
  expect(collector.spans().map(({ name, status }) => [name, status?.code])).toEqual([
    ['turn code-developer', 2],
    ['RunActivity:agentTurn', 2],
  ])
  expect(collector.received()).toContain('AgentBroken')
  for (const hidden of ['sk-4711', '/home/ann', 'telemetry.test'])
    expect(collector.received()).not.toContain(hidden)
})

test('issue "OpenTelemetry": the parent of an activity is its iteration, or the run before the first iteration', async () => {
  await run('prepareRun', {}, () => Promise.resolve())
  await run(
    'agentTurn',
    { role: 'code-developer', agent: 'codex', iteration: 1, turn: 'work' },
    () => Promise.reject(new Error('x')),
  ).catch(() => undefined)
  await tracing.close()
  const parents = collector
    .spans()
    .filter(({ name }) => name.startsWith('RunActivity'))
    .map(({ parentSpanId }) => parentSpanId)
  expect(new Set(parents).size).toBe(2)
  expect(new Set(collector.spans().map(({ traceId }) => traceId)).size).toBe(1)
})

test('reports a taken port and uses the next free one; amounts keep their fractions', async () => {
  const taken = http.createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const said: string[] = []
  const runtime = installRuntime(String(port), (text) => said.push(text))
  const page = /http:\S+/.exec(said.join())?.[0] ?? ''
  expect(said).toEqual([`metrics: ${page} (port ${port} is taken)`])
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const meter = runtimeMeter(runtime)
  meter.sum('ratchet_cost_usd_total', 0.25, { agent: 'claude' })
  meter.sum('ratchet_cost_usd_total', 0.5, { agent: 'claude' })
  meter.count('ratchet_turns_total', 2, { agent: 'claude' })
  const scraped = await (await fetch(page)).text()
  expect(scraped).toContain('ratchet_cost_usd_total{agent="claude"} 0.75')
  expect(scraped).toContain('ratchet_turns_total{agent="claude"} 2')
  await runtime.shutdown()
  taken.close()
})

test('reports an address that this host does not have, and the worker keeps running', async () => {
  const said: string[] = []
  const runtime = installRuntime('203.0.113.1:9464', (text) => said.push(text))
  expect(said).toEqual([
    expect.stringMatching(/^metrics: none, as 203\.0\.113\.1:9464 cannot be opened: /),
  ])
  expect(runtime).toBeInstanceOf(Runtime)
  await runtime.shutdown()
})

test.each(
  // prettier-ignore
  [
  { why: 'none is registered', projects: [], metrics: undefined },
  { why: 'none asks', projects: [{}], metrics: undefined },
  { why: 'a project asks', projects: [{ telemetry: { metrics: '127.0.0.1:9464' } }], metrics: '127.0.0.1:9464' },
  { why: 'the project registered first wins', projects: [{}, { telemetry: { metrics: '9500' } }, { telemetry: { metrics: '127.0.0.1:9464' } }], metrics: '9500' },
  { why: 'a config that cannot be read asks for nothing', projects: [{ telemetry: { metrics: 'nowhere' } }, { telemetry: { metrics: '9464' } }], metrics: '9464' },
  { why: 'a missing project asks for nothing', projects: [undefined, { telemetry: { metrics: '9464' } }], metrics: '9464' },
],
)(
  'issue "Prometheus metrics": the page of the metrics: $why -> $metrics',
  async ({ projects, metrics }) => {
    const root = mkdtempSync(path.join(tmpdir(), 'ratchet-telemetry-'))
    const dirs = dirsIn(root)
    projects.forEach((config, n) => register(dirs, path.join(root, `project-${n}`), config, n))
    const said: string[] = []
    expect(await metricsPage(dirs, (text) => said.push(text))).toBe(metrics)
    expect(said).toEqual([])
    rmSync(root, { recursive: true })
  },
)

test('reports an unreadable project register, and the workflow worker starts', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'ratchet-telemetry-'))
  const dirs = dirsIn(root)
  mkdirSync(dirs.state, { recursive: true })
  writeFileSync(path.dirname(layout.project(dirs, KEY(0))), 'a file where a directory belongs')
  const said: string[] = []
  expect(await metricsPage(dirs, (text) => said.push(text))).toBeUndefined()
  expect(said).toEqual([expect.stringMatching(/^metrics: none, as the projects cannot be read: /)])
  rmSync(root, { recursive: true })
})

const KEY = (n: number) => String(n).padStart(12, '0')
const dirsIn = (root: string): Dirs => ({
  state: path.join(root, 'state'),
  cache: path.join(root, 'cache'),
})

/** A project without a config is one that was deleted. */
function register(dirs: Dirs, project: string, config: object | undefined, n: number): void {
  const file = layout.project(dirs, KEY(n))
  mkdirSync(path.dirname(file), { recursive: true })
  // Later keys are registered later, and the directory lists them in any order.
  writeFileSync(
    file,
    JSON.stringify({ path: project, key: KEY(n), registeredAt: new Date(n).toISOString() }),
  )
  if (config === undefined) return
  mkdirSync(project, { recursive: true })
  writeFileSync(path.join(project, 'ratchet.config.json'), JSON.stringify(config))
}

test('without a setting nothing is intercepted', async () => {
  const { openTelemetry } = await import('../../../src/worker/telemetry.js')
  const runtime = Runtime.install({ logger: new DefaultLogger('ERROR') })
  const telemetry = await openTelemetry({ serviceName: 'ratchet' }, () => runtimeMeter(runtime))
  expect(telemetry.interceptors({} as never)).toEqual([])
  await telemetry.close()
  await runtime.shutdown()
})
