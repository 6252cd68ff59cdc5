// One open dev loop: its state, its mode, and what a further task changes in it.
import { STILL_PREPARING } from '../../contract/failures.js'
import {
  LoopInput,
  LoopMode,
  type LoopAction,
  type ParallelAction,
} from '../../contract/dev-loop/loop-input.js'
import { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { RunStatus } from '../../contract/result.js'
import type { Workspace } from '../../contract/workspace.js'
import { furtherTask, furtherTaskProblem, pendingTasks } from '../../core/dev-loop/loop-tasks.js'
import { inMode } from '../../core/dev-loop/in-mode.js'
import { unfollowed } from '../../core/run/task-work.js'
import { loopStatusOf, type LoopOutcome } from '../../core/dev-loop/loop-outcome.js'
import type { ExtendRequest } from '../run/extend-request.js'
import { handled } from '../run/handlers.js'
import { checkedInput } from '../run/open-run.js'
import { TeamRun } from '../run/team-run.js'
import type { WorkerFacts } from '../../contract/dev-loop/loop-step.js'

export class LoopRun extends TeamRun<LoopState, LoopOutcome> {
  readonly kind = 'dev-loop'
  readonly extendHelp =
    'Gives the loop a further task: {"task": "Also cover the CSV import"}; {"iterations": 5} allows more workers in auto mode.'
  protected readonly extendNothing =
    'task: name the task, like {"task":"Also cover the CSV import"}'
  /** The running worker, for a person who chooses meanwhile. */
  worker: string | undefined
  /** Facts about the workers of this step, for their output files. */
  facts: WorkerFacts[] = []
  /** Answers to the workers' questions in this step. */
  readonly clarifications = new Map<LoopAction, WorkerFacts['clarifications']>()
  /** Start of the parallel round, epoch milliseconds. */
  startedRound = 0
  /** Clones of workers that are not yet merged. */
  clones: { action: ParallelAction; workspace: Workspace }[] = []

  constructor(
    readonly input: LoopInput,
    carried: LoopState | undefined,
  ) {
    super(carried)
  }

  protected override task(): string | undefined {
    return this.input.task ?? this.state?.texts[0]
  }

  /**
   * The worker's step is over except for the record. Only status and details show it: the phase is
   * still that of the step.
   */
  recording(): void {
    this.waitingFor = 'host: writing the record'
    this.refresh()
  }

  /** Releases a step that waits for a choice, so that it holds. */
  /** The menu is asked again after the resume. */
  override paused(): void {
    for (const { id, kind } of this.questions.open())
      if (kind === 'menu') this.questions.suspend(id)
  }

  /** `{"mode":"auto"}` or a bare `"auto"` with a resume changes the mode of the loop. */
  override resumed(raw: unknown): void {
    const requested = LoopMode.safeParse(
      typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)['mode'] : raw,
    ).data
    if (requested === undefined || this.state === undefined || requested === this.state.mode) return
    Object.assign(this.state, inMode(this.state, requested))
    this.letGoOfMenu()
    this.questions.deadlines.end(this.menuId)
    // Questions with a recommended answer are withdrawn.
    if (requested !== 'interactive')
      for (const { id, kind, recommended = '' } of this.questions.open())
        if (kind === 'clarification') this.questions.settle(id, recommended)
  }

  /** Id of the menu of this iteration. */
  get menuId(): string {
    return `menu-${this.ready.iteration}`
  }

  /** Withdraws the menu, which is asked again if the new state needs it. */
  letGoOfMenu(): void {
    for (const { id, kind } of this.questions.open())
      if (kind === 'menu') this.questions.settle(id, '')
  }

  protected override noQuestion(): string {
    if (this.state === undefined) return STILL_PREPARING
    if (this.runStatus() === 'paused')
      return `the run is paused, and asks nothing; continue with: ratchet resume ${this.id}`
    return this.worker === undefined
      ? 'there is no open question'
      : `${this.worker} is running, and asks nothing; ${this.state.mode === 'interactive' ? 'the menu follows when it has ended' : 'this mode asks for no choice'}`
  }

  protected statusOf(outcome: LoopOutcome): RunStatus {
    return loopStatusOf(outcome)
  }

  protected taskProblem(task: string): string | undefined {
    return furtherTaskProblem(this.ready.texts, task)
  }

  protected add({ task, iterations }: ExtendRequest): string | undefined {
    this.ready.maxIterations += iterations
    const added = task === undefined ? undefined : addTask(this.ready, task)
    this.letGoOfMenu()
    return added
  }

  protected extended(task: string | undefined): {
    maxIterations: number
    pending: number
    task?: string | undefined
  } {
    const { maxIterations, tasks } = this.ready
    return { maxIterations, pending: pendingTasks(tasks).length, task }
  }
}

/**
 * Opens a loop: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openLoop(rawInput: unknown, rawState: unknown): LoopRun {
  const input = checkedInput(LoopInput, rawInput)
  return handled(new LoopRun(input, LoopState.optional().parse(rawState)), rawInput)
}

/**
 * Adds a further task: pending at once, or part of the breakdown if there is none yet. What was
 * committed before it is no work on it.
 */
export function addTask(state: LoopState, text: string): string | undefined {
  const task = state.initialised ? furtherTask(state, text) : undefined
  state.texts = [...state.texts, text]
  state.workFrom = state.head
  delete state.takenBack
  delete state.developed
  state.tasks = unfollowed(state.tasks)
  if (task !== undefined) state.tasks = [...state.tasks, task]
  return task?.id
}
