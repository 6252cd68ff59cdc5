// The budget of a run: what is left, which part is spent, what a raise adds.
//
// A budget that is spent parks the run with a question; nothing is thrown away for it. A part that
// is reached is spent: a budget of 3 turns allows three.
import {
  BUDGET_PARTS,
  type Budget,
  type BudgetPart,
  type OnRateLimit,
  type Raised,
  type Spending,
  type Spent,
} from '../../contract/budget.js'
import type { Question } from '../../contract/question.js'
import type { RunUsage } from '../../contract/result.js'
import type { Usage } from '../../contract/turn.js'
import { dollars } from '../text/money.js'

const MINUTE_MS = 60_000

/** Limits of the config in their own units; 0 is no limit. */
export type BudgetLimits = {
  maxTurns: number
  maxTokens: number
  maxCostUsd: number
  maxMinutes: number
}

/** The budget that a config sets, or `undefined` where it sets none. */
export function budgetOf({
  maxTurns,
  maxTokens,
  maxCostUsd,
  maxMinutes,
}: BudgetLimits): Budget | undefined {
  const parts: Budget = {
    ...(maxTurns > 0 && { turns: maxTurns }),
    ...(maxTokens > 0 && { tokens: maxTokens }),
    ...(maxCostUsd > 0 && { costUsd: maxCostUsd }),
    ...(maxMinutes > 0 && { minutes: maxMinutes }),
  }
  return Object.keys(parts).length === 0 ? undefined : parts
}

/** Returns the budget settings of a run. */
export function spendingOf(
  limits: BudgetLimits & { onRateLimit: OnRateLimit; unavailable: number },
): Spending {
  const budget = budgetOf(limits)
  return {
    onRateLimit: limits.onRateLimit,
    unavailableMs: limits.unavailable,
    budget,
  }
}

/** What a run has spent, from its usage. */
export function spentOf(usage: RunUsage): Spent {
  return {
    turns: usage.turns,
    tokens: usage.inputTokens + usage.outputTokens,
    costUsd: usage.costUsd ?? 0,
    minutes: (usage.agentMs ?? 0) / MINUTE_MS,
  }
}

/** The budget with everything that was added to it; a part without a limit gets none. */
export function raisedBudget(budget: Budget, raised: Raised | undefined): Budget {
  return Object.fromEntries(
    BUDGET_PARTS.flatMap((part) =>
      budget[part] === undefined ? [] : [[part, budget[part] + (raised?.[part] ?? 0)]],
    ),
  )
}

/** The first part that is spent, or `undefined`. */
export function overBudget(limit: Budget, spent: Spent): BudgetPart | undefined {
  return BUDGET_PARTS.find((part) => spent[part] >= (limit[part] ?? Infinity))
}

/** "the budget is spent (12,345 of 10,000 tokens, partly estimated)". */
export function budgetText(
  part: BudgetPart,
  limit: Budget,
  spent: Spent,
  estimated: boolean,
): string {
  const marked = estimated && (part === 'tokens' || part === 'costUsd') ? ', partly estimated' : ''
  return `the budget is spent (${amount(part, spent[part])} of ${amount(part, limit[part] ?? 0)} ${UNITS[part]}${marked})`
}

const UNITS: Record<BudgetPart, string> = {
  turns: 'turns',
  tokens: 'tokens',
  costUsd: 'US dollars',
  minutes: 'agent minutes',
}

/** "50,000 tokens", "0.50 US dollars". */
export function partText(part: BudgetPart, value: number): string {
  return `${amount(part, value)} ${UNITS[part]}`
}

function amount(part: BudgetPart, value: number): string {
  if (part === 'costUsd') return dollars(value)
  return (part === 'minutes' ? Math.round(value * 10) / 10 : value).toLocaleString('en-US')
}

/** Least that a raise adds, so that it lets at least one more turn begin. */
const LEAST: Spent = { turns: 1, tokens: 1, costUsd: 0.01, minutes: 1 }

/** Most that one raise adds: beyond any use, and still a number after many. */
const MOST = 1e12

/**
 * The number that a person named as an amount, however it is written; `undefined` for none, and for
 * words.
 */
export function namedAmount(text: string | undefined): number | undefined {
  const named = text === undefined ? NaN : numberIn(text)
  return named > 0 ? Math.min(named, MOST) : undefined
}

/**
 * Returns what a raise adds to a part: the given amount, else the configured amount again, and
 * always enough that the spent amount does not ask again at once.
 *
 * @param text the number with the choice, as in `{"choice":"raise","text":"50000"}`
 * @param configured budget of the configuration, without raises
 * @param limit in force now
 */
export function raiseBy(
  part: BudgetPart,
  text: string | undefined,
  configured: Budget,
  limit: Budget,
  spent: Spent,
): number {
  const wanted = namedAmount(text) ?? configured[part] ?? 0
  const behind = spent[part] - (limit[part] ?? 0)
  return wanted > behind ? wanted : behind + Math.max(wanted, LEAST[part])
}

// "50,000" has its thousands apart, "0,50" a fraction: taken for the other, it would be a hundred
// times too much.
function numberIn(text: string): number {
  const digits = text.replaceAll(/[\s_$]/g, '')
  return Number(
    /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(digits)
      ? digits.replaceAll(',', '')
      : digits.replace(',', '.'),
  )
}

/**
 * The question of a run whose budget is spent; it waits for a person in every mode. `adds`: what
 * `raise` gives without an amount.
 */
export function budgetQuestion(q: {
  times: number
  part: BudgetPart
  limit: Budget
  spent: Spent
  estimated: boolean
  adds: number
  askedAt: number
}): Question {
  const { times, part, limit, spent, estimated, adds, askedAt } = q
  return {
    id: `budget-${times}`,
    kind: 'budget',
    text: `${budgetText(part, limit, spent, estimated)}: raise it, or stop?`,
    options: ['raise', 'stop'],
    descriptions: {
      raise: `adds ${partText(part, adds)}, or another amount, and continues at this point`,
      stop: 'ends the run and keeps everything: branch, record, snapshots',
    },
    recommended: 'stop',
    amount: {
      option: 'raise',
      unit: UNITS[part],
      usual: String(Number(adds < 0.01 ? adds.toPrecision(3) : adds.toFixed(4))),
    },
    askedAt,
  }
}

/**
 * What a budget relies on and an agent did not report with a turn, each in words that follow its
 * name.
 */
export function unreported(limit: Budget, usage: Usage): string[] {
  return [
    ...(limit.tokens !== undefined && usage.estimated
      ? ['reported no tokens: they are counted by the length of its texts']
      : []),
    ...(limit.costUsd !== undefined && usage.costUsd === undefined
      ? ['reports no cost: limits.maxCostUsd does not bound it, maxTokens and maxTurns do']
      : []),
  ]
}
