// The measurement of one run of a project's tests.
import { z } from 'zod'
import { FileRef } from './files.js'

export const Criticality = z.enum(['low', 'medium', 'high'])
export type Criticality = z.infer<typeof Criticality>

/** Number of failures in a result; the whole list is in a file. */
export const FAILURES_SHOWN = 50
/** Maximum length of an error in a result, in characters. */
export const ERROR_SHOWN = 200

/** One failing test. `test` is its full name within `file`; file + test identify it across runs. */
export const TestFailure = z.object({
  test: z.string(),
  file: z.string(),
  error: z.string(),
  /** Passed or present in the baseline, now missing or skipped. */
  missing: z.boolean().optional(),
  /** As in `StoredTest`, in a compared run. */
  streak: z.number().int().optional(),
  criticality: Criticality.optional(),
  source: z.string().optional(),
})
export type TestFailure = z.infer<typeof TestFailure>

/**
 * Failures of a full run by criticality. `undecided`: neither a rule nor an assessment covers them;
 * the level from an analysis does not count, as in the 95-100 band the assessment decides.
 * `barring`: decided failures of high or medium criticality, which keep the gate shut.
 */
export const Levels = z.object({
  high: z.number().int(),
  medium: z.number().int(),
  low: z.number().int(),
  undecided: z.number().int(),
  barring: z.number().int().optional(),
})
export type Levels = z.infer<typeof Levels>

/** Number of stuck tests in a result, as `file > test`. */
export const STUCK_SHOWN = 20

/** Number of broken tests in a result, as `file > test`. */
export const BROKEN_SHOWN = 20

/** Number of removed tests per file in a result, and of files with removed tests. */
export const REMOVED_SHOWN = 20

/** Counts of a measured commit, of tests that are not flaky. See `core/test-results/standing`. */
export const Counts = z.object({
  /** Tests of the baseline that pass. */
  baselinePassing: z.number().int(),
  /** Tests that passed at the baseline and fail or are missing. */
  broken: z.number().int(),
  passing: z.number().int(),
  failing: z.number().int(),
})
export type Counts = z.infer<typeof Counts>

/** A full run compared with earlier ones. Flaky tests are only in their own count. */
export const Comparison = z.object({
  levels: Levels,
  /** Against the run that the fix started from: failed there, passes now. */
  repaired: z.number().int(),
  /** Passed there, now fails or is missing. */
  broken: z.number().int(),
  /** The first BROKEN_SHOWN. */
  brokenTests: z.array(z.string()),
  /** Failed there and fails now with a signature that is new in this run, or further down. */
  moved: z.number().int(),
  counts: Counts,
  /** The first BROKEN_SHOWN tests that passed at the baseline and fail or are missing now. */
  brokenSinceBaseline: z.array(z.string()),
  /**
   * The best state: its counts, and for the tests that ran there, how many passed there and pass
   * now.
   */
  best: z
    .object({
      counts: Counts,
      total: z.number().int(),
      then: z.number().int(),
      now: z.number().int(),
    })
    .optional(),
  /**
   * Counts of the start, without the tests known to be flaky by now; present if best is another
   * state.
   */
  start: Counts.optional(),
  /**
   * The same of the best states in between, if this run found a test to be flaky. Only for the
   * judgement that follows.
   */
  earlier: z.array(Counts.extend({ commit: z.string() })).optional(),
  /**
   * Tests that failed at the baseline and fail now, the first of them, and how many fail for
   * another reason; present on request if there are any.
   */
  known: z
    .object({ total: z.number().int(), tests: z.array(z.string()), differently: z.number().int() })
    .optional(),
  /**
   * Tests of the baseline that are missing or skipped now, in changed files, by file and by whether
   * they passed at the baseline; present on request if there are any.
   */
  removed: z
    .array(
      z.object({
        file: z.string(),
        passed: z.boolean(),
        total: z.number().int(),
        tests: z.array(z.string()),
      }),
    )
    .optional(),
  /** Tests seen passing and failing on one commit at any time in the run, and the first of them. */
  flaky: z.number().int(),
  flakyTests: z.array(z.string()),
  /** Changed lines since the run's base. */
  size: z.number().int(),
  /** Tests that failed in this and the two full runs before it, and did not move. */
  stuck: z.number().int(),
  /** The first STUCK_SHOWN. */
  stuckTests: z.array(z.string()),
  /**
   * Similarity of the failing tests to those of the last full run, 0-1; absent for the first run.
   */
  similarity: z.number().optional(),
  /** Affected tests that ran first, if any. */
  affected: z.object({ passed: z.number().int(), total: z.number().int() }).optional(),
})
export type Comparison = z.infer<typeof Comparison>

