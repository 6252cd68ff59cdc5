// Spans to a collector, by OTLP over HTTP. Loaded only where the configuration names one.
//
// A collector that is away costs nothing but its spans: they wait in a bounded queue, are tried
// again, and are dropped then. No environment variable counts unless the configuration says `env`.
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  context,
  trace,
  type Context,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { Resource } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { Attributes } from './span-attributes.js'
import type { TraceIds } from './trace-ids.js'

/**
 * A span whose id is known before it is over: those inside it name it while it is open. Times are
 * epoch milliseconds.
 */
export type KnownSpan = {
  name: string
  ids: TraceIds
  spanId: string
  parent?: string
  startedAt: number
  endedAt: number
  attributes: Attributes
  failed?: boolean
}

export type Tracing = {
  tracer: Tracer
  /** The context inside a span of that id. */
  within: (ids: TraceIds, spanId: string) => Context
  emit: (span: KnownSpan) => void
  /** Sends what is left, for a few seconds at most. */
  close: () => Promise<void>
}

const SEND_TIMEOUT_MS = 10_000
const CLOSE_MS = 3_000
/** How long spans are gathered before they are sent. */
const GATHER_MS = 1_000

export type TracingOptions = { to: string; serviceName: string; version: string }

/** @param options.to address of the collector, or `env` */
export function openTracing({ to, serviceName, version }: TracingOptions): Tracing {
  const ids = new KnownIds()
  const provider = new BasicTracerProvider({
    resource: new Resource({ 'service.name': serviceName, 'service.version': version }),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor(exporter(to), {
        scheduledDelayMillis: GATHER_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('ratchet', version)
  const within: Tracing['within'] = ({ trace: traceId }, spanId) =>
    trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    })
  return {
    tracer,
    within,
    emit({ name, ids: of, spanId, parent, startedAt, endedAt, attributes, failed = false }) {
      ids.known = { trace: of.trace, span: spanId }
      // As dates: small numbers are taken for times since the process began.
      const span = tracer.startSpan(
        name,
        { startTime: new Date(startedAt), attributes },
        parent === undefined ? ROOT_CONTEXT : within(of, parent),
      )
      ids.known = undefined
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(new Date(Math.max(startedAt, endedAt)))
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      // An unreachable collector delays nothing
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

// The stock exporter mixes headers from the environment into every address: a key for one collector
// would go to another.
function exporter(to: string): SpanExporter {
  if (to === 'env') return new OTLPTraceExporter()
  const delegate = createOtlpHttpExportDelegate(
    {
      url: to,
      headers: () => ({ 'Content-Type': 'application/json' }),
      timeoutMillis: SEND_TIMEOUT_MS,
      concurrencyLimit: 4,
      compression: 'none',
      agentOptions: { keepAlive: true },
    },
    JsonTraceSerializer,
  )
  return new OTLPExporterBase<ReadableSpan[]>(delegate)
}

/** Random ids, but for a span whose ids are known. */
class KnownIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  known: { trace: string; span: string } | undefined

  generateTraceId = (): string => this.known?.trace ?? this.#random.generateTraceId()
  generateSpanId = (): string => this.known?.span ?? this.#random.generateSpanId()
}
