// The budget of a run: when it is exhausted, the run asks a question, and the answer continues at
// that very point. Parallel turns share the budget and the question.
import type {
  Budget,
  BudgetPart,
  Raised,
  Spending,
  Spent,
  TurnBudget,
} from '../../contract/budget.js'
import type { Question } from '../../contract/question.js'
import type { RunUsage } from '../../contract/result.js'
import type { TurnResult } from '../../contract/turn.js'
import {
  budgetQuestion,
  budgetText,
  overBudget,
  raiseBy,
  raisedBudget,
  spentOf,
  unreported,
} from '../../core/agents/budget.js'
import { addUsage } from '../../core/run/run-usage.js'
import type { Control } from './control.js'

/** What the budget needs from its run. */
export type BudgetedRun = {
  readonly control: Pick<Control, 'safePoint' | 'onStop'>
  readonly closing: boolean
  readonly questions: { textOf: (id: string) => string | undefined }
  readonly ready: {
    usage: RunUsage
    raised?: Raised | undefined
    prepared: { spending?: Spending | undefined }
  }
  ask: (question: Question) => Promise<string | undefined>
  warn: (text: string) => void
}

export class RunBudget {
  #underWay = 0
  #asking: Promise<void> | undefined

  constructor(private readonly run: BudgetedRun) {}

  /** Returns the budget for a turn that starts now, if there is one. */
  forTurn(): { budget?: TurnBudget } {
    const limit = this.#limit
    return limit === undefined ? {} : { budget: { limit, spent: spentOf(this.run.ready.usage) } }
  }

  /** Agent minutes that the run has left; `undefined` without a limit. */
  minutesLeft(): number | undefined {
    const limit = this.#limit?.minutes
    return limit === undefined
      ? undefined
      : Math.max(0, limit - spentOf(this.run.ready.usage).minutes)
  }

  /** Runs a turn once there is budget for it; a running turn already counts. */
  async spend<T>(turn: () => Promise<T>): Promise<T> {
    await this.#admit()
    try {
      return await turn()
    } finally {
      this.#underWay--
    }
  }

  /**
   * Asks for more after a turn was interrupted by the budget; if the budget was raised meanwhile,
   * the turn simply continues.
   *
   * @param partial its usage, which is not yet in the run's usage
   * @param told the limit that the turn had
   */
  async more(part: BudgetPart, partial: TurnResult, told: Budget | undefined): Promise<void> {
    if (this.#asking === undefined && (this.#limit?.[part] ?? 0) > (told?.[part] ?? 0)) return
    const spent = spentOf(addUsage(this.run.ready.usage, partial))
    // Only the host knows the usage of parallel agents.
    await this.#share(part, { ...spent, [part]: Math.max(spent[part], told?.[part] ?? 0) })
  }

  /** Reports once that an agent does not report a value the budget relies on. */
  look(agent: string, { usage }: TurnResult): void {
    const limit = this.#limit
    if (limit === undefined) return
    for (const text of unreported(limit, usage)) this.run.warn(`${agent} ${text}`)
  }

  get #limit(): Budget | undefined {
    const { prepared, raised } = this.run.ready
    const budget = prepared.spending?.budget
    return budget === undefined ? undefined : raisedBudget(budget, raised)
  }

  /** Counts the turn as running in the step that admits it: two may ask at the same moment. */
  async #admit(): Promise<void> {
    for (let over = this.#over(); over !== undefined; over = this.#over())
      await this.#share(over.part, over.begun)
    this.#underWay++
  }

  /** The part that leaves no turn, and what is spent if every running turn counts. */
  #over(): { part: BudgetPart; begun: Spent } | undefined {
    const limit = this.#limit
    if (limit === undefined || this.run.closing) return undefined
    const spent = spentOf(this.run.ready.usage)
    const begun = { ...spent, turns: spent.turns + this.#underWay }
    const part = overBudget(limit, begun)
    return part === undefined ? undefined : { part, begun }
  }

  async #share(part: BudgetPart, spent: Spent): Promise<void> {
    this.#asking ??= this.#ask(part, spent).finally(() => (this.#asking = undefined))
    await this.#asking
    await this.run.control.safePoint()
  }

  async #ask(part: BudgetPart, spent: Spent): Promise<void> {
    const { run } = this
    const limit = this.#limit
    const configured = run.ready.prepared.spending?.budget
    if (limit === undefined || configured === undefined) return
    const { estimated } = run.ready.usage
    const times = (run.ready.raised?.times ?? 0) + 1
    const question = budgetQuestion({
      times,
      part,
      limit,
      spent,
      estimated,
      adds: raiseBy(part, undefined, configured, limit, spent),
      askedAt: Date.now(),
    })
    const answer = await run.ask(question)
    if (answer === 'stop') run.control.onStop(budgetText(part, limit, spent, estimated))
    if (answer !== 'raise') return
    const raised = run.ready.raised ?? { times: 0 }
    run.ready.raised = {
      ...raised,
      times,
      [part]:
        (raised[part] ?? 0) +
        raiseBy(part, run.questions.textOf(question.id), configured, limit, spent),
    }
  }
}
