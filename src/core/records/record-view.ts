// What the texts and files of a record are made from: the run's state, its last full run in detail,
// and what the fix tasks of its iterations were to do. No I/O, so that every text has a table.
import { z } from 'zod'
import type { IterationSummary, RunResult } from '../../contract/result.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { StoredTest } from '../../contract/test-run.js'
import type { FixHistoryEntry } from '../test-fix/fix-history-match.js'
import type { FailureFact } from '../test-fix/failure-facts.js'

export type RecordView = {
  /** Name of the session. */
  name: string
  state: TestFixState
  /** There at the end of the run. */
  result?: RunResult | undefined
  /** Epoch milliseconds of the writing. */
  at: number
  /** An epoch time as records have it. */
  time: (at: number) => string
  /** Failing tests of the last full run, the most critical first. */
  failures: readonly FailureFact[]
  /** Every test of the last full run; empty where nothing was measured. */
  tests: readonly StoredTest[]
  /** Failing tests of the last full run of all, also where its fix was undone. */
  lastFull: readonly FailureFact[]
  /** By id of the fix task. */
  fixes: ReadonlyMap<string, FixDetails>
  /**
   * What the files of the record said before: names of failing tests by iteration, entries of the
   * fix-history.
   */
  failuresBefore: ReadonlyMap<number, readonly string[]>
  /** What iterations were seen to change when they were new, by iteration. */
  comparedBefore: ReadonlyMap<number, Compared>
  historyBefore: ReadonlyMap<number, FixHistoryEntry>
}

/** The full run of an iteration compared with the run before it. */
export const Compared = z.object({
  new_failures: z.number().int(),
  /** Affected tests that were run first, where they were. */
  affected_first: z.object({ passed: z.number().int(), total: z.number().int() }).optional(),
})
export type Compared = z.infer<typeof Compared>

/**
 * The comparison of an iteration's run: as it was written down, else from the last run, where that
 * is its own.
 */
export function comparedOf(
  { state, comparedBefore }: Pick<RecordView, 'state' | 'comparedBefore'>,
  one: IterationSummary,
): Compared | undefined {
  const run = state.lastRun
  const isOwn =
    one.iteration > 0 &&
    one === state.history.at(-1) &&
    run?.kind === 'measured' &&
    run.commit === one.commit
  const compared = isOwn ? run.comparison : undefined
  return (
    comparedBefore.get(one.iteration) ??
    (compared === undefined
      ? undefined
      : {
          new_failures: compared.broken,
          affected_first: compared.affected,
        })
  )
}

/** What `.task/IMPL-fix-N.json` says of a fix. */
export type FixDetails = {
  approach: string
  points: string[]
  rootCauses: string[]
  affectedTests: string[]
  confidence: number | null
  expectedOutcome: string
  failures: { test: string; file: string; error: string }[]
}

/** One entry of fix-history.json. The sources name the file and give it no form. */
export const FixHistoryItem = z.object({
  iteration: z.number().int(),
  task: z.string(),
  strategy: z.string().nullable(),
  modification_points: z.array(z.string()),
  root_causes: z.array(z.string()),
  /** Failing tests that it was planned to repair. */
  failures: z.array(z.object({ test: z.string(), file: z.string(), error: z.string() })),
  affected_tests: z.array(z.string()),
  confidence: z.number().nullable(),
  commit: z.string().nullable(),
  pass_rate_before: z.number().nullable(),
  pass_rate_after: z.number().nullable(),
  result: z.enum(['kept', 'rolled_back', 'no_change', 'not_started', 'failed']),
  reason: z.string().nullable(),
  analysis: z.string().nullable(),
})
export type FixHistoryItem = z.infer<typeof FixHistoryItem>

/** Id of the fix task of an iteration. */
export function fixIdOf({ iteration, task }: Pick<IterationSummary, 'iteration' | 'task'>): string {
  return task ?? `IMPL-fix-${iteration}`
}

/**
 * The pass rate that the fix of iteration N began from: that of the last full run that was not
 * undone.
 */
export function rateBefore(history: readonly IterationSummary[], iteration: number): number | null {
  return (
    history.filter((one) => one.iteration < iteration && one.result !== 'rolled_back').at(-1)
      ?.passRate ?? null
  )
}

/** "85%", or "not measured". */
export function percent(rate: number | null): string {
  return rate === null ? 'not measured' : `${rate}%`
}

/** A commit as people read it. */
export function short(commit: string): string {
  return commit.slice(0, 10)
}

const TEXT = z.string().catch('')
const Lines = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.filter((item) => typeof item === 'string'))

/** Read leniently: it may come from an older version or another tool. */
const FixTask = z.object({
  context: z.object({
    failure_context: z
      .object({ failed_tests: Lines, error_messages: Lines })
      .catch({ failed_tests: [], error_messages: [] }),
    fix_strategy: z.object({
      approach: TEXT,
      modification_points: Lines,
      expected_outcome: TEXT,
      root_causes: Lines,
      confidence_score: z.number().nullable().catch(null),
      test_execution: z.object({ affected_tests: Lines }).catch({ affected_tests: [] }),
    }),
  }),
})

/** What a fix task's file says, `undefined` where it says nothing of a fix. */
export function fixDetails(content: unknown): FixDetails | undefined {
  const parsed = FixTask.safeParse(content)
  if (!parsed.success) return undefined
  const { failure_context: context, fix_strategy: strategy } = parsed.data.context
  return {
    approach: strategy.approach,
    points: strategy.modification_points,
    rootCauses: strategy.root_causes,
    affectedTests: strategy.test_execution.affected_tests,
    confidence: strategy.confidence_score,
    expectedOutcome: strategy.expected_outcome,
    failures: context.failed_tests.map((id, n) => ({
      ...named(id),
      error: context.error_messages[n] ?? '',
    })),
  }
}

/** File and name of a test that is named `file > name`. */
function named(id: string): { test: string; file: string } {
  const at = id.indexOf(' > ')
  return at < 0 ? { test: id, file: '' } : { file: id.slice(0, at), test: id.slice(at + 3) }
}
