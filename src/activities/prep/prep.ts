// Steps of a preparation on its host besides turns: its workspace, and the package at its end.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cycleLimitsFor, loopLimitsFor } from '../../contract/config/limits.js'
import type { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { fileName } from '../../contract/ids.js'
import { PREP_ROLES } from '../../contract/prep/prep-input.js'
import type {
  PrepEnvironment,
  PrepPrepared,
  PreparePrepInput,
  RecordPrepAnswer,
  RecordPrepInput,
} from '../../contract/prep/prep-step.js'
import type { Workspace } from '../../contract/workspace.js'
import { makePackage } from '../../core/prep/make-package.js'
import { readDraft } from '../../core/prep/prep-answer.js'
import { refinedRoom } from '../../core/prep/refined-task.js'
import type { RunConfig } from '../../adapters/config/run-config.js'
import { freezeConfig, frozenConfig } from '../../adapters/config/frozen-config.js'
import { failpoint } from '../../adapters/failpoint.js'
import { treeOf } from '../../adapters/git/commits.js'
import { GitError } from '../../adapters/git/git.js'
import { workspaceRepo } from '../../adapters/git/repo.js'
import { removeBranch } from '../../adapters/git/user-repository/clean.js'
import { prepFiles } from '../../adapters/records/prep/prep-paths.js'
import { sourceRefs } from '../../adapters/records/prep/source-refs.js'
import { writePackage } from '../../adapters/records/prep/write-package.js'
import { resolveTestPlan } from '../../adapters/test-runners/command.js'
import { timestamp } from '../../adapters/timestamp.js'
import { admittedConfig } from '../host/admit.js'
import { environmentWarnings } from '../host/run-environment.js'
import type { HostDeps } from '../host/deps.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import { tellEnd } from '../hooks.js'
import { claimRecord } from '../open-run.js'
import { settingsOf } from '../run-settings.js'
import { prepareRunWorkspace } from '../run-workspace.js'

const LIMITS = { cycle: cycleLimitsFor, loop: loopLimitsFor }

export const createPrepActivities = (deps: HostDeps) => ({
  /** Prepares a workspace, and looks at what a run of the project would have. */
  preparePrep: withHeartbeat(
    deps.inFlight,
    async (input: PreparePrepInput, beat): Promise<PrepPrepared> => {
      const roles = [PREP_ROLES[input.for]]
      const loaded = await admittedConfig(deps, input.project, roles, input)
      await freezeConfig(deps.dirs, loaded, deps.project)
      const name = fileName(input.run)
      await claimRecord(deps, name, input.run, beat.signal)
      const { workspace, head, warnings } = await prepareRunWorkspace(
        deps,
        { input, name, loaded: inClone(loaded) },
        beat,
      )
      const limitsFor = (config: Config): PrepPrepared['limits'] => {
        const { agentTurnMs, convergeMs, idleMs } = LIMITS[input.for](config)
        return { agentTurnMs, convergeMs, idleMs }
      }
      return {
        workspace,
        head,
        name,
        recordDir: prepFiles(input.project, name).progress,
        ...settingsOf(deps, { roles, limitsFor }, loaded, workspace),
        environment: await environmentOf(workspace, loaded.config, deps.env),
        warnings,
      }
    },
  ),

  /** Ends the run on this host, and writes the package if there is a draft. */
  recordPrep: withHeartbeat(
    deps.inFlight,
    async (input: RecordPrepInput, beat): Promise<RecordPrepAnswer> => {
      failpoint('record:begin')
      await deps.agents.endRun(input.run)
      const { draft, workspace, result } = input
      const { project } = workspace
      const isThere = existsSync(project)
      const written =
        draft === undefined || !isThere
          ? undefined
          : await writtenPackage(deps, input, readFileSync(draft.path, 'utf8'))
      const config = frozenConfig(deps.dirs, input.configHash, deps.project)
      const warnings = environmentWarnings(deps, config, input.run)
      if (draft !== undefined && !isThere)
        warnings.push(`the package was not written: ${project} is gone`)
      if (isThere) warnings.push(...(await withoutBranch(workspace, input.run)))
      warnings.push(
        ...(await tellEnd(
          deps,
          { ...input, project, result: { ...result, package: written }, failures: [] },
          beat,
        )),
      )
      failpoint('record:done')
      return { warnings, package: written }
    },
  ),
})

async function writtenPackage(
  deps: HostDeps,
  {
    name,
    for: command,
    task,
    configHash,
    at,
    answers,
    workspace,
    environment,
    result,
  }: RecordPrepInput,
  answer: string,
): Promise<NonNullable<RecordPrepAnswer['package']>> {
  const { project } = workspace
  const read = readDraft(answer, command, refinedRoom(task))
  if (!read.ok) throw new Error(`the draft of ${name} cannot be read again: ${read.problem}`)
  const { draft } = read
  const made = makePackage({
    ...environment,
    for: command,
    task,
    project,
    generatedAt: timestamp(at, frozenConfig(deps.dirs, configHash, deps.project).timezone),
    ready: result.outcome === 'ready',
    draft,
    answers,
    sourceRefs: sourceRefs(project, draft.source_refs, task),
  })
  const {
    prep_status,
    task: { quality_score },
  } = made
  return {
    for: command,
    ...(await writePackage(project, name, command, made)),
    prep_status,
    quality_score,
  }
}

/** A preparation has no commits, so its branch holds only the snapshot that it began with. */
async function withoutBranch({ project, branch }: Workspace, run: string): Promise<string[]> {
  try {
    await removeBranch(project, branch, { force: true })
    return []
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return [`the branch ${branch} is left: ${error.message}; remove it with: ratchet clean ${run}`]
  }
}

/** It only reads the project, so no run in place is needed, and no clean tree. */
function inClone(loaded: RunConfig): RunConfig {
  const { config } = loaded
  return {
    ...loaded,
    config: { ...config, workspace: { ...config.workspace, isolation: 'clone' } },
  }
}

/** What a run of the project has, and what it lacks without being refused. */
async function environmentOf(
  workspace: Workspace,
  config: Config,
  env: HostDeps['env'],
): Promise<PrepEnvironment> {
  const { base, cwd, project } = workspace
  const repo = await workspaceRepo(workspace)
  const runner = runnerIn(cwd, config, env)
  const isDirty = (await treeOf(repo, base)) !== (await treeOf(repo, `${base}~1`))
  const inRecords = (file: string): boolean => existsSync(path.join(project, '.workflow', file))
  return {
    testFramework: runner,
    warnings: [
      ...(runner === null ? ['there is no test command yet: nothing can be measured'] : []),
      ...(isDirty ? ['the working tree has uncommitted changes, which a run starts from'] : []),
    ],
    hasProjectTech: inRecords('project-tech.json'),
    hasGuidelines: inRecords('project-guidelines.json'),
  }
}

function runnerIn(cwd: string, config: Config, env: HostDeps['env']): string | null {
  try {
    return resolveTestPlan({ cwd, config: config.test, env }).runner
  } catch (error) {
    if (error instanceof RefusalError && error.type === 'NoTestCommand') return null
    throw error
  }
}
