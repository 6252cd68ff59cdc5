// What Ratchet reads in the answer of a worker of a dev loop.
import { z } from 'zod'
import { LoopAction } from './loop-input.js'

/** What travels of a list of a worker's: so many items, of so many characters. */
export const WORKER_ITEMS = 10
export const WORKER_ITEM_CHARS = 200
/** Most questions of one round, and most tasks of a breakdown. */
export const QUESTIONS_KEPT = 5
export const TASKS_KEPT = 20

/** Longest text of a task of a breakdown, in characters. */
export const TASK_TEXT_CHARS = 4_000

const Items = z.array(z.string())

/** A task that the developer says needs no change, and why. */
export const NoChange = z.object({ id: z.string(), why: z.string() })
export type NoChange = z.infer<typeof NoChange>

/** Canonical statuses; every other word of a worker's maps to one of them. */
export const WorkerStatus = z.enum(['success', 'partial', 'failed', 'needs_input', 'unknown'])
export type WorkerStatus = z.infer<typeof WorkerStatus>

/** One line of CLARIFICATION_NEEDED. `id` is `Q1`, `Q2`, … */
export const Clarification = z.object({
  id: z.string(),
  text: z.string(),
  options: Items,
  recommended: z.string().optional(),
})
export type Clarification = z.infer<typeof Clarification>

/** A task of the breakdown; `id` is `T1`, `T2`, … */
export const LoopTask = z.object({
  id: z.string(),
  description: z.string(),
  priority: z.enum(['high', 'medium', 'low']),
  status: z.enum(['pending', 'in_progress', 'completed', 'blocked']),
  files: Items,
  /** Completed without a change: why the developer says that it needs none. */
  noChange: z.string().optional(),
  /**
   * The developer says that it is done: without a change, or without its id. Only a validation
   * closes it.
   */
  claimed: z.literal(true).optional(),
  /** File whose merge dropped all that develop did for it. */
  lost: z.string().optional(),
  /**
   * A develop failed on it, or was blocked: how often, and why. `debugged`: debug has looked at it
   * since.
   */
  aside: z
    .object({ times: z.number().int(), why: z.string(), debugged: z.literal(true).optional() })
    .optional(),
})
export type LoopTask = z.infer<typeof LoopTask>

/** What a worker says it measured; `null` where it did not say. */
export const WorkerClaim = z.object({
  passed: z.number().nullable(),
  failed: z.number().nullable(),
  total: z.number().nullable(),
  coverage: z.number().nullable(),
})
export type WorkerClaim = z.infer<typeof WorkerClaim>

/**
 * What Ratchet read in a worker's answer: typed, bounded. `unknown` where there is no valid
 * WORKER_RESULT block, `needs_input` also where only CLARIFICATION_NEEDED is there; `problem` and
 * `form` are then for one retry prompt.
 */
export const WorkerReading = z.object({
  kind: z.literal('worker'),
  action: LoopAction,
  status: WorkerStatus,
  /** The status as the worker wrote it, one line; empty where it wrote none. */
  reported: z.string(),
  /** It cannot go on with its task. */
  blocked: z.boolean().optional(),
  summary: z.string(),
  /** Files it says it changed; git knows better. */
  filesClaimed: Items,
  /** `next_suggestion` in one line, `null` for none. */
  next: z.string().nullable(),
  /**
   * `loop_back_to`: where to, and the word itself. An unknown target is develop. Missing for none.
   */
  loopBack: z.object({ to: LoopAction, said: z.string() }).optional(),
  questions: z.array(Clarification),
  /** init: the breakdown. */
  tasks: z.array(LoopTask).optional(),
  /** develop: ids. */
  tasksCompleted: Items.optional(),
  tasksRemaining: Items.optional(),
  noChange: z.array(NoChange).optional(),
  /** debug, validate: what is wrong, one sentence each. */
  findings: Items.optional(),
  /** debug: the root cause, one line. */
  rootCause: z.string().optional(),
  /** validate. */
  claimed: WorkerClaim.optional(),
  /** validate: tests, or files of tests, whose removal it calls meant. */
  removedTests: Items.optional(),
  /** complete: COMMIT_SUGGESTION; the message may have several lines. */
  suggestion: z.object({ message: z.string(), branchStrategy: z.string().optional() }).optional(),
  recommendations: Items.optional(),
  problem: z.string().optional(),
  form: z.string().optional(),
})
export type WorkerReading = z.infer<typeof WorkerReading>
