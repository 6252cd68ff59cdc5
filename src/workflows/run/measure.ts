// Runs the full suite on the head of a run that commits its work before it judges it.
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow'
import type { FileRef } from '../../contract/files.js'
import type { Quality } from '../../contract/quality.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { TestRun } from '../../contract/test-run.js'
import type { Workspace } from '../../contract/workspace.js'
import { stepWords, testsSummary } from '../../core/run/step-summary.js'
import { lostSuite } from '../../core/test-results/test-agreement.js'
import { long } from './activity-options.js'
import type { Control } from './control.js'

export type MeasuredRun = {
  readonly id: string
  readonly runId: string
  readonly control: Control
  readonly ready: {
    facts: ServerFacts
    prepared: {
      workspace: Workspace
      testCommand: string
      testTimeoutMs: number
      configHash: string
    }
    head: string
    baseline?: FileRef | undefined
    baselineOfBase?: boolean | undefined
    hadSuite?: true | undefined
    commits: readonly string[]
    lastRun?: TestRun | undefined
    /** Why nothing could be measured. */
    unmeasured?: string | undefined
  }
  enter: (phase: string, waitingFor: string) => void
}

/** Runs the full suite on the head. A project without tests leaves the reason instead. */
export async function measure(run: MeasuredRun, step: string): Promise<void> {
  const state = run.ready
  const { facts, prepared, baseline, baselineOfBase, lastRun } = state
  const before = lastRun?.kind === 'measured' ? lastRun.results : baseline
  try {
    const measured: TestRun = await run.control.step(() => {
      run.enter('testing', `tests: ${run.ready.prepared.testCommand || 'looking for them'}`)
      return long(
        facts.queue,
        prepared.testTimeoutMs,
        testsSummary({ command: prepared.testCommand, step, before: lastRun }),
      ).runTests({
        run: run.id,
        step: `${run.runId}/${step}`,
        workspace: prepared.workspace,
        commit: state.head,
        timeoutMs: prepared.testTimeoutMs,
        configHash: run.ready.prepared.configHash,
        keepPackages: true,
        baseline,
        compare: {
          lastKept: true,
          ownTests: true,
          tellsRemoved: true,
          ...(before === undefined ? {} : { before, lastFull: before }),
          ...(baselineOfBase === true ? { tellsKnown: true } : {}),
        },
      })
    })
    state.lastRun = measured
    state.hadSuite = true
    delete state.unmeasured
    if (measured.kind !== 'measured' || state.baseline !== undefined) return
    state.baseline = measured.results
    state.baselineOfBase = state.commits.length === 0
    if (state.baselineOfBase) state.lastRun = { ...measured, isStart: true }
  } catch (error) {
    if (!isNoTestCommand(error)) throw error
    const reason = error.cause?.message ?? 'no test command was found'
    const lost = lostSuite(state.head, reason, state.hadSuite === true)
    if (lost === undefined) state.unmeasured = reason
    else delete state.unmeasured
    state.lastRun = lost
  }
}

/** Limit of each check of the project besides its tests. */
const CHECK_MS = 5 * 60_000

/**
 * Runs lint, types, build and coverage of the head, if the project has them; nothing if the results
 * are known.
 */
export async function checkQuality(
  run: MeasuredRun & { readonly ready: { quality?: Quality | undefined } },
  step: string,
): Promise<void> {
  const state = run.ready
  const { facts, prepared } = state
  if (state.quality?.commit === state.head) return
  state.quality = await run.control.step(() => {
    run.enter('testing', 'host: lint, types and coverage')
    return long(facts.queue, CHECK_MS, `lint, types and coverage: ${stepWords(step)}`).checkQuality(
      {
        run: run.id,
        step: `${run.runId}/${step}`,
        workspace: prepared.workspace,
        commit: state.head,
        configHash: run.ready.prepared.configHash,
        timeoutMs: CHECK_MS,
        ...(state.quality?.coverageBefore === undefined
          ? {}
          : { coverageBefore: state.quality.coverageBefore }),
        ...(state.quality?.checksBefore === undefined
          ? {}
          : { checksBefore: state.quality.checksBefore }),
      },
    )
  })
}

export function isNoTestCommand(error: unknown): error is ActivityFailure {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'NoTestCommand'
  )
}
