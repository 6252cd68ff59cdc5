// What one run of a project's own tests measured.
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
  /** As in `StoredTest`, in a compared run. */
  streak: z.number().int().optional(),
  criticality: Criticality.optional(),
  source: z.string().optional(),
})
export type TestFailure = z.infer<typeof TestFailure>

/**
 * Failures of a full run by criticality. `undecided` are those on which neither a rule nor an
 * assessment has spoken, whatever level an analysis gave them: in the 95-100 band the assessment
 * decides. `barring` are those of high or medium that are decided: they keep the gate shut.
 */
export const Levels = z.object({
  high: z.number().int(),
  medium: z.number().int(),
  low: z.number().int(),
  undecided: z.number().int(),
  barring: z.number().int().optional(),
})
export type Levels = z.infer<typeof Levels>

/** Stuck tests that travel with a result, by `file > test`. */
export const STUCK_SHOWN = 20

/** Names of broken tests that travel with a result, by `file > test`. */
export const BROKEN_SHOWN = 20

/** Removed tests of a file that travel by name, and files that have some. */
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

/**
 * What a full run says against the runs before it. Flaky tests are in none of the counts but their
 * own.
 */
export const Comparison = z.object({
  levels: Levels,
  /** Against the run that the fix started from: failed there, passes now. */
  repaired: z.number().int(),
  /** Passed there, now fails or is missing. */
  broken: z.number().int(),
  /** The first BROKEN_SHOWN. */
  brokenTests: z.array(z.string()),
  /** Failed there and fails now, for a reason that the test has not had in this run. */
  moved: z.number().int(),
  counts: Counts,
  /** The first BROKEN_SHOWN tests that passed at the baseline and fail or are missing now. */
  brokenSinceBaseline: z.array(z.string()),
  /**
   * The best state: its counts, and of the tests that ran there how many passed there and how many
   * pass now.
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
   * Counts of the state that the run began from, as the flaky tests are known by now; there where
   * best is another one.
   */
  start: Counts.optional(),
  /**
   * Tests that failed at the baseline and fail now, the first of them, and how many fail for
   * another reason; there where it was asked for and there are some.
   */
  known: z
    .object({ total: z.number().int(), tests: z.array(z.string()), differently: z.number().int() })
    .optional(),
  /**
   * Tests of the baseline that are missing or skipped now, in files that differ from the base, by
   * file and by whether they passed at the baseline; there where it was asked for and there are
   * some.
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
  /** Tests that failed with the same signature in this and the two full runs before it. */
  stuck: z.number().int(),
  /** The first STUCK_SHOWN. */
  stuckTests: z.array(z.string()),
  /** Likeness of the failing tests to those of the last full run, 0-1; absent for the first run. */
  similarity: z.number().optional(),
  /** Affected tests that were run first, where they were. */
  affected: z.object({ passed: z.number().int(), total: z.number().int() }).optional(),
})
export type Comparison = z.infer<typeof Comparison>

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
  /** What is said once of how it was measured, as that its command did not exit. */
  note: z.string().optional(),
  /** There where the run was compared, see `RunTestsInput.compare`. */
  comparison: Comparison.optional(),
  /**
   * Ignored files and folders that were there, without those that tests or caches make: they are
   * left out. The first 5.
   */
  leftOut: z.array(z.string()).optional(),
  /**
   * The baseline from now on, where this run takes the place of a part of it: see
   * `RunTestsInput.replaces` and `founds`.
   */
  baseline: FileRef.optional(),
})
export type Measured = z.infer<typeof Measured>

/**
 * A run that says nothing about the pass rate: never 0 %, never 100 %.
 *
 * - `not_started`: the suite, or a file of it, did not start or finish. An agent may be able to
 * mend it.
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
  /**
   * Test files that did not load, as a `StoredRun` of their entries; there where no earlier run is
   * known.
   */
  notLoaded: FileRef.optional(),
})
export type NotMeasured = z.infer<typeof NotMeasured>

export const TestRun = z.discriminatedUnion('kind', [Measured, NotMeasured])
export type TestRun = z.infer<typeof TestRun>

/** Who said how critical a failure is, first that speaks. */
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
 * One test in a stored run; the last three are there for failing tests of a compared run, for flaky
 * ones the last two.
 */
export const StoredTest = z.object({
  file: z.string(),
  test: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'flaky']),
  error: z.string().optional(),
  durationMs: z.number().optional(),
  /** Full runs in a row that it failed in, this one included. */
  streak: z.number().int().optional(),
  criticality: Criticality.optional(),
  source: CriticalitySource.optional(),
})
export type StoredTest = z.infer<typeof StoredTest>

/**
 * What agents said about failures: content of the claims file. The newest claim on a test counts.
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
      /** Of the run that was assessed: the claim counts for that set of failures. */ fingerprint: z
        .string()
        .optional(),
    }),
  ),
})
export type StoredClaims = z.infer<typeof StoredClaims>

/** What a run knows of a test over all its full runs so far. See `core/test-results/memory`. */
export const TestMemory = z.object({
  file: z.string(),
  test: z.string(),
  /** Seen passing and failing on the same commit. */
  flaky: z.boolean().optional(),
  /** It passed in the last full run; streak and signature are those from before. */
  passed: z.boolean().optional(),
  /** Failure signature, and full runs in a row with it. */
  signature: z.string().optional(),
  streak: z.number().int().optional(),
  /** Signatures it has had in this run. */
  seen: z.array(z.string()).optional(),
})
export type TestMemory = z.infer<typeof TestMemory>

/**
 * A test file that was listed twice on one commit. `stable`: the names of both listings, where
 * names differ. See `core/test-results/stable-names`.
 */
export const TestListing = z.object({ file: z.string(), stable: z.array(z.string()).optional() })
export type TestListing = z.infer<typeof TestListing>

/**
 * Content of `Measured.results`. `durationMs`: how long one execution of all tests took, re-runs
 * left out.
 */
export const StoredRun = z.object({
  schema: z.literal(1),
  commit: z.string(),
  runner: z.string(),
  tests: z.array(StoredTest),
  missing: z.array(TestFailure),
  durationMs: z.number().optional(),
  memory: z.array(TestMemory).optional(),
  listings: z.array(TestListing).optional(),
})
export type StoredRun = z.infer<typeof StoredRun>
