// What a run may spend, and what it has spent. The whole run has one budget for retries, agent
// fallbacks, repairs and parallel agents.
import { z } from 'zod'

/** Parts of a budget, in the order in which they are checked. */
export const BUDGET_PARTS = ['turns', 'tokens', 'costUsd', 'minutes'] as const
export type BudgetPart = (typeof BUDGET_PARTS)[number]

/**
 * Limits of a run; a missing part has no limit. Tokens are input and output together, costs are US
 * dollars, minutes are those of all agents added up.
 */
export const Budget = z
  .object({ turns: z.number(), tokens: z.number(), costUsd: z.number(), minutes: z.number() })
  .partial()
export type Budget = z.infer<typeof Budget>

/** What was spent. */
export const Spent = z.object({
  turns: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
  minutes: z.number(),
})
export type Spent = z.infer<typeof Spent>

/** What a person added to the budget while the run was open, and how often. */
export const Raised = Budget.extend({ times: z.number().int() })
export type Raised = z.infer<typeof Raised>

/**
 * What happens to a turn whose agent is rate limited or whose provider is away: it waits, or the
 * next agent of the chain continues it.
 */
export const OnRateLimit = z.enum(['wait', 'next'])
export type OnRateLimit = z.infer<typeof OnRateLimit>

/** Settings of the budget, read when the run is prepared. */
export const Spending = z.object({
  budget: Budget.optional(),
  onRateLimit: OnRateLimit,
  /** Longest wait for a provider in one outage; 6 h by default. */
  unavailableMs: z.number().optional(),
})
export type Spending = z.infer<typeof Spending>

/**
 * The budget of a run as a turn gets it: its limits, and what the run had spent when the turn was
 * scheduled.
 */
export const TurnBudget = z.object({ limit: Budget, spent: Spent })
export type TurnBudget = z.infer<typeof TurnBudget>

/** What the previous agent of the chain left undone. */
export const HandOver = z.object({
  /** Its name. */
  from: z.string(),
  /** Why it does not continue, in one sentence. */
  why: z.string(),
  /** The end of its answer. */
  said: z.string(),
  /** Its provider is away, which is not a rate limit. */
  away: z.literal(true).optional(),
})
export type HandOver = z.infer<typeof HandOver>
