// Steps of a dev loop on its host besides turns and test runs: workspace and record, the commit of
// a worker's work, checks. Clones and their merge are in parallel-round.ts.
import { existsSync } from 'node:fs'
import { loopLimitsFor, type LoopLimits } from '../../contract/config/limits.js'
import { fileName } from '../../contract/ids.js'
import { LOOP_ROLES, type LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { CheckQualityInput, Quality } from '../../contract/quality.js'
import type {
  CommitLoopAnswer,
  CommitLoopInput,
  PreparedLoop,
  PrepareLoopInput,
  RecordLoopAnswer,
  RecordLoopInput,
  ReloadLoopInput,
} from '../../contract/dev-loop/loop-step.js'
import type { RestoredLoop } from '../../contract/dev-loop/loop-state.js'
import type { PersonEdit } from '../../contract/dev-cycle/person-edit.js'
import { leftBranchesText } from '../../core/agents/left-branches.js'
import { furtherTaskProblem } from '../../core/dev-loop/loop-tasks.js'
import { currentRun } from '../../core/dev-loop/loop-view.js'
import { runQuality } from '../../adapters/checks/run-checks.js'
import { failpoint } from '../../adapters/failpoint.js'
import { freezeConfig, frozenConfig } from '../../adapters/config/frozen-config.js'
import { commitStep } from '../../adapters/git/steps.js'
import { takenBack } from '../../adapters/git/taken-back.js'
import { LOOP } from '../../adapters/records/dev-loop/loop-state-file.js'
import { takeLoopEdits } from '../../adapters/records/dev-loop/patch-loop-record.js'
import { runPackage } from '../../adapters/records/prep/run-package.js'
import { openLoopRecord, loopFiles } from '../../adapters/records/dev-loop/loop-paths.js'
import { writeLoopRecord } from '../../adapters/records/dev-loop/write-loop-record.js'
import { removeLoopProgress } from '../../adapters/records/dev-loop/loop-progress.js'
import { rebuildLoop } from '../../adapters/records/dev-loop/recover-loop.js'
import { restoredLoop } from '../../adapters/records/dev-loop/load-loop-record.js'
import { admittedConfig } from '../host/admit.js'
import { environmentWarnings } from '../host/run-environment.js'
import { digest } from '../../adapters/state-dir.js'
import { sandboxOf } from '../../adapters/sandbox/run-sandbox.js'
import { envOf } from '../../adapters/workspace/environment.js'
import { restoreInstalled } from '../../adapters/workspace/installed.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { tellRecorded } from '../hooks.js'
import { claimRecord } from '../open-run.js'
import { closeOnHost, failuresAtEnd, publish } from '../run-end.js'
import { reloadSettings, settingsOf, type Kind, type RunSettings } from '../run-settings.js'
import { prepareRunWorkspace } from '../run-workspace.js'
import { createRoundActivities, keptClones } from './parallel-round.js'
import { suggestCommit } from './suggest-commit.js'
import { guardOf, isTestIn, repairOf } from './worker-guard.js'
import { withTampered } from '../restore-files.js'
import { continueRun, refuseSecond, type Continued } from '../load-record.js'
import { whileNothingIsTested } from '../host/test-lock.js'
import { redactorOf, withoutSecrets } from '../host/redact-result.js'
import { changedInRun } from '../changed-in-run.js'
import { archiveAtEnd, archivedBefore, endedRun } from '../archive-at-end.js'
import { resultWarnings } from '../../core/run/result-warnings.js'

type LoopRole = (typeof LOOP_ROLES)[LoopAction]
const KIND: Kind<LoopRole, LoopLimits> = {
  roles: Object.values(LOOP_ROLES),
  limitsFor: loopLimitsFor,
}

export const createLoopActivities = (deps: HostDeps) => ({
  ...createRoundActivities(deps),

  /**
   * Opens or creates a record, and prepares the workspace. Refuses what cannot continue before it
   * changes anything.
   */
  prepareLoop: withHeartbeat(
    deps.inFlight,
    async (input: PrepareLoopInput, beat): Promise<PreparedLoop> => {
      const { project, loopId, task } = input
      const loaded = await admittedConfig(deps, project, KIND.roles, input)
      await freezeConfig(deps.dirs, loaded, deps.project)
      const name = fileName(loopId ?? input.run)
      await claimRecord(deps, name, input.run, beat.signal)
      const begun =
        loopId === undefined ? undefined : await continueLoop(input, name, loaded.config.timezone)
      const used: PackageUse = begun === undefined ? await packageOf(input) : { task, warnings: [] }
      if (begun === undefined)
        refuseSecond(LOOP, project, name, ({ ratchet }) => ratchet.task_history[0] === used.task)
      const { workspace, head, warnings, measuredWith } = await prepareRunWorkspace(
        deps,
        { input, name, loaded, continueFrom: begun?.continueFrom },
        beat,
      )
      const prepared = {
        workspace,
        head,
        name,
        recordDir: openLoopRecord(project, name),
        ...settingsOf(deps, KIND, loaded, workspace),
        measuredWith,
        warnings: [...warnings, ...(begun?.warnings ?? []), ...used.warnings],
      }
      return begun === undefined
        ? { ...prepared, prep: used.prep }
        : { ...prepared, restored: begun.restored }
    },
  ),

  /**
   * Reloads the configuration after a pause, and finds a person's edits. A broken configuration is
   * reported and changes nothing.
   */
  reloadLoop: withHeartbeat(
    deps.inFlight,
    async (
      input: ReloadLoopInput,
    ): Promise<
      (RunSettings<LoopRole, LoopLimits> | { problem: string }) & { edits?: PersonEdit[] }
    > => {
      const edits = await takeLoopEdits(input, {
        iteration: input.iteration,
        at: Date.now(),
        offset: input.timezone,
      })
      return reloadSettings(deps, KIND, LOOP, input, edits)
    },
  ),

  /** Commits what a worker left and publishes it. */
  commitLoop: withHeartbeat(
    deps.inFlight,
    async (input: CommitLoopInput): Promise<CommitLoopAnswer> => {
      failpoint('commit:begin')
      const { action, suite, configHash: _, ...step } = input
      const isTest = isTestIn(input.workspace)
      const inSubmodules = await restoreInstalled(input.workspace, input.step, 'submodules')
      const committed = withTampered(
        await commitStep(
          step,
          guardOf(deps, input, action, input.workspace),
          repairOf(action, suite, isTest),
        ),
        inSubmodules,
      )
      const {
        head,
        commit,
        files,
        filesTotal,
        tampered,
        tamperedTotal = tampered.length,
        changedTests = [],
        leftBranches,
      } = withoutSecrets(deps, input, committed)
      failpoint('commit:done')
      const { existed, ...left } = await changedInRun(deps, input, commit, isTest)
      return {
        head,
        commit,
        files,
        filesTotal,
        undone: tampered,
        undoneTotal: tamperedTotal,
        changedTests: changedTests.filter(existed),
        ...left,
        ...(commit === null ? {} : await takenBack(input, head)),
        warnings: [
          ...(leftBranches === undefined ? [] : [leftBranchesText(leftBranches)]),
          ...(commit === null ? [] : await publish(input.workspace)),
        ],
      }
    },
  ),

  /** Lint, types, build and coverage of a commit, as far as the project has them. */
  checkQuality: withHeartbeat(deps.inFlight, (input: CheckQualityInput, beat): Promise<Quality> =>
    whileNothingIsTested(deps, beat, 'waiting for a test run of this project', async () => {
      await deps.agents.endWorkspace(input.workspace)
      return runQuality({
        workspace: input.workspace,
        commit: input.commit,
        base: input.workspace.base,
        run: input.run,
        step: digest(input.step).slice(0, 24),
        env: envOf(input.workspace, deps.env),
        spawn: sandboxOf(deps, frozenConfig(deps.dirs, input.configHash, deps.project))(
          input.workspace,
          'tests',
        ),
        timeoutMs: input.timeoutMs,
        signal: beat.signal,
        redact: redactorOf(deps, input),
        coverageBefore: input.coverageBefore,
        checksBefore: input.checksBefore,
      })
    }),
  ),

  /**
   * Writes the record and publishes the branch. With a result it also ends the run on this host
   * with all of its agents.
   */
  recordLoop: withHeartbeat(
    deps.inFlight,
    async (input: RecordLoopInput, beat): Promise<RecordLoopAnswer> => {
      failpoint('record:begin')
      const { state, result } = input
      const { workspace, configHash, name } = state.prepared
      const config = frozenConfig(deps.dirs, configHash, deps.project)
      const warnings = environmentWarnings(deps, config, input.run)
      const { master, progress } = loopFiles(workspace.project, name)
      const ending = result && {
        config,
        record: master,
        dirs: deps.dirs,
        run: {
          ...endedRun(input, result),
          kind: 'dev-loop' as const,
          dir: progress,
          description: state.texts[0] ?? name,
          open: state.tasks.filter(({ status }) => status !== 'completed').map(({ id }) => id),
        },
      }
      const before = ending && (await archivedBefore(ending))
      if (before !== undefined) {
        const failures = failuresAtEnd(result, currentRun(state), config.test.criticality)
        const untold = await tellRecorded(deps, input, { failures, moved: before }, beat)
        return {
          ...before,
          warnings: [...before.warnings, ...untold],
          failures,
          suggestion: (await suggestCommit(input))?.commit,
        }
      }
      let edits: PersonEdit[] | undefined
      if (result !== undefined)
        warnings.push(
          ...(await closeOnHost(deps, input.run, workspace, state.head)),
          ...(await keptClones(deps, input)),
        )
      warnings.push(...(await publish(workspace)))
      const failures = failuresAtEnd(result, currentRun(state), config.test.criticality)
      const suggested = result === undefined ? undefined : await suggestCommit(input)
      const write = async (): Promise<string[]> => {
        if (!existsSync(workspace.project)) return []
        const written = await writeLoopRecord(
          {
            ...input,
            result: result && {
              ...result,
              failures: failures ?? result.failures,
              warnings: resultWarnings([...new Set([...state.warnings, ...warnings])]),
              suggestion: suggested?.commit,
            },
            state: { ...state, warnings: [...new Set([...state.warnings, ...warnings])] },
          },
          { offset: config.timezone, commitFiles: suggested?.files },
        )
        edits = written.edits
        return written.warnings
      }
      warnings.push(...(await write()))
      if (result !== undefined && workspace.isolation === 'in-place')
        removeLoopProgress(workspace.cwd, name)
      const moved = ending && (await archiveAtEnd({ ...ending, at: input.at }))
      warnings.push(...(moved?.warnings ?? []))
      const untold = await tellRecorded(deps, input, { failures, moved }, beat)
      warnings.push(...untold)
      // What is archived does not change.
      if (untold.length > 0 && moved?.archived === undefined) await write()
      failpoint('record:done')
      return {
        warnings,
        edits,
        failures,
        suggestion: suggested?.commit,
        archived: moved?.archived,
      }
    },
  ),
})

type PackageUse = { task: string | undefined; prep?: PreparedLoop['prep']; warnings: string[] }

/** What a new loop gets from a prep package; one that does not fit stays, with one warning. */
async function packageOf(input: PrepareLoopInput): Promise<PackageUse> {
  const read = await runPackage('loop', input)
  if (read.state !== 'used')
    return { task: input.task ?? '', warnings: read.state === 'ignored' ? [read.warning] : [] }
  const { task, tasks } = read.checked
  return { task, prep: { task, tasks }, warnings: [] }
}

/** Restores the record of a continued loop, with the refusals of a loop. */
function continueLoop(
  { project, base, extend, at }: PrepareLoopInput,
  name: string,
  offset: string,
): Promise<Continued<RestoredLoop>> {
  return continueRun(
    LOOP,
    { project, name, base, extend },
    {
      rebuild: () => rebuildLoop(project, name, { at, offset }),
      restore: restoredLoop,
      isDone: ({ status }) => status === 'completed',
      task: ({ texts }) => texts[0],
      extensionProblem: ({ texts }, text) => furtherTaskProblem(texts, text),
    },
  )
}
