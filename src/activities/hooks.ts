// Calls the hooks of a project from its host. A hook never fails a step: what goes wrong becomes a
// warning.
import { activityInfo } from '@temporalio/activity'
import type { HookEvent } from '../contract/hook-event.js'
import type { ReportedFailure, RunResult, StatusReply } from '../contract/result.js'
import type { NotifyInput } from '../contract/step.js'
import type { Workspace } from '../contract/workspace.js'
import { asked, ended, type Told } from '../core/run/hook-events.js'
import { frozenConfig } from '../adapters/config/frozen-config.js'
import { agentSecrets } from '../adapters/agents/config-secrets.js'
import { tellHook } from '../adapters/hooks/tell.js'
import { digest } from '../adapters/state-dir.js'
import { withHeartbeat, type Beat } from './host/with-heartbeat.js'
import type { HostDeps } from './host/deps.js'

export const createHookActivities = (deps: HostDeps) => ({
  /**
   * Tells the hook that a question is open. An answer that comes first ends the hook.
   */
  notify: withHeartbeat(
    deps.inFlight,
    async (
      { run, project, configHash, recordDir, status, question }: NotifyInput,
      beat,
    ): Promise<{ warnings: string[] }> => {
      const told = {
        status,
        project,
        recordDir,
        at: question.askedAt,
        eventId: eventId(run, `${question.id}/${question.askedAt}`),
      }
      return {
        warnings: await tell(deps, configHash, beat, (timezone) =>
          asked({ ...told, timezone }, question),
        ),
      }
    },
  ),
})

export type RunEnd = {
  run: string
  project: string
  configHash: string
  recordDir: string
  status: StatusReply
  at: number
  result: RunResult
  failures: readonly ReportedFailure[]
}

/** Tells the hook of a run that it has ended; its record is where it stays. */
export function tellEnd(
  deps: HostDeps,
  { run, project, configHash, recordDir, status, at, result, failures }: RunEnd,
  beat: Beat,
): Promise<string[]> {
  return tell(deps, configHash, beat, (timezone) =>
    ended(
      { status, project, recordDir, at, timezone, eventId: eventId(run, 'end') },
      result,
      failures,
    ),
  )
}

/**
 * Tells that a cycle or loop has ended; its record is where it stays. Does nothing for an open one.
 */
export async function tellRecorded(
  deps: HostDeps,
  {
    run,
    status,
    at,
    result,
    state: { prepared },
  }: Pick<RunEnd, 'run' | 'status' | 'at'> & {
    result?: RunResult | undefined
    state: { prepared: { workspace: Workspace; configHash: string; recordDir: string } }
  },
  {
    failures = [],
    moved,
  }: {
    failures?: readonly ReportedFailure[] | undefined
    moved?: { archived?: string | undefined } | undefined
  },
  beat: Beat,
): Promise<string[]> {
  if (result === undefined) return []
  const { workspace, configHash } = prepared
  const { project } = workspace
  const recordDir = moved?.archived ?? prepared.recordDir
  return tellEnd(deps, { run, project, configHash, recordDir, status, at, result, failures }, beat)
}

async function tell(
  deps: HostDeps,
  configHash: string,
  beat: Beat,
  event: (timezone: Told['timezone']) => HookEvent,
): Promise<string[]> {
  const config = frozenConfig(deps.dirs, configHash, deps.project)
  const told = event(config.timezone)
  beat.progress({ state: `sending "${told.event}" to the hook` })
  const warning = await tellHook({
    dirs: deps.dirs,
    config,
    env: deps.env,
    secrets: agentSecrets(config, deps.env),
    event: told,
    log: deps.log ?? (() => undefined),
    signal: beat.signal,
  })
  return warning === undefined ? [] : [warning]
}

// The same for every attempt; another one if a run is reset, resumed or started again under its id.
function eventId(run: string, what: string): string {
  return digest(`${run}/${activityInfo().workflowExecution?.runId ?? ''}/${what}`).slice(0, 24)
}
