// Checks of a project besides its tests: lint, types, build and coverage.
import { z } from 'zod'
import { RunId } from './ids.js'
import { Commit, ConfigHash, StepName, Workspace } from './workspace.js'

/**
 * A check of the project besides its tests: `lint`, `types`, `build`. `before`: its result on the
 * base, if it fails now, or if it ran there and does not now. One that the project no longer has is
 * `not_run` and `gone`.
 */
export const QualityCheck = z.object({
  name: z.string(),
  command: z.string(),
  result: z.enum(['passed', 'failed', 'not_run']),
  before: z.enum(['passed', 'failed', 'not_run']).optional(),
  gone: z.literal(true).optional(),
  /**
   * Errors that it reports now and reported on the base, if it fails on both and its output counts
   * them.
   */
  errors: z.object({ now: z.number().int(), before: z.number().int() }).optional(),
  /** Last lines of its output, or why it did not run; at most 500 characters. */
  tail: z.string(),
  durationMs: z.number(),
})
export type QualityCheck = z.infer<typeof QualityCheck>

/**
 * Lint, types, build and coverage of one commit, as far as the project has them. `coverage` in
 * percent of lines; `coverageBefore` of the base, absent if it was not measured. `untested`:
 * changed files of which no test runs a line. `checksBefore`: names of the checks of the base.
 * `coverageLost`: why coverage was measured on the base and could not be now; absent where its
 * command succeeds and gives no number.
 */
export const Quality = z.object({
  commit: z.string(),
  checks: z.array(QualityCheck),
  coverage: z.number().nullable(),
  coverageBefore: z.number().nullable().optional(),
  untested: z.array(z.string()).optional(),
  checksBefore: z.array(z.string()).optional(),
  coverageLost: z.string().optional(),
})
export type Quality = z.infer<typeof Quality>

/**
 * Runs lint, type check and coverage of a commit; a check that does not pass also runs on the base.
 * `coverageBefore`, `checksBefore`: of the base, if they are known.
 */
export const CheckQualityInput = z.object({
  run: RunId,
  step: StepName,
  workspace: Workspace,
  commit: Commit,
  configHash: ConfigHash,
  timeoutMs: z.number(),
  coverageBefore: z.number().nullable().optional(),
  checksBefore: z.array(z.string()).optional(),
})
export type CheckQualityInput = z.infer<typeof CheckQualityInput>
