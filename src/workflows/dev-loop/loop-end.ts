// The ways out of a run of the dev loop: into the next run, or to its end.
import type { LoopInput } from '../../contract/dev-loop/loop-input.js'
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { RunResult } from '../../contract/result.js'
import { forNext } from '../../core/dev-loop/loop-carried.js'
import { openIn } from '../../core/dev-loop/loop-open.js'
import type { LoopOutcome } from '../../core/dev-loop/loop-outcome.js'
import { loopResult } from '../../core/dev-loop/loop-view.js'
import { note } from '../../core/text/short-text.js'
import type { LoopRun } from './loop-run.js'
import { record } from './loop-steps.js'
import { closeRun, continueRun } from '../run/run-end.js'

/** Why a loop ends. */
export type LoopEnd = { outcome: LoopOutcome; reason?: string }

/** Starts the next run with a compact state. */
export function nextRun(run: LoopRun): Promise<never> {
  return continueRun<LoopInput, LoopState>(run, (carried) => [
    run.ready.input,
    forNext({ ...run.ready, ...carried }),
  ])
}

/** Ends the loop: no task stays in progress. */
export function close(run: LoopRun, { outcome, reason }: LoopEnd): Promise<RunResult> {
  return closeRun(run, outcome, {
    settle: () => {
      const { state } = run
      if (state !== undefined) state.tasks = closedTasks(state, outcome)
      return loopResult(run.id, outcome, note([reason]), state)
    },
    record: (result) => record(run, result),
  })
}

/** Returns the tasks after the end: the task of a running worker is not lost with the worker. */
function closedTasks(state: LoopState, outcome: LoopOutcome): LoopState['tasks'] {
  const tasks = state.tasks.map((task) =>
    task.status === 'in_progress' ? { ...task, status: 'pending' as const } : task,
  )
  // Tasks that a validation closed are done.
  return outcome === 'completed' && openIn({ ...state, tasks }).items.length === 0
    ? tasks.map((task) => ({ ...task, status: 'completed' as const }))
    : tasks
}
