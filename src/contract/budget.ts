// What a run may spend, and what it has spent. One budget for the whole run: retries, chains,
// repairs and agents side by side draw on it.
import { z } from 'zod'

/** Parts of a budget, in the order in which they are looked at. */
export const BUDGET_PARTS = ['turns', 'tokens', 'costUsd', 'minutes'] as const
export type BudgetPart = (typeof BUDGET_PARTS)[number]

/**
 * Most that may be spent; a part that is left out has no limit. Tokens in and out together, US
 * dollars, minutes that agents worked, each counted for itself.
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
 * What becomes of a turn whose agent its provider limits, or whose provider is away: it waits, or
 * the chain's next agent takes over.
 */
export const OnRateLimit = z.enum(['wait', 'next'])
export type OnRateLimit = z.infer<typeof OnRateLimit>

/** What a run is told of spending when it is prepared. */
export const Spending = z.object({
  budget: Budget.optional(),
  onRateLimit: OnRateLimit,
  /** Longest wait for a provider that is away, in one outage; 6 h where it is not said. */
  unavailableMs: z.number().optional(),
})
export type Spending = z.infer<typeof Spending>

/**
 * The budget of a run as a turn gets it: its limits, and what the run had spent when the turn was
 * scheduled.
 */
export type TurnBudget = { limit: Budget; spent: Spent }

/** What the agent before this one in the chain left undone. */
export type HandOver = {
  /** Its name. */
  from: string
  /** Why it does not go on, in one sentence. */
  why: string
  /** The end of what it said. */
  said: string
  /** Its provider is away, which is no limit. */
  away?: true
}
