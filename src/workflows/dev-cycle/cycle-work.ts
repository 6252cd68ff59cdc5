// Runs the agents of an iteration, until a person approves the plan only those that plan.
import { condition } from '@temporalio/workflow'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import { waiting } from '../../core/dev-cycle/cycle-agents.js'
import { untoldTo } from '../../core/dev-cycle/documents/person-edits.js'
import { extensionOf } from '../../core/dev-cycle/plan-tasks.js'
import { all } from '../run/all.js'
import { approveCyclePlan, approvesPlan } from './approve-cycle-plan.js'
import type { CycleRun } from './cycle-run.js'
import { brief, phaseTurn, repairs } from './cycle-turns.js'

/**
 * Runs the agents of an iteration. If a person approves the plan, the developer and VAS begin after
 * that.
 */
export async function workTurns(run: CycleRun): Promise<void> {
  const { scheduling } = run.ready
  // VAS has nothing to validate before a commit, so it starts with the baseline instead of waiting.
  const phases = rolesOf(run.ready).filter((phase) => phase !== 'vas' || scheduling !== 'staged')
  if (!approvesPlan(run, phases)) return atOnce(run, phases)
  await atOnce(run, phases.filter(isPlanning))
  await approveCyclePlan(run)
  await atOnce(
    run,
    phases.filter((phase) => !isPlanning(phase)),
  )
}

function isPlanning(phase: Phase): boolean {
  return phase === 'ra' || phase === 'ep'
}

/** Runs agents at once, or each as soon as its inputs exist. */
async function atOnce(run: CycleRun, phases: readonly Phase[]): Promise<void> {
  const { scheduling, parallel } = run.ready
  const most = scheduling === 'staged' ? 1 : parallel
  for (const phase of phases) run.ready.agents = waiting(run.ready.agents, phase)
  let atWork = 0
  await all(
    phases.map((phase, place) => async () => {
      // In the order in which agents read from each other.
      await condition(
        () =>
          atWork < most &&
          phases.slice(0, place).every((before) => run.ready.agents[before].status !== 'waiting'),
      )
      atWork++
      try {
        await phaseTurn(run, phase, {
          kind: 'work',
          step: 'work',
          ask: (simplified) => ({
            about: 'cycle-work',
            brief: brief(run.ready, phase),
            simplified,
            ...repairs(run, phase),
          }),
        })
      } finally {
        atWork--
      }
    }),
  )
}

/**
 * Returns the roles that the iteration needs. A package gives each agent a focus; an extension and
 * a person's edit concern all of them.
 */
function rolesOf({ iteration, tasks, prep, needs, edits }: CycleState): readonly Phase[] {
  const isNews =
    extensionOf(tasks, iteration) !== undefined ||
    PHASES.some((phase) => untoldTo(edits, phase).length > 0)
  return prep !== undefined || needs === undefined || isNews ? PHASES : needs
}
