// iteration-state.json and fix-history.json: where a session stands, and what was tried.
import { z } from 'zod'
import type { IterationSummary } from '../../contract/result.js'
import { TestFixState, type PendingFix } from '../../contract/test-fix/test-fix-state.js'
import { FAILURES_SHOWN } from '../../contract/test-run.js'
import { reopenedQueue } from '../test-fix/closed-queue.js'
import { iterationFiles } from '../test-fix/fix-task.js'
import { currentTask, nextAction } from '../test-fix/next-action.js'
import {
  Compared,
  comparedOf,
  fixIdOf,
  FixHistoryItem,
  rateBefore,
  type RecordView,
} from './record-view.js'
import type { UsedSession } from '../../contract/test-fix/agent-session.js'
import { sessionReason } from '../agents/session-use.js'
import { shownId } from '../test-results/test-merge.js'

const TestResults = z.object({
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  failures: z.array(z.string()),
})

/** One iteration as a record has it; iteration 0 is the first run and has no fix. */
const IterationItem = z.looseObject({
  iteration: z.number().int(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  /** `null` where the suite did not start. */
  test_results: TestResults.nullable(),
  analysis_file: z.string().nullable(),
  fix_task: z.string().nullable(),
  strategy: z.string().nullable(),
  /** `success`: all passed after it; `partial_success`: kept, and tests fail still. */
  result: z.string(),
  compared: Compared.optional().catch(undefined),
})
type IterationItem = z.infer<typeof IterationItem>

/**
 * `.process/iteration-state.json`; `state` has all of it.
 */
export const IterationState = z.looseObject({
  schema: z.literal(2),
  session_id: z.string(),
  current_task: z.string().nullable(),
  current_iteration: z.number().int(),
  max_iterations: z.number().int(),
  started_at: z.string(),
  iterations: z.array(z.looseObject({ iteration: z.number().int() })),
  status: z.string(),
  next_action: z.string().optional(),
  state: TestFixState,
})
export type IterationState = z.infer<typeof IterationState>

/** The file's content. */
export function iterationState(view: RecordView): Record<string, unknown> {
  const { name, state, result, time } = view
  return {
    schema: 2,
    session_id: name,
    ...standing(state, result?.status === 'completed'),
    max_iterations: state.maxIterations,
    started_at: time(state.startedAt),
    iterations: state.history.map((one) => iterationItem(view, one)),
    status: result === undefined ? 'active' : result.status,
    ...(state.warnings.length === 0 ? {} : { warnings: state.warnings }),
    state,
  }
}

/**
 * Returns the fields about the progress of a run; for an ended one they say where it would
 * continue.
 */
function standing(state: TestFixState, completed: boolean): Record<string, unknown> {
  const { pending, lastRun, unplanned } = state
  const facts = {
    queue: reopenedQueue(state.queue),
    closed: completed,
    unplanned: unplanned === true,
    pending,
    lastRun,
  }
  return {
    current_task: currentTask(facts),
    // While a fix is under way that fix's iteration: a resume makes its task id from it.
    current_iteration: state.pending?.iteration ?? state.iteration,
    next_action: nextAction(facts),
  }
}

/**
 * The content with an iteration that has begun: its fix is planned, or committed and waits for its
 * retest.
 */
export function withPending(content: IterationState, pending: PendingFix): IterationState {
  const state = { ...content.state, pending, lastStrategy: pending.strategy }
  return { ...content, ...standing(state, false), state }
}

function iterationItem(view: RecordView, one: IterationSummary): IterationItem {
  const { state, time, lastFull, failuresBefore } = view
  const { passed, total } = one
  // A final validation may have come after the last iteration: then these are not its failures.
  const isLast =
    one === state.history.at(-1) &&
    passed !== undefined &&
    lastFull.length === (total ?? 0) - passed
  const names = isLast ? lastFull.map(shownId) : (failuresBefore.get(one.iteration) ?? [])
  const files = iterationFiles(one.iteration)
  const compared = comparedOf(view, one)
  return {
    iteration: one.iteration,
    started_at: one.startedAt === undefined ? null : time(one.startedAt),
    completed_at: one.completedAt === undefined ? null : time(one.completedAt),
    test_results:
      passed === undefined || total === undefined
        ? null
        : {
            total,
            passed,
            failed: total - passed,
            failures: total === passed ? [] : names.slice(0, FAILURES_SHOWN),
          },
    analysis_file: one.iteration === 0 || one.task === undefined ? null : files.analysis,
    fix_task: one.iteration === 0 ? null : fixIdOf(one),
    strategy: one.strategy ?? null,
    result: one.result === 'kept' ? (passed === total ? 'success' : 'partial_success') : one.result,
    compared,
    analysis_quality: one.analysis,
    parts: one.parts,
    note: one.note,
    refused_analyses: one.refused,
    sessions: sessionsOf(one),
  }
}

function sessionsOf({ sessions }: IterationSummary): Record<string, unknown> | undefined {
  if (sessions === undefined) return undefined
  const shown = ({ id, use }: UsedSession) => ({ session: id, reason: sessionReason(use) })
  return {
    ...(sessions.analysis && { analysis: shown(sessions.analysis) }),
    ...(sessions.fix && { fix: shown(sessions.fix) }),
  }
}

/** Names of failing tests by iteration, from a file as it was. */
export function failuresByIteration(iterations: readonly unknown[]): Map<number, string[]> {
  const read = iterations.map((one) =>
    IterationItem.pick({ iteration: true, test_results: true }).safeParse(one),
  )
  return new Map(
    read.flatMap((one) =>
      one.success && one.data.test_results !== null
        ? [[one.data.iteration, one.data.test_results.failures] as const]
        : [],
    ),
  )
}

/** What iterations were seen to change, from the same. */
export function comparedByIteration(iterations: readonly unknown[]): Map<number, Compared> {
  const read = iterations.map((one) =>
    IterationItem.pick({ iteration: true, compared: true }).safeParse(one),
  )
  return new Map(
    read.flatMap((one) =>
      one.success && one.data.compared !== undefined
        ? [[one.data.iteration, one.data.compared] as const]
        : [],
    ),
  )
}

/** Content of `.process/fix-history.json`. */
export const FixHistory = z.object({
  schema: z.literal(1),
  session_id: z.string(),
  entries: z.array(FixHistoryItem),
})
export type FixHistory = z.infer<typeof FixHistory>

/** The file's content: every iteration that is over, also those that were undone. */
export function fixHistory(view: RecordView): FixHistory {
  return {
    schema: 1,
    session_id: view.name,
    entries: view.state.history
      .filter((one) => one.iteration > 0)
      .map((one) => historyItem(view, one)),
  }
}

function historyItem(
  { state, fixes, historyBefore }: RecordView,
  one: IterationSummary,
): FixHistoryItem {
  const task = fixIdOf(one)
  const details = fixes.get(task)
  const before = historyBefore.get(one.iteration)
  return {
    iteration: one.iteration,
    task,
    strategy: one.strategy ?? before?.strategy ?? null,
    modification_points: details?.points ?? before?.modification_points ?? [],
    root_causes: details?.rootCauses ?? before?.root_causes ?? [],
    failures: details?.failures ?? before?.failures ?? [],
    affected_tests: details?.affectedTests.length
      ? details.affectedTests
      : (before?.affected_tests ?? []),
    confidence: details?.confidence ?? before?.confidence ?? null,
    commit: one.commit,
    pass_rate_before: rateBefore(state.history, one.iteration),
    pass_rate_after: one.passRate,
    result: one.result === 'baseline' ? 'kept' : one.result,
    reason: one.note ?? null,
    analysis: one.task === undefined ? null : iterationFiles(one.iteration).analysis,
  }
}
