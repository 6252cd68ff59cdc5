// Everything that waits for a person is a question, and one `answer` update answers all kinds.
import { z } from 'zod'

export const QuestionKind = z.enum([
  'menu',
  'clarification',
  'decision',
  'permission',
  'budget',
  'conflict',
  'test_change',
  'extend',
])

/** Longest answer in own words to a decision, and longest text beside the choice of a menu. */
export const OWN_WORDS_CHARS = 2_000

/** An open question. Times are epoch milliseconds. */
export const Question = z.object({
  id: z.string(),
  kind: QuestionKind,
  text: z.string(),
  options: z.array(z.string()),
  /** What an option means, by option, where it does not say so itself. */
  descriptions: z.record(z.string(), z.string()).optional(),
  recommended: z.string().optional(),
  /**
   * An option that takes an amount along, as text beside the choice; `usual` is what it gives
   * without one.
   */
  amount: z.object({ option: z.string(), unit: z.string(), usual: z.string() }).optional(),
  askedAt: z.number(),
  /** Key of the turn that asks, where one does. */
  turn: z.string().optional(),
  /**
   * How many answers to this question the asker has had already; one that it missed is its answer
   * at once.
   */
  heard: z.number().int().min(0).optional(),
  deadline: z.number().optional(),
  onDeadline: z.string().optional(),
})
export type Question = z.infer<typeof Question>

/** Argument of the `answer` update. A bare string is taken as `choice` or `text`. */
export const Answer = z.object({
  questionId: z.string().optional(),
  choice: z.string().optional(),
  text: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
})
export type Answer = z.infer<typeof Answer>
