// The ways out of a run of the dev cycle: into the next iteration, or to its end.
import { CancellationScope, continueAsNew } from '@temporalio/workflow'
import type { RunResult } from '../../contract/result.js'
import { forNext } from '../../core/dev-cycle/cycle-carried.js'
import { closedAgents } from '../../core/dev-cycle/cycle-agents.js'
import type { CycleOutcome } from '../../core/dev-cycle/cycle-outcome.js'
import { cycleResult } from '../../core/dev-cycle/cycle-view.js'
import { note } from '../../core/text/short-text.js'
import type { devCycle } from './workflow.js'
import type { CycleRun } from './cycle-run.js'
import { record, settled } from './cycle-steps.js'
import { allClosed, boundary, ended, lastRecord } from '../run/run-end.js'

/** Why a cycle ends. */
export type CycleEnd = {
  outcome: CycleOutcome
  reason?: string
  /** Why a person should look at a completed cycle. */ review?: string[]
  /** A person has agreed to the end. */ confirmed?: boolean
}

/** Starts the next iteration as a new run: a compact state, no open handler, no open question. */
export async function nextIteration(run: CycleRun): Promise<never> {
  const carried = await boundary(run)
  const { ready: state } = run
  return continueAsNew<typeof devCycle>(state.input, { ...forNext(state), ...carried })
}

/**
 * Ends the cycle: closes every agent and completes the record. A cancellation that arrives
 * meanwhile does not prevent it.
 */
export function close(run: CycleRun, end: CycleEnd): Promise<RunResult> {
  return CancellationScope.nonCancellable(() => closeRecorded(run, end))
}

async function closeRecorded(
  run: CycleRun,
  { outcome, reason, review = [], confirmed }: CycleEnd,
): Promise<RunResult> {
  run.closing = true
  run.questions.withdrawAll()
  run.enter('closing', 'host: writing the record')
  const { state } = run
  const before = state === undefined ? [] : settled(state)
  if (state !== undefined) {
    state.currentPhase = 'complete'
    state.agents = closedAgents(state.agents, reason ?? outcome)
  }
  const result = cycleResult(run.id, { outcome, reason: note([reason]), review, confirmed }, state)
  if (state !== undefined) {
    const lost = await lastRecord(
      run,
      async () => void (result.failures = await record(run, { result, settled: before })),
    )
    if (lost !== undefined) result.reason = note([result.reason ?? undefined, lost]) ?? lost
  }
  run.outcome = outcome
  run.enter(outcome, 'nothing')
  await allClosed(run)
  return result
}

/** Ends the cycle properly for every kind of exit. */
export function ending(run: CycleRun, body: () => Promise<RunResult>): Promise<RunResult> {
  return ended(run, body, (why, reason) =>
    close(run, { outcome: why === 'stopped' ? 'stopped' : 'failed', reason }),
  )
}
