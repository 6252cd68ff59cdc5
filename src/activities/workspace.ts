// Workspace and git steps: exactly once, however often they are attempted.
import path from 'node:path'
import { WorkflowNotFoundError } from '@temporalio/client'
import { agentsFor, limitsFor, TEST_FIX_LIMITS } from '../contract/config.js'
import { RefusalError } from '../contract/failures.js'
import { recordName } from '../contract/ids.js'
import type { Prepared } from '../contract/state.js'
import type { CommitFixInput, PrepareInput, Reloaded, RollBackInput } from '../contract/step.js'
import type { CommitResult, Workspace } from '../contract/workspace.js'
import { isGuarded, restoreGuardedParts } from '../core/test-guard.js'
import { loadConfig } from '../adapters/config.js'
import type { LoadedConfig } from '../adapters/config.js'
import { reach } from '../adapters/fault-point.js'
import { freezeConfig, frozenConfig } from '../adapters/frozen-config.js'
import { commitStep, rollbackStep } from '../adapters/git/steps.js'
import { takeRecord } from '../adapters/owner.js'
import { openRecord } from '../adapters/records/test-fix-record.js'
import { baselineFiles } from '../adapters/tests/stored-run.js'
import { resolveTestPlan } from '../adapters/tests/command.js'
import { prepareWorkspace } from '../adapters/workspace/prepare.js'
import { hosted } from './hosted.js'
import type { HostDeps } from './deps.js'

export const createWorkspaceActivities = (deps: HostDeps) => ({
  /** Opens the record and makes the workspace. Refuses what Ratchet cannot work on, before anything is changed. */
  prepareRun: hosted(deps.inFlight, async (input: PrepareInput, beat): Promise<Prepared> => {
    const loaded = loadConfig(input.project)
    const { config } = loaded
    await freezeConfig(deps.dirs, loaded)
    const name = recordName(input.run, input.session)
    const planIn = (cwd: string) => resolveTestPlan({ cwd, config: config.test })
    // Before anything is made. Another base may have another test command: it is looked for in the workspace.
    if (input.base === undefined) planIn(input.project)
    await takeRecord(deps.dirs, deps.projectKey, name, input.run, (id) => isOpen(deps, id), beat.signal)
    const { workspace, head, warnings } = await prepareWorkspace({ dirs: deps.dirs }, {
      project: input.project, name, run: input.run, chain: input.chain, at: input.at, config, env: deps.env, signal: beat.signal,
      ...(input.base === undefined ? {} : { base: input.base }),
      verify: ({ cwd }) => void planIn(cwd),
      onProgress: (text) => beat.progress({ state: text }),
    })
    reach('prepare:done')
    const plan = planIn(workspace.cwd)
    return {
      workspace, head, name, warnings,
      recordDir: openRecord(input.project, name),
      ...settingsOf(loaded, plan.display),
    }
  }),

  /** After a pause: the configuration as it is now, for the steps to come. A broken one is told and changes nothing. */
  reloadConfig: hosted(deps.inFlight, async ({ workspace }: { workspace: Workspace }): Promise<Reloaded> => {
    try {
      const loaded = loadConfig(deps.project)
      const plan = resolveTestPlan({ cwd: workspace.cwd, config: loaded.config.test })
      await freezeConfig(deps.dirs, loaded)
      return settingsOf(loaded, plan.display)
    } catch (error) {
      if (error instanceof RefusalError) return { problem: `${error.message} (${error.where})` }
      throw error
    }
  }),

  /** Commits what a turn left in the work tree; changes to tests and their configuration are restored. */
  commitFix: hosted(deps.inFlight, async (input: CommitFixInput): Promise<CommitResult> => {
    reach('commit:begin')
    const committed = await commitStep(input, guardOf(deps, input), { restore: restoreGuardedParts })
    reach('commit:done')
    return committed
  }),

  /** A new commit with the tree from before a fix. */
  rollBack: hosted(deps.inFlight, async (input: RollBackInput): Promise<CommitResult> => {
    reach('rollback:begin')
    const reverted = await rollbackStep(input)
    reach('rollback:done')
    return reverted
  }),
})

function settingsOf({ config, hash }: LoadedConfig, testCommand: string): Exclude<Reloaded, { problem: string }> {
  return {
    configHash: hash,
    testCommand,
    agents: { 'cli-planning-agent': agentsFor(config, 'cli-planning-agent'), 'test-fix-agent': agentsFor(config, 'test-fix-agent') },
    limits: limitsFor(config, TEST_FIX_LIMITS),
    testTimeoutMs: config.test.timeout,
  }
}

/** Guarded are the usual test files, what the config names, and every file that a report named. */
function guardOf(deps: HostDeps, { workspace, configHash }: { workspace: Workspace; configHash: string }): (file: string) => boolean {
  const config = frozenConfig(deps.dirs, configHash, deps.project)
  const prefix = path.relative(workspace.root, workspace.cwd)
  const reported = baselineFiles(workspace)
  return (file) => {
    const own = prefix === '' ? file : path.posix.relative(prefix, file)
    return isGuarded(own.startsWith('../') ? file : own, config.test.guard, reported)
  }
}

async function isOpen(deps: HostDeps, workflowId: string): Promise<boolean> {
  try {
    return (await deps.client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
