// Steps of a dev cycle on its host besides turns and test runs: workspace and record, the commit of
// an iteration's work.
import { existsSync } from 'node:fs'
import { cycleLimitsFor, type CycleLimits } from '../../contract/config/limits.js'
import { CYCLE_ROLES, type RestoredCycle } from '../../contract/dev-cycle/cycle-state.js'
import type {
  CommitCycleAnswer,
  CommitCycleInput,
  PrepareCycleInput,
  PreparedCycle,
  RecordCycleAnswer,
  RecordCycleInput,
  ReloadCycleInput,
} from '../../contract/dev-cycle/cycle-step.js'
import { fileName } from '../../contract/ids.js'
import type { PersonEdit } from '../../contract/dev-cycle/person-edit.js'
import { leftBranchesText } from '../../core/agents/left-branches.js'
import { extensionProblem } from '../../core/dev-cycle/plan-tasks.js'
import { fileKind, isUndoneForDeveloper } from '../../core/guard/test-files.js'
import { isReleased, restoreGuardedParts } from '../../core/guard/test-guard.js'
import { failpoint } from '../../adapters/failpoint.js'
import { freezeConfig, frozenConfig } from '../../adapters/config/frozen-config.js'
import { changesOf } from '../../adapters/git/numstat.js'
import { commitStep } from '../../adapters/git/steps.js'
import { takenBack } from '../../adapters/git/taken-back.js'
import { CYCLE } from '../../adapters/records/dev-cycle/cycle-state-file.js'
import { takeCycleEdits } from '../../adapters/records/dev-cycle/patch-cycle-record.js'
import { openCycleRecord, cycleFiles } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { removeProgress } from '../../adapters/records/dev-cycle/cycle-progress.js'
import { runPackage } from '../../adapters/records/prep/run-package.js'
import { writeCycleRecord } from '../../adapters/records/dev-cycle/write-cycle-record.js'
import { rebuildCycle } from '../../adapters/records/dev-cycle/recover-cycle.js'
import { restoredCycle } from '../../adapters/records/dev-cycle/load-cycle-record.js'
import { admittedConfig } from '../host/admit.js'
import { environmentWarnings } from '../host/run-environment.js'
import { baselineFiles } from '../../adapters/test-runners/stored-run.js'
import { restoreInstalled } from '../../adapters/workspace/installed.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { tellRecorded } from '../hooks.js'
import { claimRecord } from '../open-run.js'
import { closeOnHost, failuresAtEnd, publish } from '../run-end.js'
import { reloadSettings, settingsOf, type Kind, type RunSettings } from '../run-settings.js'
import { prepareRunWorkspace } from '../run-workspace.js'
import { withTampered } from '../restore-files.js'
import { continueRun, refuseSecond, type Continued } from '../load-record.js'
import { withoutSecrets } from '../host/redact-result.js'
import { changedInRun } from '../changed-in-run.js'
import { archiveAtEnd, archivedBefore, endedRun } from '../archive-at-end.js'
import { resultWarnings } from '../../core/run/result-warnings.js'

type CycleRole = (typeof CYCLE_ROLES)[keyof typeof CYCLE_ROLES]
const KIND: Kind<CycleRole, CycleLimits> = {
  roles: Object.values(CYCLE_ROLES),
  limitsFor: cycleLimitsFor,
}

