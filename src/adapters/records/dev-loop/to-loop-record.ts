// The state file of a loop, from the state of its workflow. What the state no longer carries,
// because its lists are bounded and its texts are cut, stays from the record there was.
import { fileName } from '../../../contract/ids.js'
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import type {
  Finding,
  LoopNotes,
  LoopRecord,
  LoopStatus,
  ParallelResults,
  SkillState,
  WorkerSummary,
} from '../../../contract/dev-loop/loop-record.js'
import type { IterationSummary, RunResult } from '../../../contract/result.js'
import type { LoopTask } from '../../../contract/dev-loop/action-reading.js'
import { titleOf } from '../../../core/dev-loop/prompts/brief.js'
import { loopDescription } from '../../../core/dev-loop/loop-tasks.js'
import { appended, byKey } from '../kept-lists.js'

export type RecordFrom = {
  /** Workflow id. */
  run: string
  state: LoopState
  status: LoopStatus
  /** There at the end of a run. */
  result?: RunResult | undefined
  at: number
  /** ISO 8601 of an epoch time in milliseconds. */
  time: (at: number) => string
  /** What is left of the record there was. */
  old: Partial<LoopRecord>
}

/** The whole content of the state file. */
export function recordOf({ run, state, status, result, at, time, old }: RecordFrom): LoopRecord {
  const now = time(at)
  const failure = status === 'failed' ? (result?.reason ?? result?.outcome) : undefined
  return {
    schema: 1,
    loop_id: idOf(state.input.loopId ?? run, old.loop_id),
    title: titleOf(state.texts[0] ?? ''),
    description: loopDescription(state.texts),
    mode: state.mode,
    status,
    current_iteration: state.iteration,
    max_iterations: state.maxIterations,
    created_at: state.startedAt > 0 ? time(state.startedAt) : (old.created_at ?? now),
    updated_at: now,
    ...(result === undefined ? {} : { completed_at: now }),
    failure_reason: failure,
    skill_state: skillState(state, old.skill_state),
    ratchet: notesOf({ run, state, result, old }),
  }
}

/** The id that the loop began with: later ones may be written as its files are. */
function idOf(now: string, before: string | undefined): string {
  return before !== undefined && fileName(before) === fileName(now) ? before : now
}

function skillState(state: LoopState, old: Partial<SkillState> = {}): SkillState {
  const known = new Map(
    [...(old.completed_tasks ?? []), ...(old.pending_tasks ?? [])].map((task) => [task.id, task]),
  )
  const tasks = state.tasks.map((task) => wholeTask(known.get(task.id), task))
  return {
    phase: state.phase,
    action_index: state.actionIndex,
    workers_completed: state.workersCompleted,
    parallel_results: parallelResults(state.parallelResults, old.parallel_results ?? null),
    pending_tasks: tasks.filter((task) => task.status !== 'completed'),
    completed_tasks: tasks.filter((task) => task.status === 'completed'),
    findings: findingsOf(state, old.findings),
  }
}

function wholeTask(before: LoopTask | undefined, now: LoopTask): LoopTask {
  return {
    ...now,
    description: wholeText(before?.description, now.description),
    files: wholeList(before?.files, now.files),
  }
}

/** An old one that the state carries no more is open until a develop has ended since. */
function findingsOf({ findings, workers }: LoopState, old: readonly Finding[] = []): Finding[] {
  const developed = workers.findLast(({ action }) => action === 'develop')?.iteration ?? -1
  const before = new Map(old.map((one) => [findingKey(one), one]))
  return byKey(
    old.map((one) => (one.iteration < developed ? { ...one, status: 'closed' as const } : one)),
    findings.map((one) => ({
      ...one,
      description: wholeText(before.get(findingKey(one))?.description, one.description),
    })),
    findingKey,
  )
}

/** Numbers of findings that the state has dropped are given again. */
function findingKey({ id, description }: Finding): string {
  return `${id} ${description.slice(0, KEY_CHARS)}`
}

