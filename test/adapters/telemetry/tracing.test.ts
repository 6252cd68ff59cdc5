// Spans as a collector gets them.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { traceIds } from '../../../src/adapters/telemetry/trace-ids.js'
import { openTracing, type Tracing } from '../../../src/adapters/telemetry/tracing.js'
import { otlpCollector, type Collector } from '../../support/hooks/otlp-collector.js'

let collector: Collector
beforeEach(async () => {
  collector = await otlpCollector()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await collector.close()
})

const open = (to: string): Tracing => openTracing({ to, serviceName: 'shop', version: '1.2.3' })
const ids = traceIds('cycle-1', 'first')
const RUN = {
  name: 'run dev-cycle',
  ids,
  spanId: ids.run,
  startedAt: 1_000,
  endedAt: 3_000,
  attributes: { 'ratchet.run': 'cycle-1' },
}

test('a run has the same ids in every process, and others where its id is used again', () => {
  expect(traceIds('cycle-1', 'first').trace).toBe(ids.trace)
  expect(ids.trace).toMatch(/^[0-9a-f]{32}$/)
  expect(ids.run).toMatch(/^[0-9a-f]{16}$/)
  expect(
    new Set([ids.trace, traceIds('cycle-1', 'second').trace, traceIds('cycle-2', 'first').trace])
      .size,
  ).toBe(3)
  expect(new Set([ids.run, ids.iteration(1), ids.iteration(2)]).size).toBe(3)
})

test('a known span has its ids, its times, its parent; the next span has random ones', async () => {
  const tracing = open(collector.url)
  tracing.emit(RUN)
  tracing.emit({ ...RUN, name: 'iteration 1', spanId: ids.iteration(1), parent: ids.run })
  tracing.tracer.startSpan('turn', {}, tracing.within(ids, ids.iteration(1))).end()
  await tracing.close()
  const [run, iteration, turn] = collector.spans()
  expect(run).toMatchObject({
    traceId: ids.trace,
    spanId: ids.run,
    startTimeUnixNano: '1000000000',
    endTimeUnixNano: '3000000000',
    attributes: { 'ratchet.run': 'cycle-1' },
    resource: { 'service.name': 'shop', 'service.version': '1.2.3' },
  })
  expect(run?.parentSpanId).toBeUndefined()
  expect(iteration).toMatchObject({
    traceId: ids.trace,
    spanId: ids.iteration(1),
    parentSpanId: ids.run,
  })
  expect(turn).toMatchObject({ traceId: ids.trace, parentSpanId: ids.iteration(1) })
  expect(turn?.spanId).not.toBe(ids.iteration(1))
})

test('a key for another collector does not go to the one of the configuration', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-api-key=somebody-elses')
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9')
  const tracing = open(collector.url)
  tracing.emit(RUN)
  await tracing.close()
  expect(collector.spans()).toHaveLength(1)
  expect(collector.headers().map((headers) => headers['x-api-key'])).toEqual([undefined])
})

test('"env": address and headers come from the environment', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', new URL(collector.url).origin)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-api-key=ours')
  const tracing = open('env')
  tracing.emit(RUN)
  await tracing.close()
  expect(collector.spans().map(({ name }) => name)).toEqual(['run dev-cycle'])
  expect(collector.headers().map((headers) => headers['x-api-key'])).toEqual(['ours'])
})

test('a sampler of the environment does not switch spans off', async () => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_off')
  const tracing = open(collector.url)
  tracing.emit(RUN)
  await tracing.close()
  expect(collector.spans()).toHaveLength(1)
})

test('a collector that never answers does not delay the end of a worker', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const tracing = open(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/traces`)
  tracing.emit(RUN)
  const [socket] = (await once(silent, 'connection')) as [Socket]
  await tracing.close()
  socket.destroy()
  silent.close()
}, 9_000) // the export itself gives up after ten