export const createCycleActivities = (deps: HostDeps) => ({
  /**
   * Opens or creates a record, and prepares the workspace. Refuses what cannot continue before it
   * changes anything.
   */
  prepareCycle: withHeartbeat(
    deps.inFlight,
    async (input: PrepareCycleInput, beat): Promise<PreparedCycle> => {
      const { project, cycleId, task } = input
      const loaded = await admittedConfig(deps, project, KIND.roles, input)
      await freezeConfig(deps.dirs, loaded, deps.project)
      const name = cycleId ?? fileName(input.run)
      await claimRecord(deps, name, input.run, beat.signal)
      const begun =
        cycleId === undefined ? undefined : await continueCycle(input, name, loaded.config.timezone)
      if (begun === undefined)
        refuseSecond(CYCLE, project, name, (record) => record.task_history[0] === task)
      const prep = begun === undefined ? await prepPackage(input) : undefined
      const { workspace, head, warnings, measuredWith } = await prepareRunWorkspace(
        deps,
        { input, name, loaded, continueFrom: begun?.continueFrom },
        beat,
      )
      const prepared = {
        workspace,
        head,
        name,
        recordDir: openCycleRecord(project, name),
        ...settingsOf(deps, KIND, loaded, workspace),
        measuredWith,
      }
      if (begun !== undefined)
        return { ...prepared, restored: begun.restored, warnings: [...warnings, ...begun.warnings] }
      return { ...prepared, ...prep?.found, warnings: [...warnings, ...(prep?.warnings ?? [])] }
    },
  ),

  /**
   * Reloads the configuration after a pause, and finds a person's edits. A broken configuration is
   * reported and changes nothing.
   */
  reloadCycle: withHeartbeat(
    deps.inFlight,
    async (
      input: ReloadCycleInput,
    ): Promise<
      (RunSettings<CycleRole, CycleLimits> | { problem: string }) & { edits?: PersonEdit[] }
    > => {
      const edits = await takeCycleEdits(input, {
        iteration: input.iteration,
        at: Date.now(),
        offset: input.timezone,
      })
      return reloadSettings(deps, KIND, CYCLE, input, edits)
    },
  ),

  /** Commits what the developer left, then writes the record of the iteration so far. */
  commitCycle: withHeartbeat(
    deps.inFlight,
    async (input: CommitCycleInput): Promise<CommitCycleAnswer> => {
      failpoint('commit:begin')
      const { record, suite, ...step } = input
      const config = frozenConfig(deps.dirs, input.configHash, deps.project)
      const own = ownPath(input.workspace)
      const reportFiles = baselineFiles(input.workspace)
      const inSubmodules = await restoreInstalled(input.workspace, input.step, 'submodules')
      const isTest = (file: string) => fileKind(own(file), reportFiles) === 'test'
      const committed = withoutSecrets(
        deps,
        input,
        withTampered(
          await commitStep(
            step,
            (file, change) =>
              !isReleased(own(file), config.test.guard) &&
              isUndoneForDeveloper(own(file), change, { suite, reportFiles }),
            {
              restore: restoreGuardedParts,
              ...(suite ? { isTest } : {}),
            },
          ),
          inSubmodules,
        ),
      )
      failpoint('commit:done')
      const { existed, ...left } = await changedInRun(deps, input, committed.commit, isTest)
      const { warnings, ...told } = await writeCycleRecord(record, {
        offset: config.timezone,
        ...(committed.commit === null
          ? {}
          : {
              commit: {
                sha: committed.commit,
                changes: await changesOf(input.workspace, input.expectHead, committed.head),
              },
            }),
      })
      failpoint('commit:noted')
      const {
        head,
        commit,
        files,
        filesTotal,
        tampered,
        tamperedTotal = tampered.length,
        changedTests = [],
        leftBranches,
      } = committed
      return {
        head,
        commit,
        files,
        filesTotal,
        tampered,
        tamperedTotal,
        changedTests: changedTests.filter(existed),
        ...left,
        ...(commit === null ? {} : await takenBack(input, head)),
        ...told,
        warnings: [
          ...warnings,
          ...(leftBranches === undefined ? [] : [leftBranchesText(leftBranches)]),
          ...(await publish(input.workspace)),
        ],
      }
    },
  ),

  /**
   * Writes the record and publishes the branch. With a result it also ends the run on this host
   * with all of its agents.
   */
  recordCycle: withHeartbeat(
    deps.inFlight,
    async (input: RecordCycleInput, beat): Promise<RecordCycleAnswer> => {
      failpoint('record:begin')
      const { workspace, configHash, name } = input.state.prepared
      const config = frozenConfig(deps.dirs, configHash, deps.project)
      const warnings = environmentWarnings(deps, config, input.run)
      const { master, progress } = cycleFiles(workspace.project, name)
      const ending = input.result && {
        config,
        record: master,
        dirs: deps.dirs,
        run: {
          ...endedRun(input, input.result),
          kind: 'dev-cycle' as const,
          dir: progress,
          description: input.state.tasks[0]?.text ?? name,
          open: [],
        },
      }
      const before = ending && (await archivedBefore(ending))
      if (before !== undefined) {
        const failures = failuresAtEnd(input.result, input.state.lastRun, config.test.criticality)
        const untold = await tellRecorded(deps, input, { failures, moved: before }, beat)
        return {
          ...before,
          warnings: [...before.warnings, ...untold],
          foreign: [],
          board: { entries: 0, skipped: 0, restored: 0 },
          failures,
        }
      }
      if (input.result !== undefined)
        warnings.push(...(await closeOnHost(deps, input.run, workspace, input.state.head)))
      warnings.push(...(await publish(workspace)))
      const failures = failuresAtEnd(input.result, input.state.lastRun, config.test.criticality)
      // Does not recreate a project directory that its user has removed.
      const write = async () =>
        existsSync(workspace.project)
          ? await writeCycleRecord(
              {
                ...input,
                result: input.result && {
                  ...input.result,
                  failures: failures ?? input.result.failures,
                  warnings: resultWarnings([...new Set([...input.state.warnings, ...warnings])]),
                },
                state: {
                  ...input.state,
                  warnings: [...new Set([...input.state.warnings, ...warnings])],
                },
              },
              { offset: config.timezone },
            )
          : { warnings: [], foreign: [], board: { entries: 0, skipped: 0, restored: 0 } }
      const told = await write()
      if (input.result !== undefined && workspace.isolation === 'in-place')
        removeProgress(workspace.cwd, name)
      const moved = ending && (await archiveAtEnd({ ...ending, at: input.at }))
      const untold = await tellRecorded(deps, input, { failures, moved }, beat)
      warnings.push(...untold)
      // What is archived does not change.
      if (untold.length > 0 && moved?.archived === undefined) await write()
      failpoint('record:done')
      return {
        ...told,
        archived: moved?.archived,
        warnings: [...warnings, ...told.warnings, ...(moved?.warnings ?? [])],
        ...(failures === undefined ? {} : { failures }),
      }
    },
  ),
})

