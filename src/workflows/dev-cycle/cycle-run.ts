// One open dev cycle: its state, and what a further task changes in it.
import { CycleInput } from '../../contract/dev-cycle/cycle-input.js'
import { CycleState, type CyclePromise } from '../../contract/dev-cycle/cycle-state.js'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'
import type { RunStatus } from '../../contract/result.js'
import type { CycleOutcome } from '../../core/dev-cycle/cycle-outcome.js'
import { extensionProblem } from '../../core/dev-cycle/plan-tasks.js'
import { cycleStatusOf } from '../../core/dev-cycle/cycle-view.js'
import type { ExtendRequest } from '../run/extend-request.js'
import { handled } from '../run/handlers.js'
import { checkedInput } from '../run/open-run.js'
import { TeamRun } from '../run/team-run.js'

export class CycleRun extends TeamRun<CycleState, CycleOutcome> {
  readonly kind = 'dev-cycle'
  readonly extendHelp =
    'Gives the cycle a further task, which enters its next iteration: {"task": "Also add MFA"}; {"iterations": 2} allows more of them.'
  protected readonly extendNothing = 'task: name the further task, like {"task":"Also add MFA"}'
  /** The results of the last commit and record, for the iteration they belong to. */
  tampered: string[] = []
  foreign: string[] = []
  changedTests: string[] = []
  /** The commit of this iteration that VAS has validated. */
  validated: string | undefined
  /** The tasks of the plan when CD ended its last turn. */
  known: CyclePromise[] = []
  /** Files in the commits of this iteration. */
  committedFiles = 0
  /** The state at the start of the iteration. */
  begun: {
    turns: number
    commits: number
    decisions: CycleState['decisions']
    blockers: CycleState['blockers']
  } = { turns: 0, commits: 0, decisions: [], blockers: [] }

  constructor(
    readonly input: CycleInput,
    carried: CycleState | undefined,
  ) {
    super(carried)
  }

  protected override task(): string | undefined {
    return this.input.task ?? this.state?.tasks[0]?.text
  }

  protected statusOf(outcome: CycleOutcome): RunStatus {
    return cycleStatusOf(outcome)
  }

  protected taskProblem(task: string): string | undefined {
    return extensionProblem([...this.ready.tasks, ...waitingTasks(this.ready)], task)
  }

  protected add({ task, iterations }: ExtendRequest): undefined {
    const state = this.ready
    state.maxIterations += iterations
    if (task === undefined) return
    state.pendingExtensions = [...state.pendingExtensions, task]
    // A task that comes in the last iteration adds one.
    state.maxIterations = Math.max(state.maxIterations, state.iteration + 1)
    this.questions.settle(menuId(state.iteration), 'continue')
    this.questions.settle(extendId(state.iteration), '')
  }

  protected extended(): { maxIterations: number; enters: number } {
    const { maxIterations, iteration } = this.ready
    return { maxIterations, enters: iteration + 1 }
  }
}

/**
 * Opens a cycle: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openCycle(rawInput: unknown, rawState: unknown): CycleRun {
  const input = checkedInput(CycleInput, rawInput)
  return handled(new CycleRun(input, CycleState.optional().parse(rawState)), rawInput)
}

/** Id of the question between two iterations. */
export function menuId(iteration: number): string {
  return `iteration-${iteration}`
}

/** Id of the question that follows it if a person extends the task. */
export function extendId(iteration: number): string {
  return `${menuId(iteration)}-extend`
}

/** Returns waiting extensions as tasks of an iteration, with a number of maximum length. */
export function waitingTasks({
  pendingExtensions,
}: Pick<CycleState, 'pendingExtensions'>): CycleState['tasks'] {
  return pendingExtensions.map((text) => ({ text, iteration: MAX_ITERATIONS }))
}
