// A full test run of the head of a run that commits its work before it judges it.
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow'
import type { FileRef } from '../../contract/files.js'
import type { ServerFacts } from '../../contract/state.js'
import type { TestRun } from '../../contract/test-run.js'
import type { Workspace } from '../../contract/workspace.js'
import { testsSummary } from '../../core/step-summary.js'
import { long } from './activity-options.js'
import type { Control } from './control.js'

export type MeasuredRun = {
  readonly id: string
  readonly runId: string
  readonly control: Control
  readonly ready: {
    facts: ServerFacts
    prepared: { workspace: Workspace; testCommand: string; testTimeoutMs: number; configHash: string }
    head: string
    baseline?: FileRef | undefined
    lastRun?: TestRun | undefined
    /** Why nothing could be measured. */
    unmeasured?: string | undefined
  }
  enter: (phase: string, waitingFor: string) => void
}

/** A full test run of the head. A project without tests leaves the reason instead. */
export async function measure(run: MeasuredRun, step: string): Promise<void> {
  const state = run.ready
  const { facts, prepared, baseline, lastRun } = state
  const before = lastRun?.kind === 'measured' ? lastRun.results : baseline
  try {
    const measured: TestRun = await run.control.step(() => {
      run.enter('testing', `tests: ${run.ready.prepared.testCommand || 'looking for them'}`)
      return long(facts.queue, prepared.testTimeoutMs, testsSummary({ command: prepared.testCommand, step, before: lastRun })).runTests({
        run: run.id, step: `${run.runId}/${step}`, workspace: prepared.workspace, commit: state.head, timeoutMs: prepared.testTimeoutMs, configHash: run.ready.prepared.configHash, keepPackages: true,
        ...(baseline === undefined ? {} : { baseline }), compare: { lastKept: true, ...(before === undefined ? {} : { before }) },
      })
    })
    state.lastRun = measured
    delete state.unmeasured
    if (measured.kind === 'measured' && state.baseline === undefined) state.baseline = measured.results
  } catch (error) {
    if (!isNoTestCommand(error)) throw error
    delete state.lastRun
    state.unmeasured = error.cause?.message ?? 'no test command was found'
  }
}

function isNoTestCommand(error: unknown): error is ActivityFailure {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === 'NoTestCommand'
}
