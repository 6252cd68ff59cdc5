// What Ratchet reads in the answer and in the documents of an agent of a dev cycle.
import { z } from 'zod'
import { Phase } from './discovery.js'
import { PersonEdit } from './person-edit.js'

/** What travels of a list of an agent's: so many items, of so many characters. */
export const ITEMS_KEPT = 10
export const ITEM_CHARS = 200

/** Tasks of a plan that a cycle keeps track of, one by one. */
export const PLAN_TASKS_TRACKED = 40

const Items = z.array(z.string())

/** What VAS says it measured; `null` where it did not say. */
export const Claimed = z.object({
  passRate: z.number().nullable(),
  coverage: z.number().nullable(),
  failedTests: Items,
  /** Tests, or files of tests, whose removal it calls meant. */
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
 * What Ratchet read in an agent's answer and in its documents: typed, bounded. `unknown` where
 * there is no valid PHASE_RESULT block; `problem` and `form` are then for one retry prompt.
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
  /**
   * Its documents that are there, and the ones that are missing; names within its own directory.
   */
  files: Items,
  missing: Items,
  /**
   * What is wrong with its documents, one sentence each: a plan with a circle, JSON that cannot be
   * read.
   */
  invalid: Items,
  /** Files it edited although they are another's. */
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
            /** The plan says that it is done. */ done: z.boolean().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
  /** Of CD: entries of `tasks_completed` that name tasks, as it wrote them. A count names none. */
  tasksNamed: Items.optional(),
  /** Of CD: tasks that need no change, as it says. */
  noChange: z.array(z.object({ id: z.string(), why: z.string() })).optional(),
  /** Of CD: how many files it says it changed. */
  filesChanged: z.number().int().optional(),
  claimed: Claimed.optional(),
  /** Edits of a person that were found when the turn ended. */
  edits: z.array(PersonEdit).optional(),
  problem: z.string().optional(),
  form: z.string().optional(),
})
export type PhaseReading = z.infer<typeof PhaseReading>
