// Telemetry of the workers: off unless the configuration of a project asks for it, and then nothing
// of it is loaded.
import { existsSync } from 'node:fs'
import type { Client } from '@temporalio/client'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { loadConfig } from '../adapters/config/config.js'
import { requireTrust } from '../adapters/trust/project-trust.js'
import { VERSION } from '../adapters/package.js'
import { registeredProjects } from '../adapters/config/registry.js'
import type { Dirs } from '../adapters/state-dir.js'
import type { TelemetrySettings } from '../contract/config/telemetry-settings.js'
import { RefusalError } from '../contract/failures.js'
import { type Meter, RunCounts } from '../adapters/telemetry/run-counts.js'
import { chains } from './interceptor-chain.js'
import { counting } from './counting.js'

export type Telemetry = {
  interceptors: (client: Client) => ActivityInterceptorsFactory[]
  /** Sends what was gathered, for a few seconds at most. */
  close: () => Promise<void>
}

/**
 * Returns the settings of the project. An unreadable or untrusted configuration means no telemetry;
 * its runs report the error.
 */
export async function telemetrySettings(
  dirs: Dirs,
  project: string,
  env: NodeJS.ProcessEnv,
): Promise<TelemetrySettings | undefined> {
  try {
    const { telemetry } = loadConfig(project).config
    if (telemetry !== undefined) await requireTrust(dirs, project, env)
    return telemetry
  } catch (error) {
    if (error instanceof RefusalError) return undefined
    throw error
  }
}

/**
 * Returns where the worker of the projects shows its metrics; that of the workflows does so a port
 * above. It is the setting of the project that was registered first of those that have one. Trouble
 * with the projects' files is said and means none: a worker of all projects must start.
 */
export async function metricsPage(
  dirs: Dirs,
  say: (text: string) => void,
): Promise<string | undefined> {
  try {
    const projects = registeredProjects(dirs)
      .filter(({ path }) => existsSync(path))
      .sort((a, b) => a.registeredAt.localeCompare(b.registeredAt))
    for (const { path } of projects) {
      const { metrics } = (await telemetrySettings(dirs, path, process.env)) ?? {}
      if (metrics !== undefined) return metrics
    }
    return undefined
  } catch (error) {
    say(`metrics: none, as the projects cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

/** @param meter of the process, on the page of the metrics */
export async function openTelemetry(
  { metrics, traces, serviceName }: TelemetrySettings,
  meter: () => Meter,
): Promise<Telemetry> {
  if (metrics === undefined && traces === undefined)
    return { interceptors: () => [], close: () => Promise.resolve() }
  const counted = metrics === undefined ? [] : [counting(new RunCounts(meter(), Date.now()))]
  if (traces === undefined) return { interceptors: () => counted, close: () => Promise.resolve() }
  const [{ openTracing }, { tracingOf }] = await Promise.all([
    import('../adapters/telemetry/tracing.js'),
    import('./tracing.js'),
  ])
  const tracing = openTracing({ to: traces, serviceName, version: VERSION })
  return {
    interceptors: (client) => [...counted, tracingOf(tracing, chains(client))],
    close: () => tracing.close(),
  }
}
