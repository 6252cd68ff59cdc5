// Tasks of a test-fix session: the content of its `.task/*.json` files, and the short form that a
// run carries.
import { z } from 'zod'
import { Commit } from '../workspace.js'

/**
 * Types of tasks, by `meta.type`. `work` covers every other type: an agent carries it out, and the
 * next test task judges it.
 */
export const TaskType = z.enum([
  'test-gen',
  'code-validation',
  'test-quality-review',
  'test-fix',
  'test-fix-iteration',
  'work',
])
export type TaskType = z.infer<typeof TaskType>

/** `rolled_back`: undone after a regression; its id is not used again, and dependants skip it. */
export const TaskStatus = z.enum(['pending', 'in_progress', 'completed', 'rolled_back', 'blocked'])
export type TaskStatus = z.infer<typeof TaskStatus>

export const TaskRole = z.enum(['code-developer', 'test-fix-agent', 'cli-planning-agent'])
export type TaskRole = z.infer<typeof TaskRole>

/** Ids of tasks; they may have dots, as in IMPL-001.3. */
export const TASK_ID = /^[A-Z][A-Za-z]*-[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*$/
export const TaskId = z.string().regex(TASK_ID)

/** Name of a task's file below `.task/`. */
export const TaskFile = z.string()

/** The plan from which tests are written, in the record. */
export const TEST_PLAN = '.process/TEST_ANALYSIS_RESULTS.md'

/** One entry of the queue. */
export const TaskEntry = z.object({
  id: TaskId,
  /** At most 120 characters. */
  title: z.string(),
  type: TaskType,
  role: TaskRole,
  status: TaskStatus,
  dependsOn: z.array(z.string()),
  /** File name below `.task/`; a retest has none. */
  file: TaskFile.optional(),
  /** The test task that a fix or a retest belongs to. */
  parent: z.string().optional(),
  /** Iteration that created a fix or a retest. */
  iteration: z.number().int().optional(),
  /** It is to write tests, and has written none. */
  noTests: z.literal(true).optional(),
  /** `meta.max_iterations`. */
  maxIterations: z.number().int().optional(),
  /** How often it was carried out; for a test task the iterations spent on it. */
  attempts: z.number().int(),
})
export type TaskEntry = z.infer<typeof TaskEntry>

/** The approach of the next fix. */
export const Strategy = z.enum(['conservative', 'aggressive', 'surgical', 'reflective'])
export type Strategy = z.infer<typeof Strategy>

/** Where a resumed session continues. */
export const NextAction = z.enum([
  'plan_tests',
  'execute_task',
  'test',
  'analyze',
  'execute_fix_task',
  'retest',
  'complete',
  'none',
])
export type NextAction = z.infer<typeof NextAction>

/**
 * `degraded`: no agent gave a usable analysis, so the plan comes from earlier fixes and the
 * failures.
 */
export const AnalysisQuality = z.enum(['normal', 'degraded'])
export type AnalysisQuality = z.infer<typeof AnalysisQuality>

/** Most root causes that are fixed in one turn. */
export const MOST_CAUSES = 3

/** One of several independent root causes that are fixed in one turn. */
export const FixCause = z.object({
  /** `IMPL-fix-N.1`. */
  task: z.string(),
  /** What is wrong, in one line. */
  cause: z.string(),
  /** Files of its modification points. */
  files: z.array(z.string()),
})
export type FixCause = z.infer<typeof FixCause>

/** What a turn changed for one of its causes: a commit of its own. */
export const FixPart = z.object({ task: z.string(), commit: Commit })
export type FixPart = z.infer<typeof FixPart>

/** What became of a cause. `commit` is `null` if the turn changed nothing for it. */
export const PartResult = z.object({
  task: z.string(),
  commit: z.string().nullable(),
  result: z.enum(['kept', 'rolled_back', 'no_change']),
})
export type PartResult = z.infer<typeof PartResult>

/** An unused answer to the analysis prompt, and the file of the record that keeps it. */
export const RefusedAnalysis = z.object({ agent: z.string(), reason: z.string(), file: z.string() })
export type RefusedAnalysis = z.infer<typeof RefusedAnalysis>
