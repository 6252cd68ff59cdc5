// The record and the branch in the user's repository: projections of the run's state.
import { existsSync } from 'node:fs'
import type { ReportedFailure } from '../contract/result.js'
import type { RecordAnswer, RecordInput } from '../contract/step.js'
import { ERROR_SHOWN, FAILURES_SHOWN } from '../contract/test-run.js'
import type { FailureFact } from '../core/failure-facts.js'
import { reach } from '../adapters/fault-point.js'
import { frozenConfig } from '../adapters/frozen-config.js'
import { PlaceGone } from '../adapters/git/git.js'
import { publishBranch } from '../adapters/git/publish.js'
import { restoreTree } from '../adapters/git/steps.js'
import { lastRunOf } from '../adapters/records/last-run.js'
import { writeTestFixRecord } from '../adapters/records/test-fix-record.js'
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
    const { timezone, test } = frozenConfig(deps.dirs, input.prepared.configHash, deps.project)
    const lastRun = lastRunOf(input.state, test.criticality)
    const failures = input.result === undefined ? undefined : reported(lastRun.failures)
    // Never make a project's directory anew that its user has removed.
    if (existsSync(workspace.project)) {
      const result = input.result === undefined || failures === undefined ? {} : { result: { ...input.result, failures, history: input.state.history } }
      warnings.push(...(await writeTestFixRecord({ ...input, state, ...result }, { offset: timezone, rules: test.criticality, lastRun })))
    }
    reach('record:done')
    return { warnings, ...(failures === undefined ? {} : { failures }) }
  }),
})

/** The first failures, the most critical first. */
function reported(failures: readonly FailureFact[]): ReportedFailure[] {
  return failures.slice(0, FAILURES_SHOWN).map(({ test, file, criticality, error }) => ({ test, file, criticality, error: error.slice(0, ERROR_SHOWN) }))
}
