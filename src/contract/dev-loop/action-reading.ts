// What Ratchet reads from the answer of a worker of a dev loop.
import { z } from 'zod'
import { LoopAction } from './loop-input.js'

/** Limits of a list from a worker: number of items, and characters per item. */
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

/** Canonical statuses; every other word of a worker maps to one of them. */
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
  /** Completed without a change: the developer's reason. */
  noChange: z.string().optional(),
  /** No validation has ended since the developer gave that reason. */
  unseen: z.literal(true).optional(),
  /**
   * The developer says that it is done: without a change, or without its id. Only a validation
   * closes it.
   */
  claimed: z.literal(true).optional(),
  /** Completed by a develop that was given it and committed something, but never named it. */
  unnamed: z.literal(true).optional(),
  /** File whose merge dropped everything that develop did for the task. */
  lost: z.string().optional(),
  /** The commits of its work; empty if they are not followed. */
  commits: Items.optional(),
  /** Every file that these changed is as it was before. */
  takenBack: z.literal(true).optional(),
  /** The tasks whose commit did that. */
  undoneBy: Items.optional(),
  /** A task that took its work back after it had taken that one's back. */
  contradicts: z.string().optional(),
  /**
   * A develop failed on it or was blocked: how often, and why. `debugged`: debug has looked at it
   * since.
   */
  aside: z
    .object({ times: z.number().int(), why: z.string(), debugged: z.literal(true).optional() })
    .optional(),
})
export type LoopTask = z.infer<typeof LoopTask>

/** What a worker reports as measured; `null` if it reported nothing. */
export const WorkerClaim = z.object({
  passed: z.number().nullable(),
  failed: z.number().nullable(),
  total: z.number().nullable(),
  coverage: z.number().nullable(),
})
export type WorkerClaim = z.infer<typeof WorkerClaim>

/**
 * What Ratchet read from a worker's answer: typed and bounded. `unknown` without a valid
 * WORKER_RESULT block; `needs_input` also with only CLARIFICATION_NEEDED; `problem` and `form` are
 * then for one retry prompt.
 */
export const WorkerReading = z.object({
  kind: z.literal('worker'),
  action: LoopAction,
  status: WorkerStatus,
  /** The status as the worker wrote it, one line; empty if it wrote none. */
  reported: z.string(),
  /** It cannot continue with its task. */
  blocked: z.boolean().optional(),
  summary: z.string(),
  /** Files it says it changed; git is the authority. */
  filesClaimed: Items,
  /** `next_suggestion` in one line, `null` for none. */
  next: z.string().nullable(),
  /**
   * `loop_back_to`: the target, and the original word. An unknown target means develop. Absent for
   * none.
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
  /** validate: tests, or test files, whose removal it calls intended. */
  removedTests: Items.optional(),
  /** complete: COMMIT_SUGGESTION; the message may have several lines. */
  suggestion: z.object({ message: z.string(), branchStrategy: z.string().optional() }).optional(),
  recommendations: Items.optional(),
  problem: z.string().optional(),
  form: z.string().optional(),
})
export type WorkerReading = z.infer<typeof WorkerReading>
