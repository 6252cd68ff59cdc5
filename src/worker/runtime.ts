// The SDK's runtime, one per process, and with it the page that Prometheus scrapes. The page shows
// the SDK's own metrics and ours.
import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { Labels, Meter } from '../adapters/telemetry/run-counts.js'

/** Ports that are tried behind one that is taken: several users of a host may ask for the same. */
const FURTHER_PORTS = 50
const LAST_PORT = 65_535
/** Seconds. */
const TURN_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200]

/**
 * Installs the runtime; with `metrics` also the page, on that port or the next free one. Without a
 * free port the worker continues without it.
 *
 * @param metrics address and port, or a port on 127.0.0.1
 * @param say receives the address of the page, and why it is not the requested one
 */
export function installRuntime(metrics: string | undefined, say: (text: string) => void): Runtime {
  const base = { logger: new DefaultLogger('WARN'), shutdownSignals: [] }
  if (metrics === undefined) return Runtime.install(base)
  const { host, port } = listenAddress(metrics)
  let why = ''
  for (let at = port; at <= Math.min(port + FURTHER_PORTS, LAST_PORT); at++) {
    try {
      const runtime = Runtime.install({
        ...base,
        telemetryOptions: {
          metrics: {
            prometheus: {
              bindAddress: `${host}:${at}`,
              useSecondsForDurations: true,
              histogramBucketOverrides: { ratchet_turn_seconds: TURN_BUCKETS },
            },
          },
        },
      })
      say(`metrics: http://${host}:${at}/metrics${at === port ? '' : ` (port ${port} is taken)`}`)
      return runtime
    } catch (error) {
      why = (error as Error).message
      if (!why.includes('in use')) break
    }
  }
  say(`metrics: none, as ${host}:${port} cannot be opened: ${why}`)
  return Runtime.install(base)
}

/** The same address with the next port; the last one where there is none above. */
export function portAbove(metrics: string): string {
  const { host, port } = listenAddress(metrics)
  return `${host}:${Math.min(port + 1, LAST_PORT)}`
}

function listenAddress(metrics: string): { host: string; port: number } {
  const colon = metrics.lastIndexOf(':')
  const host = colon < 0 ? 'localhost' : metrics.slice(0, colon)
  return { host: host === 'localhost' ? '127.0.0.1' : host, port: Number(metrics.slice(colon + 1)) }
}

const HELP: Record<string, string> = {
  ratchet_turns_total: 'Turns of agents that ended',
  ratchet_tokens_total: 'Tokens that agents used',
  ratchet_cost_usd_total: 'US dollars that agents reported',
  ratchet_turn_seconds: 'Duration of turns',
  ratchet_verdicts_total: 'Results of iterations',
  ratchet_test_runs_total: 'Test runs of the project',
  ratchet_rate_limited_total: 'Turns that were rate limited',
  ratchet_unavailable_total: 'Turns whose provider was away',
  ratchet_budget_parked_total: 'Runs that waited for a larger budget',
  ratchet_runs_total: 'Runs that ended',
}

/**
 * Ours, on the same page. Counters of the SDK hold whole numbers, so an amount with fractions is a
 * gauge that only grows.
 */
export function runtimeMeter(runtime: Runtime): Meter {
  const { metricMeter } = runtime
  const made = new Map<string, unknown>()
  const once = <T>(name: string, make: (help: string) => T): T => {
    const metric = (made.get(name) as T | undefined) ?? make(HELP[name] ?? name)
    made.set(name, metric)
    return metric
  }
  const sums = new Map<string, number>()
  return {
    count: (name, by, labels) =>
      once(name, (help) => metricMeter.createCounter(name, '', help)).add(Math.round(by), labels),
    sum: (name, by, labels) => {
      const total = (sums.get(name + key(labels)) ?? 0) + by
      sums.set(name + key(labels), total)
      once(name, (help) => metricMeter.createGauge(name, 'float', '', help)).set(total, labels)
    },
    observe: (name, value, labels) =>
      once(name, (help) => metricMeter.createHistogram(name, 'float', '', help)).record(
        value,
        labels,
      ),
  }
}

const key = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort())
