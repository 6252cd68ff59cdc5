// One open dev cycle: its handlers, its state, and the view that queries give of both.
import { CycleInput } from '../../contract/dev-cycle/cycle-input.js'
import { CycleState, type CyclePromise } from '../../contract/dev-cycle/cycle-state.js'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'
import type { RunStatus, StatusReply } from '../../contract/result.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import type { CycleOutcome } from '../../core/dev-cycle/cycle-outcome.js'
import { extensionProblem } from '../../core/dev-cycle/plan-tasks.js'
import { cycleStatus, cycleStatusOf } from '../../core/dev-cycle/cycle-view.js'
import { checkExtend, readExtend, type ExtendRequest } from '../run/extend-request.js'
import { checkedInput, handle } from '../run/open-run.js'
import { TeamRun } from '../run/team-run.js'

export class CycleRun extends TeamRun<CycleState, CycleOutcome> {
  readonly refusesTasks = false
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

  turnFacts(): Pick<AgentTurnInput, 'kind' | 'iteration' | 'history' | 'recordDir'> {
    return {
      kind: 'dev-cycle',
      iteration: this.ready.iteration,
      history: [],
      recordDir: this.ready.prepared.recordDir,
    }
  }

  status(): StatusReply {
    const open = this.questions.open()
    return cycleStatus(
      {
        id: this.id,
        project: this.input.project,
        status: this.runStatus(),
        phase: this.phase,
        waitingFor: this.waits(open),
        questions: open.length,
      },
      this.state,
    )
  }

  protected override task(): string | undefined {
    return this.input.task ?? this.state?.tasks[0]?.text
  }

  protected statusOf(outcome: CycleOutcome): RunStatus {
    return cycleStatusOf(outcome)
  }
}

/**
 * Opens a cycle: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openCycle(rawInput: unknown, rawState: unknown): CycleRun {
  const run = new CycleRun(
    checkedInput(CycleInput, rawInput),
    rawState === undefined ? undefined : CycleState.parse(rawState),
  )
  handle(run, {
    check: (raw) =>
      checkExtend(run, raw, {
        nothing: EXTEND_NOTHING,
        taskProblem: (task) =>
          extensionProblem([...run.ready.tasks, ...waitingTasks(run.ready)], task),
      }),
    apply: (raw) => extend(run, raw),
    description:
      'Gives the cycle a further task, which enters its next iteration: {"task": "Also add MFA"}; {"iterations": 2} allows more of them.',
  })
  return run
}

const EXTEND_NOTHING = 'task: name the further task, like {"task":"Also add MFA"}'

function extend(run: CycleRun, raw: unknown): { maxIterations: number; enters: number } {
  const { task, iterations, requestId } = readExtend(raw, EXTEND_NOTHING) as ExtendRequest
  const state = run.ready
  const repeated = requestId !== undefined && run.questions.requestIds.includes(requestId)
  if (!repeated) {
    state.maxIterations += iterations
    if (task !== undefined) {
      state.pendingExtensions = [...state.pendingExtensions, task]
      // In the last iteration it adds one
      state.maxIterations = Math.max(state.maxIterations, state.iteration + 1)
      run.questions.settle(menuId(state.iteration), 'continue')
      run.questions.settle(extendId(state.iteration), '')
    }
    run.questions.remember(requestId)
  }
  run.refresh()
  return { maxIterations: state.maxIterations, enters: state.iteration + 1 }
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
