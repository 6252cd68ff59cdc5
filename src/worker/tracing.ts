// Spans of a project's activities, around each one and from its result. Nothing in workflows, core
// or activities knows of it.
//
// The run and its iterations have spans too. Their ids follow from the run, so activities name them
// as parents at once; they are sent when the run's last record is written.
import { SpanStatusCode, context, type Span } from '@opentelemetry/api'
import type { Context as ActivityContext } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry'
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import type { RunResult } from '../contract/result.js'
import {
  askedAttributes,
  iterationAttributes,
  runAttributes,
  testAttributes,
  turnAttributes,
} from '../adapters/telemetry/span-attributes.js'
import { traceIds, type TraceIds } from '../adapters/telemetry/trace-ids.js'
import type { Tracing } from '../adapters/telemetry/tracing.js'
import { Recent } from '../core/recent.js'
import { RECORDS, observed, type Observed, type Result } from './observed.js'

type Next = (input: ActivityExecuteInput) => Promise<unknown>
type Seen = { startedAt: number; endedAt: number }
type TracedRun = { ids: TraceIds; current: number; iterations: Map<number, Seen> }

/** Runs whose iterations are remembered. */
const REMEMBERED = 200

/** @param chainOf first execution of a run, see `chains` */
export function tracingOf(
  tracing: Tracing,
  chainOf: (workflowId: string, runId: string) => Promise<string>,
): ActivityInterceptorsFactory {
  const runs = new Recent<TracedRun>(REMEMBERED)
  return (activity) => ({
    inbound: {
      async execute(input, next) {
        const { workflowId = '', runId = '' } = activity.info.workflowExecution ?? {}
        const chain = await chainOf(workflowId, runId)
        const run = remembered(runs, workflowId, chain)
        const asked = observed(input)
        run.current = asked.iteration ?? asked.state?.iteration ?? run.current
        const parent = run.current > 0 ? run.ids.iteration(run.current) : run.ids.run
        const seen = run.iterations.get(run.current) ?? { startedAt: Date.now(), endedAt: 0 }
        run.iterations.set(run.current, seen)
        try {
          return await context.with(tracing.within(run.ids, parent), () =>
            around(tracing, activity, input, next),
          )
        } finally {
          seen.endedAt = Date.now() + 1 // the clock of spans is finer than a millisecond
          if (
            RECORDS.includes(activity.info.activityType) &&
            asked.result !== undefined &&
            asked.state !== undefined
          ) {
            ended(tracing, run, asked.state, asked.result)
            runs.delete(run.ids.trace)
          }
        }
      },
    },
  })
}

function remembered(runs: Recent<TracedRun>, workflowId: string, chain: string): TracedRun {
  const ids = traceIds(workflowId, chain)
  const run = runs.get(ids.trace) ?? { ids, current: 0, iterations: new Map<number, Seen>() }
  runs.set(ids.trace, run)
  return run
}

/** The span of the activity and, inside it, the one of its turn or test run. */
async function around(
  tracing: Tracing,
  activity: ActivityContext,
  input: ActivityExecuteInput,
  next: Next,
): Promise<unknown> {
  const failure: { error?: unknown } = {}
  const stock = new OpenTelemetryActivityInboundInterceptor(activity, { tracer: tracing.tracer })
  try {
    return await stock.execute(input, async (given: ActivityExecuteInput) => {
      const span = innerSpan(tracing, activity.info.activityType, given)
      try {
        const value = await next(given)
        describe(span, activity.info.activityType, value)
        return value
      } catch (error) {
        failure.error = error
        span?.setStatus({ code: SpanStatusCode.ERROR })
        // The stock interceptor writes message and stack into the span, and in a message there may
        // be anything.
        throw new WithheldError(error)
      } finally {
        span?.end()
      }
    })
  } catch (error) {
    throw error instanceof WithheldError ? failure.error : error
  }
}

/** Stands for an error where it is reported: its kind, nothing of its text. */
class WithheldError extends Error {
  constructor(error: unknown) {
    super(
      error instanceof ApplicationFailure
        ? (error.type ?? error.name)
        : error instanceof Error
          ? error.name
          : 'Error',
    )
    this.name = this.message
    delete this.stack
  }
}

function innerSpan(
  { tracer }: Tracing,
  type: string,
  input: ActivityExecuteInput,
): Span | undefined {
  if (type === 'runTests') return tracer.startSpan('test run')
  if (type !== 'agentTurn') return undefined
  const { asTurn } = observed(input)
  return tracer.startSpan(`turn ${asTurn.role}`, { attributes: askedAttributes(asTurn) })
}

function describe(span: Span | undefined, type: string, value: unknown): void {
  if (type === 'agentTurn') span?.setAttributes(turnAttributes(value as Result<'agentTurn'>))
  if (type === 'runTests') span?.setAttributes(testAttributes(value as Result<'runTests'>))
}

/**
 * Sends the spans of the iterations and of the run. One that another process began is as long as
 * the record says.
 */
function ended(
  tracing: Tracing,
  { ids, iterations }: TracedRun,
  { startedAt, history }: NonNullable<Observed['state']>,
  result: RunResult,
): void {
  const numbers = new Set([...iterations.keys(), ...history.map(({ iteration }) => iteration)])
  for (const n of [...numbers].filter((one) => one > 0).sort((a, b) => a - b)) {
    const own = history.filter(({ iteration }) => iteration === n)
    const seen = iterations.get(n)
    const starts = [seen?.startedAt, ...own.map((one) => one.startedAt)].filter(
      (at) => at !== undefined,
    )
    const ends = [seen?.endedAt, ...own.map((one) => one.completedAt)].filter(
      (at) => at !== undefined,
    )
    if (starts.length === 0 || ends.length === 0) continue
    tracing.emit({
      name: `iteration ${n}`,
      ids,
      spanId: ids.iteration(n),
      parent: ids.run,
      startedAt: Math.min(...starts),
      endedAt: Math.max(...ends),
      attributes: iterationAttributes(n, own.at(-1)),
    })
  }
  tracing.emit({
    name: `run ${result.kind}`,
    ids,
    spanId: ids.run,
    startedAt,
    endedAt: Date.now(),
    attributes: runAttributes(result),
    failed: result.status === 'failed',
  })
}
