// What every kind of run has: control, questions, details, a phase, a status.
import { ApplicationFailure, workflowInfo } from '@temporalio/workflow'
import type { z } from 'zod'
import { BAD_INPUT } from '../../contract/failures.js'
import { parseInput, workflowIdProblem } from '../../contract/test-fix/test-fix-input.js'
import type { AskedEvent } from '../../contract/hooks.js'
import type { Kind, SearchAttribute } from '../../contract/names.js'
import type { CarriedLimits, QuestionClock } from '../../contract/question-limits.js'
import type { Question } from '../../contract/question.js'
import type { Raised, Spending } from '../../contract/budget.js'
import type { IterationSummary, RunStatus, RunUsage, StatusReply } from '../../contract/result.js'
import type { PauseRequest } from '../../contract/signals.js'
import type { TestRun } from '../../contract/test-run.js'
import { rateOf } from '../../core/test-results/pass-rate.js'
import {
  endsTheRun,
  limitOfKind,
  silenceText,
  silenceWarning,
} from '../../core/run/question-silence.js'
import { signedValue } from '../../core/signing/signed-purpose.js'
import { statusReply } from '../../core/run/status-reply.js'
import { isoTime } from '../../core/text/iso-time.js'
import { beatAtOnce } from './activity-options.js'
import { Control } from './control.js'
import { Details } from './details.js'
import { Notices } from './notify.js'
import { Questions } from './questions.js'
import { RunBudget } from './run-budget.js'

/** Number of warnings that a run carries, the newest, and their maximum length. */
const WARNINGS_KEPT = 30
const WARNING_CHARS = 500

/** The state that every kind of run carries from one iteration to the next. */
export type Carried = {
  pause?: PauseRequest | undefined
  requestIds: string[]
  questionClock?: QuestionClock | undefined
  facts: { searchAttributes: string[]; queue: string }
  warnings: string[]
  iteration: number
  maxIterations: number
  history: IterationSummary[]
  lastRun?: TestRun | undefined
  usage: RunUsage
  raised?: Raised | undefined
  prepared: {
    spending?: Spending | undefined
    hooks?: AskedEvent[] | undefined
    questionLimits?: CarriedLimits | undefined
    timezone?: string
    configHash: string
    recordDir: string
    workspace: { project: string; branch: string }
  }
}

export abstract class OpenRun<S extends Carried, Outcome extends string> {
  abstract readonly kind: Kind
  abstract readonly input: { project: string }
  readonly id = workflowInfo().workflowId
  readonly runId = workflowInfo().runId
  readonly control: Control
  readonly questions: Questions
  readonly details = new Details()
  readonly budget: RunBudget = new RunBudget(this)
  readonly notices: Notices = new Notices(this)
  phase = 'preparing'
  /** What the running step waits for, in one sentence. */
  waitingFor = 'host: preparing the workspace'
  outcome: Outcome | undefined
  /** Directory of the record, once it is archived. */
  archived: string | undefined
  /** Number of `beatAtOnce` without an answer. */
  #beats = 0

  constructor(public state: S | undefined) {
    this.control = new Control(
      state?.pause,
      () => this.refresh(),
      () => this.#beatAtOnce(),
    )
    this.questions = new Questions(
      [...(state?.requestIds ?? [])],
      () => this.noQuestion(),
      state?.questionClock,
    )
    if (state?.pause !== undefined) this.questions.deadlines.pause()
    if (state !== undefined) this.details.register(state.facts.searchAttributes)
  }

  get closing(): boolean {
    return this.control.closing
  }

  set closing(is: boolean) {
    this.control.closing = is
  }

  /** The state, present once the workspace is ready. */
  get ready(): S {
    if (this.state === undefined) throw new Error('the run has no workspace yet')
    return this.state
  }

  /** Whether nothing but steps is under way: no hook, and no request to beat. */
  get idle(): boolean {
    return this.notices.idle && this.#beats === 0
  }

  #beatAtOnce(): void {
    if (this.state === undefined) return
    this.#beats++
    void beatAtOnce(this.state.facts.queue, this.id).finally(() => this.#beats--)
  }

  /** Returns the answer of the `status` query. */
  status(): StatusReply {
    const open = this.questions.open()
    const live = {
      id: this.id,
      kind: this.kind,
      project: this.input.project,
      status: this.runStatus(),
      phase: this.phase,
      waitingFor: this.waits(open),
      questions: open.length,
    }
    return { ...statusReply(live, this.state), ...this.statusExtras() }
  }

  /** What the status of this kind contains besides. */
  protected statusExtras(): Partial<StatusReply> {
    return {}
  }

  /** Describes the `extend` update to people. */
  abstract readonly extendHelp: string

  /** @throws ApplicationFailure `BadInput`, non-retryable, for an `extend` that cannot be used */
  abstract checkExtend(raw: unknown): void

  /** Carries out an `extend`, and returns its answer. */
  abstract extend(raw: unknown): unknown

  /** Applies a request, unless one with its id was applied before. */
  protected once<T>(requestId: string | undefined, apply: () => T): T | undefined {
    const isNew = requestId === undefined || !this.questions.requestIds.includes(requestId)
    const result = isNew ? apply() : undefined
    if (isNew) this.questions.remember(requestId)
    this.refresh()
    return result
  }

