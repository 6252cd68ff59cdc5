// Workspace and git steps: exactly once, however often they are attempted.
import path from 'node:path'
import { WorkflowNotFoundError } from '@temporalio/client'
import { agentsFor, limitsFor, TEST_FIX_LIMITS } from '../contract/config.js'
import { recordName } from '../contract/ids.js'
import type { Prepared } from '../contract/state.js'
import type { CommitFixInput, PrepareInput, RollBackInput } from '../contract/step.js'
import type { CommitResult, Workspace } from '../contract/workspace.js'
import { isGuarded, restoreGuardedParts } from '../core/test-guard.js'
import { loadConfig } from '../adapters/config.js'
import { reach } from '../adapters/fault-point.js'
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
    const { config, hash } = loadConfig(input.project)
    const name = recordName(input.run, input.session)
    await takeRecord(deps.dirs, deps.projectKey, name, input.run, (id) => isOpen(deps, id))
    const { workspace, head, warnings } = await prepareWorkspace({ dirs: deps.dirs }, {
      project: input.project, name, run: input.run, at: input.at, config, env: deps.env, signal: beat.signal,
      ...(input.base === undefined ? {} : { base: input.base }),
      onProgress: (text) => beat.progress({ state: text }),
    })
    reach('prepare:done')
    const plan = resolveTestPlan({ cwd: workspace.cwd, config: config.test })
    return {
      workspace, head, name, warnings,
      recordDir: openRecord(input.project, name),
      configHash: hash,
      testCommand: plan.display,
      agents: { 'cli-planning-agent': agentsFor(config, 'cli-planning-agent'), 'test-fix-agent': agentsFor(config, 'test-fix-agent') },
      limits: limitsFor(config, TEST_FIX_LIMITS),
      testTimeoutMs: config.test.timeout,
    }
  }),

  /** Commits what a turn left in the work tree; changes to tests and their configuration are restored. */
  commitFix: hosted(deps.inFlight, async (input: CommitFixInput): Promise<CommitResult> => {
    reach('commit:begin')
    const committed = await commitStep(input, guardOf(deps, input.workspace), { restore: restoreGuardedParts })
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

/** Guarded are the usual test files, what the config names, and every file that a report named. */
function guardOf(deps: HostDeps, workspace: Workspace): (file: string) => boolean {
  const { config } = loadConfig(deps.project)
  const prefix = path.relative(workspace.root, workspace.cwd)
  const reported = baselineFiles(deps.dirs, deps.projectKey, workspace)
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
