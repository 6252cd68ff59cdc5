// What one run of a project's own tests measured. Source: 004 "test-results.json"; architecture §6.
import { z } from 'zod'
import { FileRef } from './files.js'

export const Criticality = z.enum(['low', 'medium', 'high'])
export type Criticality = z.infer<typeof Criticality>

/** How many failures travel with a result; the whole list is in a file. */
export const FAILURES_SHOWN = 50
/** Longest error text, in characters, that travels with a result. */
export const ERROR_SHOWN = 200

/** One failing test. `test` is its full name within `file`; file + test identify it across runs. */
export const TestFailure = z.object({
  test: z.string(),
  file: z.string(),
  error: z.string(),
  /** Passed or was there in the baseline, now missing or skipped. */
  missing: z.boolean().optional(),
})
export type TestFailure = z.infer<typeof TestFailure>

/** A full run that says something about the code. Holds at least one test. */
export const Measured = z.object({
  kind: z.literal('measured'),
  /** Commit that was measured. */
  commit: z.string(),
  /** Without skipped tests; baseline tests now missing or skipped count as failed. */
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  /** Failed first, passed on re-run: counted as passed. */
  flaky: z.number().int(),
  flakyTests: z.array(z.string()),
  /** The first FAILURES_SHOWN. */
  failures: z.array(TestFailure),
  failuresTotal: z.number().int(),
  /** Every test with its status: `StoredRun` as JSON. */
  results: FileRef,
  /** Output of the test command, both streams. */
  output: FileRef,
  /** Digest over the sorted failing tests and their errors: equal = the same failures again. */
  fingerprint: z.string(),
  durationMs: z.number(),
})
export type Measured = z.infer<typeof Measured>

/**
 * A run that says nothing about the pass rate: never 0 %, never 100 %.
 *
 * - `not_started`: the suite, or a file of it, did not start or finish. An agent may be able to mend it.
 * - `cannot_execute`: the command or its report is wrong; only a person can mend it.
 */
export const NotMeasured = z.object({
  kind: z.enum(['not_started', 'cannot_execute']),
  commit: z.string(),
  /** What happened, where, and what to do next, in one paragraph. */
  reason: z.string(),
  /** Last lines of the output, at most 2,000 characters. */
  tail: z.string(),
  output: FileRef.optional(),
  durationMs: z.number(),
})
export type NotMeasured = z.infer<typeof NotMeasured>

export const TestRun = z.discriminatedUnion('kind', [Measured, NotMeasured])
export type TestRun = z.infer<typeof TestRun>

/** One test in a stored run. */
export const StoredTest = z.object({ file: z.string(), test: z.string(), status: z.enum(['passed', 'failed', 'skipped', 'flaky']), error: z.string().optional(), durationMs: z.number().optional() })
export type StoredTest = z.infer<typeof StoredTest>

/** Content of `Measured.results`. */
export const StoredRun = z.object({ schema: z.literal(1), commit: z.string(), runner: z.string(), tests: z.array(StoredTest), missing: z.array(TestFailure) })
export type StoredRun = z.infer<typeof StoredRun>