  /** The task of the run as the user gave it. */
  protected task(): string | undefined {
    return undefined
  }

  /** Search attributes besides phase and open questions. */
  protected attributes(): Partial<Record<SearchAttribute, string | number>> {
    const rate = rateOf(this.state?.lastRun)
    return {
      RatchetIteration: this.state?.iteration ?? 0,
      ...(rate === null ? {} : { RatchetPassRate: rate }),
    }
  }

  /** Record status of an outcome. */
  protected abstract statusOf(outcome: Outcome): RunStatus

  /** Records once what a person should know at the end. */
  warn(text: string): void {
    const state = this.ready
    const warning = text.length > WARNING_CHARS ? `${text.slice(0, WARNING_CHARS - 1)}…` : text
    if (!state.warnings.includes(warning))
      state.warnings = [...state.warnings, warning].slice(-WARNINGS_KEPT)
  }

  /** Sets the phase of the next step, in status, Web UI and search. */
  enter(phase: string, waitingFor: string): void {
    this.phase = phase
    this.waitingFor = waitingFor
    this.refresh()
    const { RatchetIteration = 0, ...rest } = this.attributes()
    this.details.upsert({
      RatchetPhase: phase,
      RatchetIteration,
      RatchetNeedsHuman: this.questions.open().length > 0,
      ...rest,
    })
  }

  refresh(): void {
    this.details.show(this.status(), this.questions.open(), {
      task: this.task(),
      usage: this.state?.usage,
      timezone: this.state?.prepared.timezone,
    })
  }

  /**
   * Asks a person, and waits for days if need be, at most as long as the configuration says. A run
   * that ends asks nothing.
   */
  async ask(question: Question): Promise<string | undefined> {
    if (this.closing || this.control.stop !== undefined) return undefined
    const isOpen = (): boolean => this.questions.open().some(({ id }) => id === question.id)
    const joins = isOpen() // asked before, and already sent to a hook
    const limit = limitOfKind(this.state?.prepared.questionLimits, question.kind)
    const answer = this.questions.ask(question, limit)
    this.details.upsert({ RatchetNeedsHuman: true })
    this.refresh()
    const open = this.questions.open().find(({ id }) => id === question.id)
    const withdraw = joins || open === undefined ? undefined : this.notices.begin(open)
    try {
      const given = await answer
      if (open !== undefined && limit !== undefined && this.questions.isSilent(question.id))
        this.#unanswered(open, limit.after)
      this.details.upsert({ RatchetNeedsHuman: this.questions.open().length > 0 })
      this.refresh()
      return given
    } finally {
      withdraw?.()
    }
  }

  #asks(question: Question): string {
    const { text, deadline } = question
    if (deadline === undefined) return text
    const at = isoTime(deadline, this.state?.prepared.timezone ?? '+00:00')
    return `${text} Without an answer by ${at}: ${silenceText(question)}`
  }

  #unanswered(question: Question, after: number): void {
    const warning = silenceWarning(question, after)
    if (this.state !== undefined) this.warn(warning)
    if (!endsTheRun(question, question.onDeadline ?? '')) return
    this.control.onStop(warning)
    this.questions.withdrawAll()
  }

  /** Called for a pause, so that a step that only waits for a person can hold. */
  paused(): void {}

  /** Called for a resume, with its argument. */
  resumed(_raw: unknown): void {}

  /** The refusal of an answer without an open question. */
  protected noQuestion(): string {
    return 'there is no open question'
  }

  protected runStatus(): RunStatus {
    if (this.outcome !== undefined) return this.statusOf(this.outcome)
    return this.control.holding && this.control.running === 0 ? 'paused' : 'running'
  }

  /** Returns why it waits, in one sentence. */
  protected waits(open: Question[]): string {
    const { pause, stop, holding } = this.control
    if (this.outcome !== undefined) return 'nothing'
    const by = pause?.reason ? ` (${pause.reason})` : ''
    if (stop !== undefined) return 'stopping: the running step is interrupted'
    const left = this.control.running
    if (holding && left > 0)
      return `${left} step${left === 1 ? '' : 's'} to end; then it pauses${by}`
    if (holding) return `paused${by}; continue with: ratchet resume ${this.id}`
    const own = open[0] === undefined ? this.waitingFor : `person: ${this.#asks(open[0])}`
    return pause === undefined ? own : `${own}; then it pauses${by}`
  }
}

/**
 * Checks the input of a run before the first await.
 *
 * @param raw as the worker passes it on
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function checkedInput<T>(schema: z.ZodType<T>, raw: unknown): T {
  const idProblem = workflowIdProblem(workflowInfo().workflowId)
  if (idProblem !== undefined)
    throw ApplicationFailure.nonRetryable(`workflow id: ${idProblem}`, BAD_INPUT)
  const input = parseInput(schema, signedValue(raw).value)
  if (!input.ok) throw ApplicationFailure.nonRetryable(input.problem, BAD_INPUT)
  return input.value
}