/** A full run with a result. Contains at least one test. */
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
  /** A remark about the measurement, reported once, such as a command that did not exit. */
  note: z.string().optional(),
  /** Present if the run was compared, see `RunTestsInput.compare`. */
  comparison: Comparison.optional(),
  /** It is the first run of a cycle or a loop, before any change: what fails is known. */
  isStart: z.literal(true).optional(),
  /**
   * Ignored files and folders that were left out, except those of tests and caches. The first 5.
   */
  leftOut: z.array(z.string()).optional(),
  /**
   * The new baseline, if this run replaces a part of it: see `RunTestsInput.replaces` and `founds`.
   */
  baseline: FileRef.optional(),
})
export type Measured = z.infer<typeof Measured>

/**
 * A run without a pass rate: neither 0 % nor 100 %. `not_started`: the suite, or a file of it, did
 * not start or finish; an agent may be able to repair it. `cannot_execute`: the command or its
 * report is wrong; only a person can repair it.
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
  /**
   * Test files that did not load, as a `StoredRun` of their entries; present if there is no earlier
   * run.
   */
  notLoaded: FileRef.optional(),
})
export type NotMeasured = z.infer<typeof NotMeasured>

export const TestRun = z.discriminatedUnion('kind', [Measured, NotMeasured])
export type TestRun = z.infer<typeof TestRun>

/** Sources of a criticality, in order of precedence. */
export const CriticalitySource = z.enum([
  'config',
  'flaky',
  'regression',
  'assess',
  'analysis',
  'default',
])
export type CriticalitySource = z.infer<typeof CriticalitySource>

/**
 * One test in a stored run; the last three fields are for failing tests of a compared run, the last
 * two also for flaky ones.
 */
export const StoredTest = z.object({
  file: z.string(),
  test: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'flaky']),
  error: z.string().optional(),
  durationMs: z.number().optional(),
  /** Full runs in a row in which it failed without having moved, including this one. */
  streak: z.number().int().optional(),
  criticality: Criticality.optional(),
  source: CriticalitySource.optional(),
})
export type StoredTest = z.infer<typeof StoredTest>

/**
 * Agents' claims about failures: content of the claims file. The newest claim about a test counts.
 */
export const StoredClaims = z.object({
  schema: z.literal(1),
  claims: z.array(
    z.object({
      test: z.string(),
      file: z.string().optional(),
      level: Criticality,
      source: z.enum(['assess', 'analysis']),
      agent: z.string(),
      iteration: z.number().int(),
      /** The assessed run: the claim counts for that set of failures. */ fingerprint: z
        .string()
        .optional(),
    }),
  ),
})
export type StoredClaims = z.infer<typeof StoredClaims>

/** What a run knows about a test from all its full runs. See `core/test-results/memory`. */
export const TestMemory = z.object({
  file: z.string(),
  test: z.string(),
  /** Seen passing and failing on the same commit. */
  flaky: z.boolean().optional(),
  /** It passed in the last full run; streak and signature are from before. */
  passed: z.boolean().optional(),
  /** Failure signature. */
  signature: z.string().optional(),
  /** Full runs in a row in which it failed, since it last moved. */
  streak: z.number().int().optional(),
  /** Signatures it has had in this run. */
  seen: z.array(z.string()).optional(),
  /** The furthest place in its file at which it failed. See `core/test-results/failures/reach`. */
  reached: z.array(z.number().int()).optional(),
})
export type TestMemory = z.infer<typeof TestMemory>

/**
 * A test file that was listed twice on one commit. `stable`: the names in both listings, if they
 * differ. See `core/test-results/stable-names`.
 */
export const TestListing = z.object({ file: z.string(), stable: z.array(z.string()).optional() })
export type TestListing = z.infer<typeof TestListing>

/**
 * Content of `Measured.results`. `durationMs`: duration of one execution of all tests, without
 * re-runs. `command`: what measured it, before flags; later runs of the same run use it.
 */
export const StoredRun = z.object({
  schema: z.literal(1),
  commit: z.string(),
  runner: z.string(),
  command: z.array(z.string()).optional(),
  tests: z.array(StoredTest),
  missing: z.array(TestFailure),
  durationMs: z.number().optional(),
  memory: z.array(TestMemory).optional(),
  listings: z.array(TestListing).optional(),
})
export type StoredRun = z.infer<typeof StoredRun>
