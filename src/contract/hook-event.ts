// The document that a hook receives: on standard input, or as the body of a POST. Public API;
// A test compares docs/hook-event.schema.json with this file.
import { z } from 'zod'
import { Question } from './question.js'
import { ReportedFailure, RunResult, RunStatus, RunUsage } from './result.js'

/** The run of the event. */
export const HookRun = z.object({
  /** Workflow id: the address of every `ratchet` command. */
  id: z.string(),
  kind: RunResult.shape.kind,
  /** Absolute path of the project. */
  project: z.string(),
  /** Directory of the record. */
  recordDir: z.string(),
  branch: z.string().nullable(),
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  /** 0-100 with one decimal, rounded down; `null` if nothing was measured. */
  passRate: z.number().nullable(),
})

const common = {
  schema: z.literal(1),
  /** The same for every delivery of an event, so that the receiver can drop duplicates. */
  eventId: z.string(),
  /** ISO 8601, with the offset of the configuration. */
  at: z.string(),
  /** What happened in one sentence, for a notification. */
  text: z.string(),
  run: HookRun,
}

/** A question is open, and the run waits for its answer; `budget`: the budget is spent. */
export const HookAsked = z.object({
  ...common,
  event: z.enum(['question', 'budget']),
  question: Question,
  /** How to answer it: a command to type, and the argument of the `answer` update. */
  answer: z.object({
    command: z.string(),
    update: z.object({
      questionId: z.string(),
      choice: z.string().optional(),
      text: z.string().optional(),
    }),
  }),
})
export type HookAsked = z.infer<typeof HookAsked>

/** The run has ended. `stuck`: it ended as blocked and needs a person. */
export const HookEnded = z.object({
  ...common,
  event: z.enum(['done', 'failed', 'stuck']),
  result: z.object({
    outcome: z.string(),
    status: RunStatus,
    iterations: z.number().int(),
    passRate: z.number().nullable(),
    reviewNeeded: z.boolean(),
    reason: z.string().nullable(),
    commits: z.array(z.string()),
    /** The first ten; all of them are in the record. */
    failures: z.array(ReportedFailure),
    failuresTotal: z.number().int(),
    usage: RunUsage,
  }),
})
export type HookEnded = z.infer<typeof HookEnded>

/** An event that a hook receives. */
export const HookEvent = z.discriminatedUnion('event', [HookAsked, HookEnded])
export type HookEvent = z.infer<typeof HookEvent>
