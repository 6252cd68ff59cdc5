// What a run carried, from a record that does not have the run's own state: one of the sources'
// tools, or one whose state was damaged. Read leniently; nothing in it is believed that decides a
// verdict.
import { z } from 'zod'
import { RunResult, type IterationSummary } from '../../contract/result.js'
import type { PendingFix, Restored } from '../../contract/test-fix/test-fix-state.js'
import { AnalysisQuality, Strategy, type TaskEntry } from '../../contract/test-fix/task.js'
import { resumePoint } from '../test-fix/next-action.js'
import { passRate } from '../test-results/pass-rate.js'
import type { FixDetails } from './record-view.js'
import { fixNumber } from '../test-fix/task-file.js'
import { NO_USAGE } from '../run/run-usage.js'

const whole = z.number().int().nonnegative()
const Text = z.string().optional().catch(undefined)
const Item = z.object({
  iteration: whole,
  started_at: Text,
  completed_at: Text,
  result: Text,
  fix_task: Text,
  note: Text,
  commit: Text,
  strategy: Strategy.optional().catch(undefined),
  analysis_quality: AnalysisQuality.optional().catch(undefined),
  test_results: z.object({ total: whole, passed: whole }).optional().catch(undefined),
  pass_rate: z.number().min(0).max(100).optional().catch(undefined),
})
const State = z.object({
  current_iteration: whole.optional().catch(0),
  current_task: Text,
  selected_strategy: Strategy.optional().catch(undefined),
  started_at: Text,
  next_action: z.string().catch(''),
  iterations: z.array(z.unknown()).catch([]),
})
const Entry = z.object({
  iteration: whole,
  task: Text,
  strategy: Strategy.optional().catch(undefined),
  commit: Text,
  pass_rate_after: z.number().nullable().catch(null),
  result: Text,
  reason: Text,
})

export type RebuildFrom = {
  /** iteration-state.json, as far as it could be read. */
  iterationState: unknown
  /** Content of workflow-session.json. */
  session: Record<string, unknown>
  /** Entries of fix-history.json. */
  fixHistory: readonly unknown[]
  /** Fix tasks that have a file, and what they say. */
  fixes: readonly { entry: TaskEntry; details: FixDetails | undefined }[]
  /** The test task that fixes belong to where nothing says so. */
  testTask: string
  at: number
}

/** What can be said without the run's own state. Test results are not part of it. */
export function rebuildState(from: RebuildFrom): Restored {
  const state = stateOf(from.iterationState)
  const history = recordedHistory(from)
  const pending = pendingOf(from, state, currentOf(state, history))
  // Ids are never used again: every id with a file counts.
  const highest = Math.max(0, ...from.fixes.map(({ entry }) => fixNumber(entry.id) ?? 0))
  const spent = Math.max(0, ...history.map((one) => one.iteration))
  const isNext = pending !== undefined && pending.iteration > spent && pending.iteration === highest
  return {
    startedAt: timeOf(state.started_at) ?? timeOf(from.session['created_at']) ?? from.at,
    iteration: isNext ? pending.iteration - 1 : Math.max(spent, highest),
    history,
    commits: history.flatMap((one) => one.commit ?? []),
    usage: NO_USAGE,
    ...(isNext ? { pending } : {}),
  }
}

function stateOf(content: unknown): z.infer<typeof State> {
  return State.parse(
    typeof content === 'object' && content !== null && !Array.isArray(content) ? content : {},
  )
}

/** The iterations of a session, as far as its files say something of them. */
export function recordedHistory({
  iterationState,
  session,
  fixHistory,
  testTask,
}: Pick<
  RebuildFrom,
  'iterationState' | 'session' | 'fixHistory' | 'testTask'
>): IterationSummary[] {
  const { iterations } = stateOf(iterationState)
  const ended = RunResult.safeParse(session['result'])
  if (ended.success) return ended.data.history
  const items = iterations.flatMap((one) => Item.safeParse(one).data ?? [])
  const entries = fixHistory.flatMap((one) => Entry.safeParse(one).data ?? [])
  const numbers = [...new Set([...items, ...entries].map((one) => one.iteration))].sort(
    (a, b) => a - b,
  )
  return numbers.map((iteration): IterationSummary => {
    const item = items.findLast((one) => one.iteration === iteration)
    const entry = entries.findLast((one) => one.iteration === iteration)
    const results = item?.test_results
    const counted =
      results !== undefined && results.total > 0 && results.passed <= results.total
        ? results
        : undefined
    const [startedAt, completedAt] = [timeOf(item?.started_at), timeOf(item?.completed_at)]
    const strategy = item?.strategy ?? entry?.strategy
    const note = item?.note ?? entry?.reason
    return {
      iteration,
      passRate:
        counted === undefined
          ? (item?.pass_rate ?? entry?.pass_rate_after ?? null)
          : passRate(counted.passed, counted.total),
      ...(counted === undefined ? {} : { passed: counted.passed, total: counted.total }),
      result: resultOf(iteration, item?.result ?? entry?.result),
      commit: item?.commit ?? entry?.commit ?? null,
      turns: 0,
      ...(iteration === 0
        ? {}
        : { task: item?.fix_task ?? entry?.task ?? `IMPL-fix-${iteration}`, parent: testTask }),
      strategy,
      ...(item?.analysis_quality === undefined ? {} : { analysis: item.analysis_quality }),
      note,
      startedAt,
      completedAt,
    }
  })
}

const RESULTS: Readonly<Record<string, IterationSummary['result']>> = {
  success: 'kept',
  partial_success: 'kept',
  kept: 'kept',
  rolled_back: 'rolled_back',
  regression: 'rolled_back',
  reverted: 'rolled_back',
  no_change: 'no_change',
  not_started: 'not_started',
}

function resultOf(iteration: number, word: string | undefined): IterationSummary['result'] {
  if (iteration === 0) return word === 'not_started' ? 'not_started' : 'baseline'
  return word !== undefined && Object.hasOwn(RESULTS, word)
    ? (RESULTS[word] as IterationSummary['result'])
    : 'failed'
}

// Later versions of the other tools do not write the number of the iteration.
function currentOf(
  { current_iteration: current, current_task: task }: z.infer<typeof State>,
  history: readonly IterationSummary[],
): number {
  return current ?? fixNumber(task ?? '') ?? (history.at(-1)?.iteration ?? 0) + 1
}

// "Resume fix task execution: IMPL-fix-${current_iteration}". Without its file there is nothing to
// carry out.
function pendingOf(
  { fixes, testTask, at }: RebuildFrom,
  { next_action, selected_strategy: strategy }: z.infer<typeof State>,
  current: number,
): PendingFix | undefined {
  if (resumePoint({ next_action, current_iteration: current }) !== 'execute_fix_task')
    return undefined
  const fix = fixes.find(({ entry }) => entry.id === `IMPL-fix-${current}`)
  if (
    fix?.details === undefined ||
    fix.entry.status === 'completed' ||
    fix.entry.status === 'rolled_back'
  )
    return undefined
  const { approach, points } = fix.details
  return {
    iteration: current,
    task: fix.entry.id,
    parent: testTask,
    strategy: strategy ?? 'conservative',
    quality: 'normal',
    summary: (approach === '' ? fix.entry.title : approach).replaceAll(/\s+/g, ' ').slice(0, 120),
    points: points.length,
    affectedFiles: [],
    startedAt: at,
    turnsBefore: 0,
    notes: [],
  }
}

function timeOf(text: unknown): number | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
