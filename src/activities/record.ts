// The record and the branch in the user's repository: projections of the run's state.
import { existsSync } from 'node:fs'
import type { ReportedFailure } from '../contract/result.js'
import type { RecordAnswer, RecordInput } from '../contract/step.js'
import type { TestRun } from '../contract/test-run.js'
import { reportedFailures } from '../core/test-fix-view.js'
import { reach } from '../adapters/fault-point.js'
import { frozenConfig } from '../adapters/frozen-config.js'
import { PlaceGone } from '../adapters/git/git.js'
import { publishBranch } from '../adapters/git/publish.js'
import { restoreTree } from '../adapters/git/steps.js'
import { failedTests, writeTestFixRecord } from '../adapters/records/test-fix-record.js'
import { hosted } from './hosted.js'
import type { HostDeps } from './deps.js'

export const createRecordActivities = (deps: HostDeps) => ({
  /**
   * Writes the record and publishes the branch. With a result it also ends the run on this host: no
   * process of it lives on, uncommitted work is in a snapshot.
   */
  recordRun: hosted(deps.inFlight, async (input: RecordInput): Promise<RecordAnswer> => {
    reach('record:begin')
    const warnings: string[] = []
    const { workspace } = input.prepared
    try {
      if (input.result !== undefined) {
        await deps.agents.endRun(input.run)
        const snapshot = await restoreTree(workspace, input.state.head)
        if (snapshot !== undefined) warnings.push(`uncommitted work was kept as ${snapshot} in ${workspace.root}`)
      }
      const { warning } = await publishBranch(workspace)
      if (warning !== undefined) warnings.push(warning)
    } catch (error) {
      if (!(error instanceof PlaceGone)) throw error
      warnings.push(`${error.place} is gone: the branch is as it was last published`) // a stop must end the run all the same
    }
    const state = { ...input.state, warnings: [...new Set([...input.state.warnings, ...warnings])] }
    const { timezone } = frozenConfig(deps.dirs, input.prepared.configHash, deps.project)
    const failures = input.result === undefined ? undefined : allFailures(input.state.lastRun)
    // Never make a project's directory anew that its user has removed.
    if (existsSync(workspace.project)) await writeTestFixRecord({ ...input, state, ...(input.result === undefined || failures === undefined ? {} : { result: { ...input.result, failures } }) }, timezone)
    reach('record:done')
    return { warnings, ...(failures === undefined ? {} : { failures }) }
  }),
})

function allFailures(run: TestRun | undefined): ReportedFailure[] {
  return run?.kind === 'measured' ? reportedFailures(failedTests(run)) : []
}
