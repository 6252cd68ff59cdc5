// The steps of a dev loop on its host, besides turns and test runs: a workspace and a record, the
// commit of a worker's work, clones and their merge, checks, the record itself.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { agentsFor } from '../../contract/config/config.js'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { fileName } from '../../contract/ids.js'
import { LOOP_ROLES, type LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { LoopPrepared, RestoredLoop } from '../../contract/dev-loop/loop-state.js'
import type { PersonEdit } from '../../contract/dev-cycle/person-edit.js'
import type { Workspace } from '../../contract/workspace.js'
import { spendingOf } from '../../core/agents/budget.js'
import { suggestedCommit } from '../../core/dev-loop/commit-command.js'
import { furtherTaskProblem } from '../../core/dev-loop/loop-tasks.js'
import { titleOf } from '../../core/dev-loop/prompts/brief.js'
import { openIn } from '../../core/dev-loop/loop-open.js'
import { currentRun } from '../../core/dev-loop/loop-view.js'
import { askedHooks } from '../../core/run/hook-events.js'
import {
  fileKind,
  isUndoneForDeveloper,
  isUndoneForTestWriter,
  type FileChange,
} from '../../core/guard/test-files.js'
import { reportedFailures } from '../../core/run/reported-failures.js'
import { isReleased, restoreGuardedParts } from '../../core/guard/test-guard.js'
import { runQuality } from '../../adapters/checks/run-checks.js'
import type { LoadedConfig } from '../../adapters/config/config.js'
import { failpoint } from '../../adapters/failpoint.js'
import { freezeConfig, frozenConfig } from '../../adapters/config/frozen-config.js'
import { WorkspaceMissingError } from '../../adapters/git/git.js'
import { mergeWorkers } from '../../adapters/git/merge/merge-workers.js'
import { findRepo } from '../../adapters/git/repo.js'
import { changesOf } from '../../adapters/git/numstat.js'
import { commitStep } from '../../adapters/git/steps.js'
import { takeRecord } from '../../adapters/owner.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import {
  noteLoopResumed,
  takeLoopEdits,
} from '../../adapters/records/dev-loop/patch-loop-record.js'
import { loopFiles, openLoopRecord } from '../../adapters/records/dev-loop/loop-paths.js'
import { writeLoopRecord } from '../../adapters/records/dev-loop/write-loop-record.js'
import { removeLoopProgress } from '../../adapters/records/dev-loop/loop-progress.js'
import { rebuildLoop } from '../../adapters/records/dev-loop/recover-loop.js'
import { readLoop, restoredLoop } from '../../adapters/records/dev-loop/load-loop-record.js'
import { runConfig } from '../../adapters/config/run-config.js'
import { digest, layout } from '../../adapters/state-dir.js'
import { baselineFiles } from '../../adapters/test-runners/stored-run.js'
import { envOf } from '../../adapters/workspace/environment.js'
import { restoreInstalled } from '../../adapters/workspace/installed.js'
import { keepWork } from '../../adapters/workspace/keep-work.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import { prepareWorkspace } from '../../adapters/workspace/prepare.js'
import { cloneForWorker, removeWorkerClones } from '../../adapters/workspace/worker-clones.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { tellEnd } from '../hooks.js'
import { isOpen } from '../open-run.js'
import { closeOnHost, publish } from '../run-end.js'
import { withTampered } from '../restore-files.js'
import { orProblem } from '../reload.js'
import { loadRecord } from '../load-record.js'
import { testCommandIn } from '../test-command.js'
import { whileNothingIsTested } from '../host/test-lock.js'
import { redactorOf, withoutSecrets } from '../host/redact-result.js'
import type { CheckQualityInput, Quality } from '../../contract/quality.js'
import type {
  CloneWorkersAnswer,
  CloneWorkersInput,
  CommitLoopAnswer,
  CommitLoopInput,
  MergeWorkersAnswer,
  MergeWorkersInput,
  PreparedLoop,
  PrepareLoopInput,
  RecordLoopAnswer,
  RecordLoopInput,
  ReloadLoopInput,
} from '../../contract/dev-loop/loop-step.js'
import { loopLimitsFor } from '../../contract/config/limits.js'

type Settings = Pick<
  LoopPrepared,
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

