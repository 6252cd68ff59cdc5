// The steps of a dev cycle on its host, besides turns and test runs: a workspace and a record, the
// commit of an iteration's work, the record itself.
import { existsSync } from 'node:fs'
import { agentsFor } from '../../contract/config/config.js'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import {
  CYCLE_ROLES,
  type CyclePrepared,
  type RestoredCycle,
} from '../../contract/dev-cycle/cycle-state.js'
import { fileName } from '../../contract/ids.js'
import type { PersonEdit } from '../../contract/dev-cycle/person-edit.js'
import type { Workspace } from '../../contract/workspace.js'
import { spendingOf } from '../../core/agents/budget.js'
import { extensionProblem } from '../../core/dev-cycle/plan-tasks.js'
import { askedHooks } from '../../core/run/hook-events.js'
import { fileKind, isUndoneForDeveloper } from '../../core/guard/test-files.js'
import { reportedFailures } from '../../core/run/reported-failures.js'
import { isReleased, restoreGuardedParts } from '../../core/guard/test-guard.js'
import type { LoadedConfig } from '../../adapters/config/config.js'
import { failpoint } from '../../adapters/failpoint.js'
import { freezeConfig, frozenConfig } from '../../adapters/config/frozen-config.js'
import { changesOf } from '../../adapters/git/numstat.js'
import { commitStep } from '../../adapters/git/steps.js'
import { takeRecord } from '../../adapters/owner.js'
import { noteResumed, takeCycleEdits } from '../../adapters/records/dev-cycle/patch-cycle-record.js'
import { cycleFiles, openCycleRecord } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { removeProgress } from '../../adapters/records/dev-cycle/cycle-progress.js'
import { readPrepFile } from '../../adapters/records/dev-cycle/prep-file.js'
import { writeCycleRecord } from '../../adapters/records/dev-cycle/write-cycle-record.js'
import { rebuildCycle } from '../../adapters/records/dev-cycle/recover-cycle.js'
import { readCycle, restoredCycle } from '../../adapters/records/dev-cycle/load-cycle-record.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { runConfig } from '../../adapters/config/run-config.js'
import { baselineFiles } from '../../adapters/test-runners/stored-run.js'
import { timestamp } from '../../adapters/timestamp.js'
import { restoreInstalled } from '../../adapters/workspace/installed.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import { prepareWorkspace } from '../../adapters/workspace/prepare.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { tellEnd } from '../hooks.js'
import { isOpen } from '../open-run.js'
import { closeOnHost, publish } from '../run-end.js'
import { withTampered } from '../restore-files.js'
import { orProblem } from '../reload.js'
import { loadRecord } from '../load-record.js'
import { testCommandIn } from '../test-command.js'
import { withoutSecrets } from '../host/redact-result.js'
import type {
  CommitCycleAnswer,
  CommitCycleInput,
  PrepareCycleInput,
  PreparedCycle,
  RecordCycleAnswer,
  RecordCycleInput,
  ReloadCycleInput,
} from '../../contract/dev-cycle/cycle-step.js'
import { cycleLimitsFor } from '../../contract/config/limits.js'

type Settings = Pick<
  CyclePrepared,
  | 'configHash'
  | 'testCommand'
  | 'agents'
  | 'limits'
  | 'testTimeoutMs'
  | 'requireGreen'
  | 'spending'
  | 'hooks'
  | 'timezone'
>

