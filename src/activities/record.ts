// The record and the branch in the user's repository: projections of the run's state.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RecordAnswer, RecordInput } from '../contract/test-fix/test-fix-step.js'
import { reportedFailures } from '../core/run/reported-failures.js'
import { failpoint } from '../adapters/failpoint.js'
import { frozenConfig } from '../adapters/config/frozen-config.js'
import { publishBranch } from '../adapters/git/user-repository/publish.js'
import { lastRunOf } from '../adapters/records/last-run.js'
import { writeTestFixRecord } from '../adapters/records/test-fix/test-fix-record.js'
import { environmentWarnings } from './host/run-environment.js'
import { withHeartbeat } from './host/with-heartbeat.js'
import type { HostDeps } from './host/deps.js'
import { tellEnd } from './hooks.js'
import { endOnHost, goneWarning } from './run-end.js'
import { resultWarnings } from '../core/run/result-warnings.js'
import { fixesIn } from '../adapters/records/test-fix/fix-histories.js'
import { archiveAtEnd, archivedBefore, endedRun } from './archive-at-end.js'

export const createRecordActivities = (deps: HostDeps) => ({
  /**
   * Writes the record and publishes the branch. With a result it also ends the run on this host: no
   * process of it lives on, uncommitted work is in a snapshot.
   */
  recordRun: withHeartbeat(
    deps.inFlight,
    async (input: RecordInput, beat): Promise<RecordAnswer> => {
      failpoint('record:begin')
      const { workspace, configHash } = input.prepared
      const config = frozenConfig(deps.dirs, configHash, deps.project)
      const warnings = environmentWarnings(deps, config, input.run)
      const ending = endingOf(deps, input)
      const before = ending && (await archivedBefore(ending))
      const tell = async (failures: RecordAnswer['failures'], archived?: string) =>
        input.result === undefined || failures === undefined
          ? []
          : tellEnd(
              deps,
              {
                ...input,
                project: workspace.project,
                configHash,
                recordDir: archived ?? input.prepared.recordDir,
                result: input.result,
                failures,
              },
              beat,
            )
      if (before !== undefined) {
        const failures = ending?.run.result?.failures
        const untold = await tell(failures, before.archived)
        failpoint('record:done')
        return { ...before, warnings: [...before.warnings, ...untold], failures }
      }
      try {
        if (input.result !== undefined) {
          const kept = await endOnHost(deps, input.run, workspace, input.state.head)
          if (kept !== undefined) warnings.push(kept)
        }
        const { warning } = await publishBranch(workspace)
        if (warning !== undefined) warnings.push(warning)
      } catch (error) {
        warnings.push(goneWarning(error))
      }
      const state = {
        ...input.state,
        warnings: [...new Set([...input.state.warnings, ...warnings])],
      }
      const { timezone, test } = config
      const lastRun = lastRunOf(input.state, test.criticality)
      const failures = input.result === undefined ? undefined : reportedFailures(lastRun.failures)
      const result = (all: string[]): Pick<RecordInput, 'result'> =>
        input.result === undefined || failures === undefined
          ? {}
          : {
              result: {
                ...input.result,
                failures,
                history: input.state.history,
                warnings: resultWarnings([...new Set(all)]),
              },
            }
      // Does not recreate a project directory that its user has removed.
      const write = async (more: string[]): Promise<string[]> =>
        !existsSync(workspace.project)
          ? []
          : writeTestFixRecord(
              {
                ...input,
                state: { ...state, warnings: [...new Set([...state.warnings, ...more])] },
                ...result([...state.warnings, ...more]),
              },
              { offset: timezone, rules: test.criticality, lastRun },
            )
      warnings.push(...(await write([])))
      const moved =
        ending &&
        (await archiveAtEnd({
          ...ending,
          run: { ...ending.run, fixes: fixesIn(ending.record) },
          at: input.at,
        }))
      warnings.push(...(moved?.warnings ?? []))
      const untold = await tell(failures, moved?.archived)
      // What is archived does not change.
      const isOpen = moved?.archived === undefined && untold.length > 0
      warnings.push(...untold, ...(isOpen ? await write(untold) : []))
      failpoint('record:done')
      return { warnings, failures, archived: moved?.archived }
    },
  ),
})

/** What the archive needs about a run that ends. */
function endingOf(
  deps: HostDeps,
  { run, prepared, state, result, at }: RecordInput,
): Omit<Parameters<typeof archiveAtEnd>[0], 'at'> | undefined {
  if (result === undefined) return undefined
  const { project } = prepared.workspace
  const config = frozenConfig(deps.dirs, prepared.configHash, deps.project)
  const lastRun = lastRunOf(state, config.test.criticality)
  const { recordDir } = prepared
  return {
    config,
    record: recordDir,
    dirs: deps.dirs,
    run: {
      ...endedRun({ run, at, state }, result),
      dir: recordDir,
      kind: 'test-fix',
      description: `Fix the failing tests of ${path.basename(project)}`,
      result: { ...result, failures: reportedFailures(lastRun.failures) },
      open: [],
    },
  }
}