export const createLoopActivities = (deps: HostDeps) => ({
  /**
   * Opens or creates a record, and prepares the workspace. Refuses what cannot continue before it
   * changes anything.
   */
  prepareLoop: withHeartbeat(
    deps.inFlight,
    async (input: PrepareLoopInput, beat): Promise<PreparedLoop> => {
      const loaded = runConfig(input.project, deps.env, Object.values(LOOP_ROLES))
      const { config } = loaded
      await freezeConfig(deps.dirs, loaded)
      const name = input.loopId === undefined ? fileName(input.run) : fileName(input.loopId)
      await takeRecord(
        deps.dirs,
        deps.projectKey,
        name,
        input.run,
        (id) => isOpen(deps, id),
        beat.signal,
      )
      const begun =
        input.loopId === undefined ? undefined : await takeUp(input, name, config.timezone)
      if (begun === undefined) refuseSecond(input, name)
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
        recordDir: openLoopRecord(input.project, name),
        ...settingsOf(loaded, workspace),
        ...(measuredWith && { measuredWith }),
        warnings: [...warnings, ...(begun?.warnings ?? [])],
      }
      return begun === undefined ? prepared : { ...prepared, restored: begun.restored }
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
    ): Promise<(Settings | { problem: string }) & { edits?: PersonEdit[] }> => {
      const { workspace, name } = input
      const edits = await takeLoopEdits(input, {
        iteration: input.iteration,
        at: Date.now(),
        offset: input.timezone,
      })
      const settings = await orProblem(async () => {
        const loaded = runConfig(deps.project, deps.env, Object.values(LOOP_ROLES))
        await freezeConfig(deps.dirs, loaded)
        await noteLoopResumed(workspace.project, name, {
          at: Date.now(),
          offset: loaded.config.timezone,
        })
        return settingsOf(loaded, workspace)
      })
      return edits.length === 0 ? settings : { ...settings, edits }
    },
  ),

  /** Commits what a worker left and publishes it. */
  commitLoop: withHeartbeat(
    deps.inFlight,
    async (input: CommitLoopInput): Promise<CommitLoopAnswer> => {
      failpoint('commit:begin')
      const { action, suite, configHash, ...step } = input
      const inSubmodules = await restoreInstalled(input.workspace, input.step, 'submodules')
      const committed = withTampered(
        await commitStep(
          step,
          guardOf(deps, input, action, input.workspace),
          repairOf(action, input.workspace, suite),
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
      } = withoutSecrets(deps, configHash, committed)
      failpoint('commit:done')
      return {
        head,
        commit,
        files,
        filesTotal,
        undone: tampered,
        undoneTotal: tamperedTotal,
        changedTests,
        warnings: commit === null ? [] : await publish(input.workspace),
      }
    },
  ),

  /** Creates a clone of the workspace for each parallel worker. */
  cloneWorkers: withHeartbeat(
    deps.inFlight,
    async (input: CloneWorkersInput, beat): Promise<CloneWorkersAnswer> => {
      const config = frozenConfig(deps.dirs, input.configHash, deps.project)
      const answer: CloneWorkersAnswer = { workspaces: [], warnings: [] }
      const round = digest(input.step).slice(0, 12)
      // Those of the round before were merged
      await removeWorkerClones(clonesOf(deps, input.name), round)
      for (const action of input.workers) {
        const into = path.join(clonesOf(deps, input.name), round, action)
        const { workspace, warnings } = await cloneForWorker({
          workspace: input.workspace,
          head: input.head,
          into,
          run: input.run,
          config,
          env: deps.env,
          signal: beat.signal,
          onProgress: (state) => beat.progress({ state: `${action}: ${state}` }),
        })
        answer.workspaces.push({ action, workspace })
        answer.warnings = [...new Set([...answer.warnings, ...warnings])]
      }
      failpoint('clones:done')
      return answer
    },
  ),

  /** Merges what the workers did in their clones, or names what no merge can join. */
  mergeWorkers: withHeartbeat(
    deps.inFlight,
    async (input: MergeWorkersInput): Promise<MergeWorkersAnswer> => {
      const { configHash, suite, workers, ...step } = input
      for (const { workspace } of workers) await deps.agents.endWorkspace(workspace)
      const done = await mergeWorkers({
        ...step,
        workers: workers.map(({ action, workspace }) => ({
          action,
          workspace,
          guard: guardOf(deps, input, action, workspace),
          ...(suite ? { isTest: isTestIn(input.workspace) } : {}),
        })),
        ...(suite ? { restore: restoreGuardedParts } : {}),
      })
      const merged = {
        ...withoutSecrets(deps, configHash, done),
        workers: done.workers.map((worker) => withoutSecrets(deps, configHash, worker)),
      }
      if (merged.conflicts.length > 0) return { ...merged, warnings: [] }
      const warnings = merged.commits.length === 0 ? [] : await publish(input.workspace)
      for (const { action, changedTests = [] } of merged.workers)
        if (changedTests.length > 0)
          warnings.push(`existing tests were changed by ${action}: ${changedTests.join(', ')}`)
      failpoint('merge:done')
      // The clones stay: a killed attempt is made again, and reads them.
      return {
        ...merged,
        workers: merged.workers.map(({ changedTests: _, ...worker }) => worker),
        warnings,
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
        timeoutMs: input.timeoutMs,
        signal: beat.signal,
        redact: redactorOf(deps, input.configHash),
        coverageBefore: input.coverageBefore,
      })
    }),
  ),

  /**
   * Writes the record and publishes the branch. With a result it also ends the run on this host: no
   * agent of it lives on.
   */
  recordLoop: withHeartbeat(
    deps.inFlight,
    async (input: RecordLoopInput, beat): Promise<RecordLoopAnswer> => {
      failpoint('record:begin')
      const { state, result } = input
      const { workspace, configHash, name } = state.prepared
      const config = frozenConfig(deps.dirs, configHash, deps.project)
      const warnings: string[] = []
      let edits: PersonEdit[] | undefined
      if (result !== undefined)
        warnings.push(
          ...(await closeOnHost(deps, input.run, workspace, state.head)),
          ...(await keptClones(deps, input)),
        )
      warnings.push(...(await publish(workspace)))
      const lastRun = currentRun(state)
      const failures =
        result === undefined || lastRun === undefined
          ? undefined
          : reportedFailures(failuresOf(lastRun, config.test.criticality, undefined))
      const suggested = result === undefined ? undefined : await suggestion(input)
      const write = async (): Promise<string[]> => {
        if (!existsSync(workspace.project)) return []
        const ended =
          result === undefined
            ? {}
            : {
                result: {
                  ...result,
                  ...(failures === undefined ? {} : { failures }),
                  ...(suggested === undefined ? {} : { suggestion: suggested.commit }),
                },
              }
        const written = await writeLoopRecord(
          {
            ...input,
            ...ended,
            state: { ...state, warnings: [...new Set([...state.warnings, ...warnings])] },
          },
          {
            offset: config.timezone,
            ...(suggested === undefined ? {} : { commitFiles: suggested.files }),
          },
        )
        edits = written.edits
        return written.warnings
      }
      warnings.push(...(await write()))
      if (result !== undefined) {
        const untold = await tellEnd(
          deps,
          {
            ...input,
            project: workspace.project,
            configHash,
            recordDir: state.prepared.recordDir,
            result,
            failures: failures ?? [],
          },
          beat,
        )
        warnings.push(...untold)
        if (untold.length > 0) await write()
      }
      failpoint('record:done')
      if (result !== undefined && workspace.isolation === 'in-place')
        removeLoopProgress(workspace.cwd, name)
      return {
        warnings,
        edits,
        failures,
        ...(suggested === undefined ? {} : { suggestion: suggested.commit }),
      }
    },
  ),
})

