// Telemetry of a project's worker: off unless the project's configuration asks for it, and then nothing of
// it is loaded. Source: issue "OpenTelemetry and Prometheus behind config".
import { readFileSync } from 'node:fs'
import type { Client } from '@temporalio/client'
import type { ActivityInterceptorsFactory, Runtime } from '@temporalio/worker'
import { loadConfig } from '../adapters/config.js'
import type { TelemetrySettings } from '../contract/config.js'
import { RefusalError } from '../contract/failures.js'
import { RunCounts } from '../adapters/telemetry/run-counts.js'
import { chains } from './chain.js'
import { counting } from './counting.js'
import { runtimeMeter } from './runtime.js'

export type Telemetry = {
  interceptors: (client: Client) => ActivityInterceptorsFactory[]
  /** Sends what was gathered, for a few seconds at most. */
  close: () => Promise<void>
}

/** What the project asks for. A configuration that cannot be read asks for nothing here: its runs are told. */
export function telemetrySettings(project: string): TelemetrySettings | undefined {
  try {
    return loadConfig(project).config.telemetry
  } catch (error) {
    if (error instanceof RefusalError) return undefined
    throw error
  }
}

/** @param runtime with the page of the metrics, where there is one */
export async function openTelemetry({ metrics, traces, serviceName }: TelemetrySettings, runtime: Runtime): Promise<Telemetry> {
  if (metrics === undefined && traces === undefined) return { interceptors: () => [], close: () => Promise.resolve() }
  const counted = metrics === undefined ? [] : [counting(new RunCounts(runtimeMeter(runtime), Date.now()))]
  if (traces === undefined) return { interceptors: () => counted, close: () => Promise.resolve() }
  const [{ openTracing }, { tracingOf }] = await Promise.all([import('../adapters/telemetry/tracing.js'), import('./tracing.js')])
  const tracing = openTracing({ to: traces, serviceName, version: version() })
  return { interceptors: (client) => [...counted, tracingOf(tracing, chains(client))], close: () => tracing.close() }
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
}