export const createCycleActivities = (deps: HostDeps) => ({
  /**
   * Opens or creates a record, and prepares the workspace. Refuses what cannot continue before it
   * changes anything.
   */
  prepareCycle: withHeartbeat(
    deps.inFlight,
    async (input: PrepareCycleInput, beat): Promise<PreparedCycle> => {
      const loaded = runConfig(input.project, deps.env, Object.values(CYCLE_ROLES))
      const { config } = loaded
      await freezeConfig(deps.dirs, loaded)
      const name = input.cycleId ?? fileName(input.run)
      await takeRecord(
        deps.dirs,
        deps.projectKey,
        name,
        input.run,
        (id) => isOpen(deps, id),
        beat.signal,
      )
      const begun =
        input.cycleId === undefined ? undefined : await takeUp(input, name, config.timezone)
      if (begun === undefined) refuseSecond(input, name)
      const prep = begun === undefined ? prepPackage(input) : undefined
      const {
        workspace,
        head,
        warnings: made,
        measuredWith,
      } = await prepareWorkspace(
        { dirs: deps.dirs },
        {
          project: input.project,
          name,
          run: input.run,
          chain: input.chain,
          at: input.at,
          config,
          env: deps.env,
          signal: beat.signal,
          base: input.base,
          ...(begun?.continueFrom === undefined ? {} : { continueFrom: begun.continueFrom }),
          onProgress: (text) => beat.progress({ state: text }),
        },
      )
      const warnings = [...loaded.warnings, ...made]
      failpoint('prepare:done')
      const prepared = {
        workspace,
        head,
        name,
        recordDir: openCycleRecord(input.project, name),
        ...settingsOf(loaded, workspace),
        ...(measuredWith && { measuredWith }),
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
    ): Promise<(Settings | { problem: string }) & { edits?: PersonEdit[] }> => {
      const { workspace, name } = input
      const edits = await takeCycleEdits(input, {
        iteration: input.iteration,
        at: Date.now(),
        offset: input.timezone,
      })
      const settings = await orProblem(async () => {
        const loaded = runConfig(deps.project, deps.env, Object.values(CYCLE_ROLES))
        await freezeConfig(deps.dirs, loaded)
        await noteResumed(workspace.project, name, timestamp(Date.now(), loaded.config.timezone))
        return settingsOf(loaded, workspace)
      })
      return { ...settings, ...(edits.length === 0 ? {} : { edits }) }
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
      const committed = withoutSecrets(
        deps,
        input.configHash,
        withTampered(
          await commitStep(
            step,
            (file, change) =>
              !isReleased(own(file), config.test.guard) &&
              isUndoneForDeveloper(own(file), change, { suite, reportFiles }),
            {
              restore: restoreGuardedParts,
              ...(suite ? { isTest: (file) => fileKind(own(file), reportFiles) === 'test' } : {}),
            },
          ),
          inSubmodules,
        ),
      )
      failpoint('commit:done')
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
      } = committed
      return {
        head,
        commit,
        files,
        filesTotal,
        tampered,
        tamperedTotal,
        changedTests,
        ...told,
        warnings: [...warnings, ...(await publish(input.workspace))],
      }
    },
  ),

  /**
   * Writes the record and publishes the branch. With a result it also ends the run on this host: no
   * agent of it lives on.
   */
  recordCycle: withHeartbeat(
    deps.inFlight,
    async (input: RecordCycleInput, beat): Promise<RecordCycleAnswer> => {
      failpoint('record:begin')
      const { workspace, configHash } = input.state.prepared
      const config = frozenConfig(deps.dirs, configHash, deps.project)
      const warnings: string[] = []
      if (input.result !== undefined)
        warnings.push(...(await closeOnHost(deps, input.run, workspace, input.state.head)))
      warnings.push(...(await publish(workspace)))
      const { lastRun } = input.state
      const failures =
        input.result === undefined || lastRun === undefined
          ? undefined
          : reportedFailures(failuresOf(lastRun, config.test.criticality, undefined))
      const result =
        input.result === undefined
          ? {}
          : { result: { ...input.result, ...(failures === undefined ? {} : { failures }) } }
      // Does not recreate a project directory that its user has removed.
      const write = async () =>
        existsSync(workspace.project)
          ? await writeCycleRecord(
              {
                ...input,
                ...result,
                state: {
                  ...input.state,
                  warnings: [...new Set([...input.state.warnings, ...warnings])],
                },
              },
              { offset: config.timezone },
            )
          : { warnings: [], foreign: [], board: { entries: 0, skipped: 0, restored: 0 } }
      const told = await write()
      if (input.result !== undefined) {
        const untold = await tellEnd(
          deps,
          {
            ...input,
            project: workspace.project,
            configHash,
            recordDir: input.state.prepared.recordDir,
            result: input.result,
            failures: failures ?? [],
          },
          beat,
        )
        warnings.push(...untold)
        if (untold.length > 0) await write()
      }
      failpoint('record:done')
      if (input.result !== undefined && workspace.isolation === 'in-place')
        removeProgress(workspace.cwd, input.state.prepared.name)
      return {
        ...told,
        warnings: [...warnings, ...told.warnings],
        ...(failures === undefined ? {} : { failures }),
      }
    },
  ),
})