type Begun = {
  restored: RestoredLoop
  continueFrom?: { branch: string; base: string }
  warnings: string[]
}

/** Restores the record of a continued loop, with the refusals of a loop. */
async function takeUp(input: PrepareLoopInput, name: string, offset: string): Promise<Begun> {
  const { master, progress, workers } = loopFiles(input.project, name)
  const found = readLoop(input.project, name)
  const { record, warnings, refuse } = await loadRecord({
    kind: 'loop',
    name,
    master,
    found,
    isLost: found.state === 'none' && (existsSync(progress) || existsSync(workers)),
    base: input.base,
    rebuild: () => rebuildLoop(input.project, name, { at: input.at, offset }),
  })
  if (record.status === 'completed' && input.extend === undefined)
    refuse(`${name} is completed`, `give it a further task: ratchet extend ${name} "…"`)
  const restored = restoredLoop(record)
  if ((restored.texts[0] ?? '') === '' && input.extend === undefined)
    refuse(
      `the task of ${name} was lost with its record`,
      `add it again with: ratchet extend ${name} "<task>"`,
    )
  const problem =
    input.extend === undefined ? undefined : furtherTaskProblem(restored.texts, input.extend)
  if (problem !== undefined)
    refuse(
      `extend: ${problem}`,
      'shorten it, or put the rest into a file of the repository and name it',
    )
  const { branch, base } = record.ratchet
  if (record.failure_reason !== undefined)
    warnings.push(`the loop had ended as failed: ${record.failure_reason}`)
  return {
    restored,
    warnings,
    ...(branch === undefined || base === undefined ? {} : { continueFrom: { branch, base } }),
  }
}

