// `.workflow/.loop/{loopId}.json`, and the files of the progress directory. Open and closed loops
// have the same shape.
import { z } from 'zod'
import { FileRef } from '../files.js'
import { LoopAction, LoopMode, ParallelAction } from './loop-input.js'
import { PersonEdits } from '../dev-cycle/person-edit.js'
import { IterationSummary, RunResult, RunUsage } from '../result.js'
import { ChangedTests } from '../workspace.js'
import { LoopTask, WorkerStatus } from './action-reading.js'

const Text = z.string()

export const LoopStatus = z.enum([
  'created',
  'running',
  'paused',
  'completed',
  'failed',
  'user_exit',
])
export type LoopStatus = z.infer<typeof LoopStatus>

/**
 * Found by debug or validate, in `commit`; open until a develop commits something, or a validation
 * of a later commit passes.
 */
export const Finding = z.object({
  id: Text,
  description: Text,
  source: LoopAction,
  iteration: z.number().int(),
  status: z.enum(['open', 'closed']),
  commit: Text.optional(),
})
export type Finding = z.infer<typeof Finding>

/**
 * Files with conflicting changes of several workers, and all of the workers. `chosen`: whose
 * version a person took.
 */
export const Conflict = z.object({
  file: Text,
  workers: z.array(ParallelAction),
  resolution: z.literal('manual'),
  chosen: Text.optional(),
})
export type Conflict = z.infer<typeof Conflict>

/** What is kept of a worker's answer besides its whole text. */
export const WorkerSummary = z.object({
  action: LoopAction,
  status: WorkerStatus,
  summary: Text,
  iteration: z.number().int(),
  files: z.array(Text),
  filesTotal: z.number().int(),
  timedOut: z.boolean().optional(),
})
export type WorkerSummary = z.infer<typeof WorkerSummary>

/** `merged_at` is ISO 8601. */
export const ParallelResults = z.object({
  develop: WorkerSummary.nullable(),
  debug: WorkerSummary.nullable(),
  validate: WorkerSummary.nullable(),
  conflicts: z.array(Conflict),
  merged_at: Text,
})
export type ParallelResults = z.infer<typeof ParallelResults>

export const SkillState = z.object({
  phase: LoopAction,
  action_index: z.number().int(),
  workers_completed: z.array(LoopAction),
  parallel_results: ParallelResults.nullable(),
  /** Pending, in progress and blocked ones. */
  pending_tasks: z.array(LoopTask),
  completed_tasks: z.array(LoopTask),
  findings: z.array(Finding),
})
export type SkillState = z.infer<typeof SkillState>

/**
 * The last validation of `commit`: what Ratchet measured, and what the worker said. `passed` is the
 * verdict of both, `why` one line. `status` is the worker's; `word` is `silent` if it gave no
 * answer. `removed`: tests whose removal it calls intended. `refused`: the first validation that
 * refused this commit.
 */
export const Validation = z.object({
  passed: z.boolean(),
  why: Text,
  iteration: z.number().int(),
  commit: Text,
  passRate: z.number().nullable(),
  claimed: z.number().nullable().optional(),
  status: z.enum(['success', 'partial', 'failed', 'unknown']).optional(),
  word: z.enum(['agrees', 'refuses', 'silent']).optional(),
  removed: z.array(Text).optional(),
  refused: z
    .object({ iteration: z.number().int(), status: z.enum(['success', 'partial', 'failed']) })
    .optional(),
})
export type Validation = z.infer<typeof Validation>

/** Ratchet's own part of the record. */
export const LoopNotes = z.object({
  run: Text,
  outcome: Text.optional(),
  branch: Text.optional(),
  base: Text.optional(),
  head: Text.optional(),
  commits: z.array(Text),
  warnings: z.array(Text),
  /** The first task and every further one. */
  task_history: z.array(Text),
  validation: Validation.optional(),
  /** The last of each action. */
  workers: z.array(WorkerSummary),
  history: z.array(IterationSummary),
  /** Results of the first full run, and whether it ran on the commit that the loop started from. */
  baseline: FileRef.optional(),
  baseline_of_base: z.boolean().optional(),
  /** A test command was found once. */
  had_suite: z.literal(true).optional(),
  /** The developer has named a task by its id. */
  names_tasks: z.boolean().optional(),
  /** Head when the last run was started for a further task. */
  work_from: Text.optional(),
  /** Every file is as it was before the last task. */
  taken_back: z.literal(true).optional(),
  /** Existing tests that are not as they were at the start. */
  changed_tests: ChangedTests.optional(),
  developed: z.boolean().optional(),
  /** Of the breakdown by a person, if one approves it. */
  approval: z.enum(['open', 'given']).optional(),
  /** A person's edits of the progress files. */
  edits: PersonEdits.optional(),
  /** Of all runs of it so far. */
  usage: RunUsage.optional(),
  /** Of a run that has ended. */
  result: RunResult.optional(),
})
export type LoopNotes = z.infer<typeof LoopNotes>

/** Content of `.workflow/.loop/{loopId}.json`. Times are ISO 8601 with the configured offset. */
export const LoopRecord = z.object({
  schema: z.literal(1),
  loop_id: Text,
  /** At most 100 characters. */
  title: Text,
  description: Text,
  mode: LoopMode,
  status: LoopStatus,
  current_iteration: z.number().int(),
  max_iterations: z.number().int(),
  created_at: Text,
  updated_at: Text,
  completed_at: Text.optional(),
  failure_reason: Text.optional(),
  skill_state: SkillState,
  ratchet: LoopNotes,
})
export type LoopRecord = z.infer<typeof LoopRecord>

/** Content of `{loopId}.workers/{action}.output.json`. */
export const WorkerOutput = z.object({
  schema: z.literal(1),
  action: LoopAction,
  status: WorkerStatus,
  /** The status as the worker wrote it. */
  reported: Text,
  summary: Text,
  /** From git. */
  files_changed: z.array(Text),
  /** As the worker says. */
  files_claimed: z.array(Text),
  next_suggestion: Text.nullable(),
  loop_back_to: Text.nullable(),
  /** Everything after DETAILED_OUTPUT, bounded. */
  detailed_output: Text,
  /** ISO 8601. */
  timestamp: Text,
  iteration: z.number().int(),
  agent: Text.nullable(),
  clarifications: z.array(
    z.object({ question: Text, answer: Text, by: z.enum(['user', 'ratchet']) }),
  ),
  /** validate only: measured by Ratchet, `null` if nothing could be measured. */
  tests: z
    .object({ total: z.number().int(), passed: z.number().int(), failed: z.number().int() })
    .nullable()
    .optional(),
  coverage: z.number().nullable().optional(),
  quality: z.record(Text, z.enum(['passed', 'failed', 'not_run'])).optional(),
})
export type WorkerOutput = z.infer<typeof WorkerOutput>
