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
  'approval',
  'quality',
])
export type QuestionKind = z.infer<typeof QuestionKind>

/** Maximum length of a free-text answer to a decision, and of the text with a menu choice. */
export const OWN_WORDS_CHARS = 2_000

/** An open question. Times are epoch milliseconds. */
export const Question = z.object({
  id: z.string(),
  kind: QuestionKind,
  text: z.string(),
  options: z.array(z.string()),
  /** Meaning of options whose name does not explain them, by option. */
  descriptions: z.record(z.string(), z.string()).optional(),
  recommended: z.string().optional(),
  /** An option that takes an amount, as text with the choice; `usual` is the default. */
  amount: z.object({ option: z.string(), unit: z.string(), usual: z.string() }).optional(),
  askedAt: z.number(),
  /** Key of the turn that asks, if one does. */
  turn: z.string().optional(),
  /** How many answers to this question the asker has received; it gets a missed one at once. */
  heard: z.number().int().min(0).optional(),
  /** When the question ends without an answer; absent if it waits for ever, or while paused. */
  deadline: z.number().optional(),
  /** Milliseconds that are left while the run is paused and the clock stands still. */
  remainingMs: z.number().optional(),
  /** The answer at the deadline; `stop` without such an option ends the run. */
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