/** Restores the record of a continued cycle, with the refusals of a cycle. */
function continueCycle(
  { project, base, extend, at }: PrepareCycleInput,
  name: string,
  offset: string,
): Promise<Continued<RestoredCycle>> {
  return continueRun(
    CYCLE,
    { project, name, base, extend },
    {
      rebuild: () => rebuildCycle(project, name, { at, offset }),
      restore: restoredCycle,
      isDone: ({ status, ratchet }) =>
        status === 'completed' && ratchet.outcome !== 'completed_with_issues',
      task: ({ tasks }) => tasks[0]?.text,
      extensionProblem({ tasks, iteration, pendingExtensions }, text) {
        const waiting = pendingExtensions.map((one) => ({ text: one, iteration: iteration + 1 }))
        return extensionProblem([...tasks, ...waiting], text)
      },
    },
  )
}

/** What a new cycle gets from a prep package; one that does not fit stays, with one warning. */
async function prepPackage(input: PrepareCycleInput): Promise<{
  found: Pick<PreparedCycle, 'prep' | 'task'> & { maxIterations?: number }
  warnings: string[]
}> {
  const read = await runPackage('cycle', input)
  if (read.state !== 'used')
    return { found: {}, warnings: read.state === 'ignored' ? [read.warning] : [] }
  const { prep, task, maxIterations } = read.checked
  return {
    found: { prep, task, maxIterations },
    warnings: [],
  }
}