/** Characters of a text that no state cuts. */
const KEY_CHARS = 30

function parallelResults(
  now: ParallelResults | null,
  old: ParallelResults | null,
): ParallelResults | null {
  if (now === null || old?.merged_at !== now.merged_at) return now
  const worker = (action: 'develop' | 'debug' | 'validate'): WorkerSummary | null =>
    now[action] === null ? null : wholeWorker(old[action] ?? undefined, now[action])
  return {
    develop: worker('develop'),
    debug: worker('debug'),
    validate: worker('validate'),
    conflicts: byKey(old.conflicts, now.conflicts, ({ file }) => file),
    merged_at: now.merged_at,
  }
}

function wholeWorker(before: WorkerSummary | undefined, now: WorkerSummary): WorkerSummary {
  if (before?.iteration !== now.iteration || before.action !== now.action) return now
  return {
    ...now,
    summary: wholeText(before.summary, now.summary),
    files: wholeList(before.files, now.files),
  }
}

function notesOf({
  run,
  state,
  result,
  old,
}: Pick<RecordFrom, 'run' | 'state' | 'result' | 'old'>): LoopNotes {
  const { prepared } = state
  const before = old.ratchet
  const workers = new Map((before?.workers ?? []).map((one) => [one.action, one]))
  return {
    run,
    ...(result === undefined ? {} : { outcome: result.outcome }),
    branch: prepared.workspace.branch,
    base: prepared.workspace.base,
    head: state.head,
    commits: appended(before?.commits, state.commits),
    warnings: warningsOf(before?.warnings, state.warnings),
    task_history: state.texts,
    validation: state.validation,
    workers: byKey(
      before?.workers,
      state.workers.map((one) => wholeWorker(workers.get(one.action), one)),
      ({ action }) => action,
    ),
    ...(state.baseline === undefined
      ? {}
      : { baseline: state.baseline, baseline_of_base: state.baselineOfBase === true }),
    had_suite: state.hadSuite,
    ...(state.namesTasks === true ? { names_tasks: true } : {}),
    work_from: state.workFrom,
    taken_back: state.takenBack,
    changed_tests: state.changedInRun,
    ...(state.developed === true ? { developed: true } : {}),
    approval: state.approval,
    edits: state.edits,
    usage: state.usage,
    history: historyOf(state, before?.history),
    // Its history stands above.
    ...(result === undefined ? {} : { result: { ...result, history: [] } }),
  }
}

function warningsOf(before: readonly string[] = [], now: readonly string[]): string[] {
  return appended(
    before,
    now.filter((text) => !before.some((one) => wholeText(one, text) === one)),
  )
}

/** Several workers may belong to one iteration; each says in its note which it was. */
function historyOf(
  { history, iteration }: LoopState,
  old: readonly IterationSummary[] = [],
): IterationSummary[] {
  const key = (one: IterationSummary): string =>
    `${one.iteration} ${(one.note ?? '').slice(0, KEY_CHARS)}`
  const before = new Map(old.map((one) => [key(one), one]))
  const now = history.map((one) =>
    one.note === undefined
      ? one
      : { ...one, note: wholeText(before.get(key(one))?.note, one.note) },
  )
  return byKey(
    old.filter((one) => one.iteration <= iteration),
    now,
    key,
  ).sort((a, b) => a.iteration - b.iteration)
}

/** The text there was, where the other is the beginning of it. */
function wholeText(before: string | undefined, now: string): string {
  return before !== undefined &&
    now.endsWith('…') &&
    before.length > now.length &&
    before.startsWith(now.slice(0, -1))
    ? before
    : now
}

function wholeList(before: readonly string[] | undefined, now: readonly string[]): string[] {
  return before !== undefined &&
    before.length > now.length &&
    now.every((one, n) => one === before[n])
    ? [...before]
    : [...now]
}
