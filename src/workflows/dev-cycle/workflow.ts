// The parallel dev cycle: four agents work, the developer's work is committed and measured, VAS
// validates it, problems go back to the agents that can solve them, and it iterates until it
// converges.
//
// One iteration is one run of the workflow: it ends in `nextIteration`, which continues as new.
import type { CycleInput } from '../../contract/dev-cycle/cycle-input.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { RunResult } from '../../contract/result.js'
import { aggregate } from './cycle-aggregation.js'
import { close, nextIteration } from './cycle-end.js'
import { openCycle, type CycleRun } from './cycle-run.js'
import { record, reload } from './cycle-steps.js'
import { workTurns } from './cycle-work.js'
import { whenReady } from '../run/hold.js'
import { ended } from '../run/run-end.js'
import { decide } from './cycle-decision.js'
import type { Verdict } from './cycle-verdict.js'
import { begin, openIteration } from './cycle-begin.js'

/** Develops a task in iterations. See `CycleInput`; the second argument is internal. */
export async function devCycle(input: CycleInput, carried?: CycleState): Promise<RunResult> {
  const run = openCycle(input, carried)
  run.control.beforeHold = whenReady(run, record)
  run.control.afterHold = whenReady(run, reload)
  return ended(
    run,
    () => cycle(run),
    (end) => close(run, end),
    'failed',
  )
}

async function cycle(run: CycleRun): Promise<RunResult> {
  if (run.state === undefined) {
    const refused = await begin(run)
    if (refused !== undefined) return close(run, refused)
  }
  const verdict = await iterate(run)
  const next = await decide(run, verdict)
  return next === 'next iteration' ? nextIteration(run) : close(run, next)
}

/** Runs one iteration: the agents work, then their results are aggregated. */
async function iterate(run: CycleRun): Promise<Verdict> {
  openIteration(run)
  await workTurns(run)
  return aggregate(run)
}
