// What Ratchet measures of tests that an agent wrote.
import { z } from 'zod'
import { FileRef } from '../files.js'
import { RunId } from '../ids.js'
import { TaskId } from './task.js'
import { Commit, ConfigHash, RecordDir, StepName, Workspace } from '../workspace.js'

/**
 * Limits of a gate: findings that pass, minimum coverage in percent, retries after a failing check.
 */
export const GateThresholds = z
  .object({
    critical: z.number(),
    error: z.number(),
    warning: z.number(),
    lines: z.number(),
    branches: z.number(),
    functions: z.number(),
    retries: z.number(),
  })
  .partial()
export type GateThresholds = z.infer<typeof GateThresholds>

const Percent = z.number().nullable()

/** Coverage of the files in question, in percent; `reason` where no lines were measured. */
export const MeasuredCoverage = z.object({
  lines: Percent,
  branches: Percent,
  functions: Percent,
  reason: z.string().optional(),
})
export type MeasuredCoverage = z.infer<typeof MeasuredCoverage>

/**
 * Changed places of the code under test, those that the tests noticed, and at most 10 others as
 * text. `notChecked`: why none was tried.
 */
export const MutantsRun = z.object({
  tried: z.number().int(),
  killed: z.number().int(),
  survivors: z.array(z.string()),
  notChecked: z.string().optional(),
})
export type MutantsRun = z.infer<typeof MutantsRun>

/**
 * `tests`: the written ones that ran; `failing` of them. `assertions`: absent where the language is
 * not looked at; `weak`: tests that cannot fail, the first 5.
 */
export const MeasuredTests = z.object({
  coverage: MeasuredCoverage,
  tests: z.number().int(),
  failing: z.number().int(),
  assertions: z
    .object({
      tests: z.number().int(),
      total: z.number().int(),
      weak: z.array(z.string()),
      weakTotal: z.number().int(),
    })
    .optional(),
  mutants: MutantsRun,
  thresholds: GateThresholds.optional(),
})
export type MeasuredTests = z.infer<typeof MeasuredTests>

/**
 * Tests that Ratchet plans and measures itself. `task`: the one that writes them, whose file names
 * the files in question. `bare`: the project has no test command before tests are written.
 */
export const Generation = z.object({
  task: z.string(),
  bare: z.literal(true).optional(),
  /** What the analysis of the coverage found. */
  gap: z.enum(['missing', 'none']).optional(),
  /** The commit whose tests were checked last. */
  checked: z.string().optional(),
  /** What was measured of a commit: a repair that changes nothing is not measured again. */
  measured: z.object({ commit: z.string(), found: MeasuredTests }).optional(),
  /** Further tasks that were added for what is still missing. */
  supplements: z.number().int().optional(),
})
export type Generation = z.infer<typeof Generation>

/** Measures what the tests of a commit cover, or those that were written. */
export const MeasureTestsInput = z.object({
  run: RunId,
  /** Unique within the run. */
  step: StepName,
  workspace: Workspace,
  commit: Commit,
  recordDir: RecordDir,
  /** The task whose file names the files in question. */
  task: TaskId,
  baseline: FileRef.optional(),
  timeoutMs: z.number(),
  configHash: ConfigHash,
})
export type MeasureTestsInput = z.infer<typeof MeasureTestsInput>

/** `untested`: files in question of which no line runs, the first 5. */
export type CoverageFound = {
  coverage: MeasuredCoverage
  hasTests: boolean
  untested: string[]
  thresholds: GateThresholds
}

/** Another task for tests that are still missing. `task`: the one that it repeats. */
export const SupplementInput = z.object({
  run: RunId,
  recordDir: RecordDir,
  task: TaskId,
  number: z.number().int(),
  reason: z.string(),
})
export type SupplementInput = z.infer<typeof SupplementInput>