// A retry of this very step finds its own record at most as it was begun.
function refuseSecond({ project, task }: PrepareLoopInput, name: string): void {
  const found = readLoop(project, name)
  if (
    found.state === 'none' ||
    (found.state === 'ok' &&
      found.record.ratchet.task_history[0] === task &&
      found.record.completed_at === undefined)
  )
    return
  throw new RefusalError(
    BAD_INPUT,
    `a record of ${name} already exists`,
    loopFiles(project, name).master,
    `continue it with: ratchet loop --loop-id ${name}, or use another id`,
  )
}

function settingsOf({ config, hash }: LoadedConfig, { cwd }: Workspace): Settings {
  const agents = Object.fromEntries(
    Object.values(LOOP_ROLES).map((role) => [role, agentsFor(config, role)]),
  ) as LoopPrepared['agents']
  return {
    configHash: hash,
    testCommand: testCommandIn(cwd, config),
    agents,
    limits: loopLimitsFor(config),
    testTimeoutMs: config.test.timeout,
    requireGreen: config.cycle.requireGreen,
    spending: spendingOf(config.limits),
    hooks: askedHooks(config.hooks),
    timezone: config.timezone,
  }
}

/**
 * Decides which of a worker's changes are restored: all of init and complete, code of validate,
 * test configuration of all others.
 */
function guardOf(
  deps: HostDeps,
  {
    workspace: measured,
    suite,
    configHash,
  }: { workspace: Workspace; suite: boolean; configHash: string },
  action: LoopAction,
  workspace: Workspace,
): (file: string, change: FileChange) => boolean {
  if (action === 'init' || action === 'complete') return () => true
  const own = ownPath(workspace)
  const reportFiles = baselineFiles(measured)
  const { guard } = frozenConfig(deps.dirs, configHash, deps.project).test
  const isUndone = (file: string, change: FileChange) =>
    action === 'validate'
      ? isUndoneForTestWriter(file, change, reportFiles)
      : isUndoneForDeveloper(file, change, { suite, reportFiles })
  return (file, change) => !isReleased(own(file), guard) && isUndone(own(file), change)
}

function repairOf(
  action: LoopAction,
  workspace: Workspace,
  suite: boolean,
): Parameters<typeof commitStep>[2] {
  if (action === 'init' || action === 'complete' || !suite) return {}
  return { restore: restoreGuardedParts, isTest: isTestIn(workspace) }
}

function isTestIn(workspace: Workspace): (file: string) => boolean {
  const own = ownPath(workspace)
  const reportFiles = baselineFiles(workspace)
  return (file) => fileKind(own(file), reportFiles) === 'test'
}

/**
 * Directory of the clones of a loop's workers; below the state directory also where the loop works
 * in the user's own tree.
 */
function clonesOf({ dirs, projectKey }: HostDeps, name: string): string {
  return path.join(layout.workspace(dirs, projectKey, name), 'workers')
}

/** Work in clones that were not merged stays in the user's repository, and is named. */
async function keptClones(deps: HostDeps, { clones, state }: RecordLoopInput): Promise<string[]> {
  const { workspace, name } = state.prepared
  if (!existsSync(workspace.project)) return []
  const user = await findRepo(workspace.project)
  const warnings: string[] = []
  for (const { action, workspace: clone } of clones) {
    const [ref] = await keepWork(user, name, clone)
    if (ref !== undefined)
      warnings.push(
        `the work of ${action} was not merged; it is kept as ${ref}, show it with: git diff ${clone.base.slice(0, 10)} ${ref}`,
      )
  }
  // A killed attempt is made again, and must find what it has to name.
  if (warnings.length === 0) await removeWorkerClones(clonesOf(deps, name))
  return warnings
}

async function suggestion({
  run,
  state,
}: RecordLoopInput): Promise<
  { commit: NonNullable<RecordLoopAnswer['suggestion']>; files: string[] } | undefined
> {
  const { workspace, name } = state.prepared
  if (state.commits.length === 0 || !existsSync(workspace.root)) return undefined
  const files = await changesOf(workspace, workspace.base, state.head).then(
    (changes) => changes.map(({ file }) => file),
    (error: unknown) => {
      // That it is gone is said where the branch is published
      if (error instanceof WorkspaceMissingError) return []
      throw error
    },
  )
  if (files.length === 0) return undefined
  const { last, texts } = state
  const commit = suggestedCommit({
    id: run,
    record: name,
    suggestion: last?.action === 'complete' ? last.suggestion : undefined,
    title: titleOf(texts[0] ?? ''),
    files,
    filesTotal: files.length,
    ready: currentRun(state) !== undefined && openIn(state).items.length === 0,
  })
  return { commit, files }
}
