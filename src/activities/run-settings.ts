// Settings of a dev cycle or dev loop, as its configuration has them, and again after a pause.
import type { CyclePrepared } from '../contract/dev-cycle/cycle-state.js'
import type { PersonEdit } from '../contract/dev-cycle/person-edit.js'
import { agentsFor, type Config } from '../contract/config/config.js'
import type { Role } from '../contract/config/agent-config.js'
import { RefusalError } from '../contract/failures.js'
import type { Workspace } from '../contract/workspace.js'
import { spendingOf } from '../core/agents/budget.js'
import { carriedLimits } from '../core/run/question-silence.js'
import { askedHooks } from '../core/run/hook-events.js'
import type { LoadedConfig } from '../adapters/config/config.js'
import { freezeConfig } from '../adapters/config/frozen-config.js'
import { admittedConfig } from './host/admit.js'
import { reportedEnvironment } from './host/run-environment.js'
import { noteResumed } from '../adapters/records/patch-record.js'
import type { RecordFields, RecordFiles, StateFile } from '../adapters/records/record-definition.js'
import { resolveTestPlan } from '../adapters/test-runners/command.js'
import type { HostDeps } from './host/deps.js'

/** Roles of a kind of run, and its limits. */
export type Kind<R extends Role, L> = {
  roles: readonly R[]
  limitsFor: (config: Config) => L
}

export type RunSettings<R extends Role, L> = Pick<
  CyclePrepared,
  | 'configHash'
  | 'testCommand'
  | 'testTimeoutMs'
  | 'requireGreen'
  | 'spending'
  | 'hooks'
  | 'questionLimits'
  | 'timezone'
  | 'sandbox'
  | 'env'
> & { agents: Record<R, string[]>; limits: L }

/** What encloses the programs of a run, by the configuration that was admitted for it. */
export function enclosedBy({ sandbox: { use } }: Config): CyclePrepared['sandbox'] {
  return use === 'auto' ? undefined : use
}

/** Returns the settings of a run that works in a workspace. */
export function settingsOf<R extends Role, L>(
  deps: HostDeps,
  { roles, limitsFor }: Kind<R, L>,
  { config, hash }: LoadedConfig,
  workspace: Workspace,
): RunSettings<R, L> {
  const agents = roles.map((role) => [role, agentsFor(config, role)])
  return {
    configHash: hash,
    testCommand: testCommandIn(workspace.cwd, config, deps.env),
    agents: Object.fromEntries(agents) as Record<R, string[]>,
    limits: limitsFor(config),
    testTimeoutMs: config.test.timeout,
    requireGreen: config.cycle.requireGreen,
    spending: spendingOf(config.limits),
    hooks: askedHooks(config.hooks),
    questionLimits: carriedLimits(config.limits.question),
    timezone: config.timezone,
    sandbox: enclosedBy(config),
    ...reportedEnvironment(deps, config, workspace),
  }
}

/**
 * Reloads the configuration after a pause, and marks the run as running in its record. A broken
 * configuration is reported and changes nothing.
 *
 * @param edits a person's edits, which are part of the answer
 */
export async function reloadSettings<
  R extends Role,
  L,
  Fields extends RecordFields,
  F extends RecordFiles,
>(
  deps: HostDeps,
  kind: Kind<R, L>,
  record: StateFile<Fields, F>,
  { workspace, name }: { workspace: Workspace; name: string },
  edits: PersonEdit[],
): Promise<(RunSettings<R, L> | { problem: string }) & { edits?: PersonEdit[] }> {
  const settings = await orProblem(async () => {
    const loaded = await admittedConfig(deps, deps.project, kind.roles, workspace)
    await freezeConfig(deps.dirs, loaded, deps.project)
    const offset = loaded.config.timezone
    await noteResumed(record, workspace.project, name, { at: Date.now(), offset })
    return settingsOf(deps, kind, loaded, workspace)
  })
  return edits.length === 0 ? settings : { ...settings, edits }
}

/** Returns what `read` answers, or its refusal as one sentence. */
export async function orProblem<T>(read: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RefusalError) return { problem: `${error.message} (${error.where})` }
    throw error
  }
}

/** Returns the test command; empty if there is none yet: each test run looks for it again. */
function testCommandIn(cwd: string, config: Config, env: HostDeps['env']): string {
  try {
    return resolveTestPlan({ cwd, config: config.test, env }).display
  } catch (error) {
    if (error instanceof RefusalError && error.type === 'NoTestCommand') return ''
    throw error
  }
}
