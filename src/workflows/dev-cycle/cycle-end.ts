// The ways out of a run of the dev cycle: into the next iteration, or to its end.
import type { CycleInput } from '../../contract/dev-cycle/cycle-input.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { RunResult } from '../../contract/result.js'
import { forNext } from '../../core/dev-cycle/cycle-carried.js'
import { closedAgents } from '../../core/dev-cycle/cycle-agents.js'
import type { CycleOutcome } from '../../core/dev-cycle/cycle-outcome.js'
import { cycleResult } from '../../core/dev-cycle/cycle-view.js'
import { note } from '../../core/text/short-text.js'
import type { CycleRun } from './cycle-run.js'
import { record, settled } from './cycle-steps.js'
import { closeRun, continueRun } from '../run/run-end.js'

/** Why a cycle ends. */
export type CycleEnd = {
  outcome: CycleOutcome
  reason?: string
  /** Why a person should look at a completed cycle. */
  review?: string[]
  /** A person has agreed to the end. */
  confirmed?: boolean
}

/** Starts the next iteration as a new run with a compact state. */
export function nextIteration(run: CycleRun): Promise<never> {
  return continueRun<CycleInput, CycleState>(run, (carried) => [
    run.ready.input,
    { ...forNext(run.ready), ...carried },
  ])
}

/** Ends the cycle: closes every agent and completes the record. */
export function close(
  run: CycleRun,
  { outcome, reason, review = [], confirmed }: CycleEnd,
): Promise<RunResult> {
  const { state } = run
  const before = state === undefined ? [] : settled(state)
  return closeRun(run, outcome, {
    settle: () => {
      if (state !== undefined) {
        state.currentPhase = 'complete'
        state.agents = closedAgents(state.agents, reason ?? outcome)
      }
      return cycleResult(
        run.id,
        { outcome, reason: note([reason]), review, confirmed, validated: run.validated },
        state,
      )
    },
    record: async (result) => ({ failures: await record(run, { result, settled: before }) }),
  })
}
