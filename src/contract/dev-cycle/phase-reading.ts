// What Ratchet reads from the answer and the documents of an agent of a dev cycle.
import { z } from 'zod'
import { Phase } from './discovery.js'
import { PersonEdit } from './person-edit.js'

/** Limits of a list from an agent: number of items, and characters per item. */
export const ITEMS_KEPT = 10
export const ITEM_CHARS = 200

/** Number of plan tasks that a cycle tracks individually. */
export const PLAN_TASKS_TRACKED = 40

const Items = z.array(z.string())

/** What VAS reports as measured; `null` if it reported nothing. */
export const Claimed = z.object({
  passRate: z.number().nullable(),
  coverage: z.number().nullable(),
  failedTests: Items,
  /** Tests, or test files, whose removal it calls intended. */
  removedTests: Items.optional(),
  /** Requirements that are met. */
  requirementsMet: z.number().optional(),
  criticalIssues: z.number().nullable(),
  ready: z.boolean().nullable(),
})
export type Claimed = z.infer<typeof Claimed>

/** A choice that an agent leaves to a person. */
export const AskedDecision = z.object({
  description: z.string(),
  options: z.array(z.string()),
  recommended: z.string().optional(),
})
export type AskedDecision = z.infer<typeof AskedDecision>

/**
 * What Ratchet read from an agent's answer and documents: typed and bounded. `unknown` without a
 * valid PHASE_RESULT block; `problem` and `form` are then for one retry prompt.
 */
export const PhaseReading = z.object({
  kind: z.literal('phase'),
  phase: Phase,
  status: z.enum(['success', 'partial', 'failed', 'unknown']),
  summary: z.string(),
  issues: Items,
  blockers: Items,
  /** What the agent finds missing or wrong in the plan. */
  planIssues: Items,
  /** Its existing and its missing documents; names within its own directory. */
  files: Items,
  missing: Items,
  /** Problems of its documents, one sentence each: a plan with a cycle, unreadable JSON. */
  invalid: Items,
  /** Files of others that it edited. */
  foreign: Items,
  decisions: z.array(AskedDecision),
  requirements: z.object({ total: z.number().int(), edgeCases: z.number().int() }).optional(),
  /** `named`: the first PLAN_TASKS_TRACKED of its tasks. */
  plan: z
    .object({
      tasks: z.number().int(),
      criticalPath: Items,
      named: z
        .array(
          z.object({
            id: z.string(),
            text: z.string(),
            /** The plan is marked as done. */ done: z.boolean().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
  /** Of CD: entries of `tasks_completed` that name tasks, as written. A count names none. */
  tasksNamed: Items.optional(),
  /** Of CD: tasks that it says need no change. */
  noChange: z.array(z.object({ id: z.string(), why: z.string() })).optional(),
  /** Of CD: number of files that it says it changed. */
  filesChanged: z.number().int().optional(),
  claimed: Claimed.optional(),
  /** A person's edits that were found when the turn ended. */
  edits: z.array(PersonEdit).optional(),
  problem: z.string().optional(),
  form: z.string().optional(),
})
export type PhaseReading = z.infer<typeof PhaseReading>