type Begun = {
  restored: RestoredCycle
  continueFrom?: { branch: string; base: string }
  warnings: string[]
}

/** Restores the record of a continued cycle, with the refusals of a cycle. */
async function takeUp(input: PrepareCycleInput, name: string, offset: string): Promise<Begun> {
  const { master, progress } = cycleFiles(input.project, name)
  const found = readCycle(input.project, name)
  const { record, warnings, refuse } = await loadRecord({
    kind: 'cycle',
    name,
    master,
    found,
    isLost: found.state === 'none' && existsSync(progress),
    base: input.base,
    rebuild: () => rebuildCycle(input.project, name, { at: input.at, offset }),
  })
  if (
    record.status === 'completed' &&
    record.ratchet.outcome !== 'completed_with_issues' &&
    input.extend === undefined
  )
    refuse(`${name} is completed`, `give it a further task: ratchet extend ${name} "…"`)
  const restored = restoredCycle(record)
  if (restored.tasks[0]?.text === '' && input.extend === undefined)
    refuse(
      `the task of ${name} was lost with its record`,
      `give it again: ratchet extend ${name} "<task>"`,
    )
  const waiting = restored.pendingExtensions.map((text) => ({
    text,
    iteration: restored.iteration + 1,
  }))
  const problem =
    input.extend === undefined
      ? undefined
      : extensionProblem([...restored.tasks, ...waiting], input.extend)
  if (problem !== undefined)
    refuse(
      `extend: ${problem}`,
      'shorten it, or put the rest into a file of the repository and name it',
    )
  const { branch, base } = record.ratchet
  if (record.failure_reason !== undefined)
    warnings.push(`the cycle had ended as failed: ${record.failure_reason}`)
  return {
    restored,
    warnings,
    ...(branch === undefined || base === undefined ? {} : { continueFrom: { branch, base } }),
  }
}

// A retry of this very step finds its own record at most as it was begun.
function refuseSecond({ project, task }: PrepareCycleInput, name: string): void {
  const found = readCycle(project, name)
  if (
    found.state === 'none' ||
    (found.state === 'ok' &&
      found.record.task_history[0] === task &&
      found.record.completed_at === undefined)
  )
    return
  throw new RefusalError(
    BAD_INPUT,
    `a record of ${name} already exists`,
    cycleFiles(project, name).master,
    `continue it with: ratchet cycle --cycle-id ${name}, or use another id`,
  )
}

/** What a new cycle has of a prep package; one that is not used is left, with one warning. */
function prepPackage({ project, task: typed = '', prep: named, at }: PrepareCycleInput): {
  found: Pick<PreparedCycle, 'prep' | 'task'> & { maxIterations?: number }
  warnings: string[]
} {
  const read = readPrepFile(project, { typed, named, now: at })
  if (read.state !== 'used')
    return { found: {}, warnings: read.state === 'ignored' ? [read.warning] : [] }
  const { prep, task, maxIterations } = read.checked
  return {
    found: { prep, task, maxIterations },
    warnings: [],
  }
}

function settingsOf({ config, hash }: LoadedConfig, { cwd }: Workspace): Settings {
  const agents = Object.fromEntries(
    Object.values(CYCLE_ROLES).map((role) => [role, agentsFor(config, role)]),
  ) as CyclePrepared['agents']
  return {
    configHash: hash,
    testCommand: testCommandIn(cwd, config),
    agents,
    limits: cycleLimitsFor(config),
    testTimeoutMs: config.test.timeout,
    requireGreen: config.cycle.requireGreen,
    spending: spendingOf(config.limits),
    hooks: askedHooks(config.hooks),
    timezone: config.timezone,
  }
}
