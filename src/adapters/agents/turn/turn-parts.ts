// Builds what a turn consists of besides its agent: log, clocks, budget, limit, listener.
import { agentDefinition } from '../../../contract/config/config.js'
import type { AgentDefinition } from '../../../contract/config/agent-config.js'
import type { TurnSpec } from '../../../contract/turn.js'
import type { SpawnGroup } from '../../process/spawn-group.js'
import { agentSandbox } from '../../sandbox/run-sandbox.js'
import { redactor, secretsOf } from '../../../core/text/redact.js'
import { layout } from '../../state-dir.js'
import { envOf } from '../../workspace/environment.js'
import { definitionOf } from '../agent-command.js'
import { agentEnv, secretNames } from '../agent-env.js'
import { limitFiles, TurnLimit } from '../agent-limits.js'
import { scriptedSessions, SESSIONS_VARIABLE } from '../scripted/sessions-folder.js'
import { writeSettings } from '../agent-settings.js'
import type { DriverShared } from '../driver-shared.js'
import { PersonWaits } from './person-waits.js'
import { SideWrites } from './side-writes.js'
import { Attendance } from './turn-callers.js'
import { Ticker, TurnClock } from './turn-clock.js'
import type { TurnHooks } from './turn-hooks.js'
import { TurnListener } from './turn-listener.js'
import { TurnLog } from './turn-log.js'
import { TurnSpending } from './turn-spending.js'
import { turnFiles, type Claim } from './turn-store.js'

export type TurnParts = {
  definition: AgentDefinition
  env: Record<string, string>
  /** `env` without what names the folder of this turn. */
  lastingEnv: Record<string, string>
  side: SideWrites
  log: TurnLog
  attendance: Attendance
  clock: TurnClock
  ticker: Ticker
  spending: TurnSpending
  limit: TurnLimit
  listener: TurnListener
  /** Starts the agent: inside a sandbox, where there is one. */
  spawn: SpawnGroup
}

export function turnParts({
  shared,
  spec,
  claim,
  hooks: { config, env: runEnv },
  save,
}: {
  shared: DriverShared
  spec: TurnSpec
  claim: Claim
  hooks: TurnHooks
  save: (change: Partial<Claim>) => void
}): TurnParts {
  const folder = layout.turn(shared.dirs, spec.key)
  const files = turnFiles(folder)
  const definition = definitionOf(config, spec.agent)
  const sessions = scriptedSessions(definition, spec.workspace)
  const env = {
    ...(sessions === undefined ? {} : { [SESSIONS_VARIABLE]: sessions }),
    ...agentEnv(spec.agent, definition, envOf(spec.workspace, runEnv)),
  }
  const settings = writeSettings(definition.known, env, folder)
  const side = new SideWrites()
  const secrets = secretsOf(secretNames(definition, runEnv), runEnv)
  const log = new TurnLog(files, redactor(secrets), side)
  const attendance = new Attendance(shared.timing.adoptMs)
  const clock = new TurnClock(spec, claim.spentMs)
  const limit = new TurnLimit(
    limitFiles(
      shared.dirs,
      agentDefinition(config, spec.agent) ?? definition,
      spec.workspace.project,
      runEnv,
    ),
    spec.agent,
    shared.now,
    side,
  )
  return {
    definition,
    env: { ...env, ...settings },
    lastingEnv: env,
    side,
    log,
    attendance,
    clock,
    ticker: new Ticker(shared.clock),
    spending: new TurnSpending({ ...shared, spec, definition, claim, clock, log, side }),
    limit,
    spawn: agentSandbox({ dirs: shared.dirs, env: runEnv }, config, spec.workspace, {
      known: definition.known,
      folder,
      write: sessions === undefined ? [] : [sessions],
      spawn: shared.spawn,
    }),
    listener: new TurnListener({
      log,
      clock,
      limit,
      attendance,
      waits: new PersonWaits(files.waits, side),
      policy: config.permissions ?? 'deny',
      onSession: (sessionId) => save({ sessionId }),
      onAct: () => save({ acted: true }),
    }),
  }
}
