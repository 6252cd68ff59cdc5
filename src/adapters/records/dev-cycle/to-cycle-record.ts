// The master file of a cycle, from the state of its workflow and the record's own documents. What
// the state no longer carries, because its lists are bounded, stays from the record there was.
import type { CycleState } from '../../../contract/dev-cycle/cycle-state.js'
import type { CycleRecord, CycleStatus } from '../../../contract/dev-cycle/cycle-record.js'
import type { RunResult } from '../../../contract/result.js'
import { cycleEvidence } from '../../../core/dev-cycle/cycle-open.js'
import { cycleTitle, description } from '../../../core/dev-cycle/plan-tasks.js'
import { cycleVersion } from '../../../core/dev-cycle/documents/versions.js'
import { openItems } from '../../../core/run/open-items.js'
import { passRate } from '../../../core/test-results/pass-rate.js'
import { shownId } from '../../../core/test-results/test-merge.js'
import { appended, byKey } from '../kept-lists.js'
import { lastRunOf } from '../last-run.js'
import { claimedResults, contextsIn } from './contexts.js'
import { withStatuses } from './plan-status.js'
import type { StoredCycle } from './cycle-schema.js'
import { iterationRecord } from './timeline.js'

export type RecordFrom = {
  /** Workflow id. */
  run: string
  state: CycleState
  status: CycleStatus
  /** There at the end of a run. */
  result?: RunResult | undefined
  at: number
  /** ISO 8601 of an epoch time in milliseconds. */
  time: (at: number) => string
  /** The record's progress directory, whose documents count. */
  progress: string
  /** What is left of the record there was. */
  old: Partial<StoredCycle>
}

/** The whole content of the master file. */
export function recordOf(from: RecordFrom): StoredCycle {
  const { state, result, at, time, old } = from
  const { tasks } = state
  const now = time(at)
  const { plan, ...contexts } = contextsIn(from.progress, old, now)
  const tests = testResults(from)
  const failure = result?.status === 'failed' ? (result.reason ?? result.outcome) : undefined
  return {
    schema: 1,
    cycle_id: old.cycle_id ?? state.input.cycleId ?? from.run,
    title: cycleTitle(tasks[0]?.text ?? ''),
    description: description(tasks),
    task_history: tasks.map(({ text }) => text),
    status: from.status,
    created_at: old.created_at ?? time(state.startedAt),
    updated_at: now,
    ...(result === undefined ? {} : { completed_at: now }),
    max_iterations: state.maxIterations,
    current_iteration: state.iteration,
    failure_reason: failure,
    agents: state.agents,
    current_phase: result === undefined ? state.currentPhase : 'complete',
    completed_phases: state.completedPhases,
    phase_errors: appended(
      old.phase_errors,
      state.phaseErrors.map(({ phase, error, at: when }) => ({
        phase,
        error,
        timestamp: time(when),
      })),
    ),
    ...contexts,
    ...(plan === undefined
      ? {}
      : {
          plan: {
            ...plan,
            tasks: withStatuses(plan.tasks, {
              status: state.agents.cd.status,
              result: state.results.cd,
              promised: state.promised ?? [],
            }),
          },
        }),
    test_results: tests,
    iterations: byKey(
      old.iterations,
      state.iterations.map((one) => iterationRecord(one, tasks, time)),
      ({ number }) => number,
    ).sort((a, b) => a.number - b.number),
    coordination: {
      feedback_log: appended(old.coordination?.feedback_log, state.feedbackLog),
      pending_decisions: byKey(
        old.coordination?.pending_decisions,
        state.decisions,
        ({ id }) => id,
      ),
      blockers: byKey(old.coordination?.blockers, state.blockers, ({ id }) => id),
    },
    convergence: state.prep?.convergence ?? null,
    phase_gates: state.prep?.phase_gates ?? null,
    agent_focus: state.prep?.agent_focus ?? null,
    source_refs: state.prep?.source_refs ?? null,
    ratchet: notesOf(from),
  }
}

function notesOf({ state, result, old }: RecordFrom): StoredCycle['ratchet'] {
  const { prepared } = state
  const outcome = OUTCOMES.find((one) => one === result?.outcome)
  const { known } = openItems(cycleEvidence(state, { issues: [] }))
  return {
    outcome,
    branch: prepared.workspace.branch,
    base: prepared.workspace.base,
    head: state.head,
    scheduling: state.scheduling,
    interactive: state.interactive,
    parallel: state.parallel,
    commits: appended(old.ratchet?.commits, state.commits),
    warnings: appended(old.ratchet?.warnings, state.warnings),
    open_issues: state.openIssues,
    pending_extensions: state.pendingExtensions,
    ...(state.baseline === undefined
      ? {}
      : { baseline: state.baseline, baseline_of_base: state.baselineOfBase === true }),
    had_suite: state.hadSuite,
    ...(state.promised === undefined
      ? {}
      : { promised: state.promised, names_tasks: state.namesTasks === true }),
    known_before: known,
    approved_plan: state.approvedPlan,
    untracked: state.untracked,
    work_from: state.workFrom,
    taken_back: state.takenBack,
    changed_tests: state.changedInRun,
    refused: state.refused,
    edits: state.edits,
    usage: state.usage,
    one_to_hundred: state.oneToHundred,
    history: byKey(old.ratchet?.history, state.history, ({ iteration }) => iteration).sort(
      (a, b) => a.iteration - b.iteration,
    ),
    result,
  }
}

const OUTCOMES = ['completed', 'completed_with_issues', 'failed', 'stopped'] as const

/** Measured where anything was; `coverage` and `claimed` are what VAS says. */
export function testResults({
  state,
  progress,
  old,
  at,
  time,
}: Pick<RecordFrom, 'state' | 'progress' | 'old' | 'at' | 'time'>): CycleRecord['test_results'] {
  const { lastRun } = state
  if (lastRun === undefined) return old.test_results
  const said = state.results.vas?.claimed
  const isMeasured = lastRun.kind === 'measured'
  const now = {
    version: cycleVersion(Math.max(1, state.iteration)),
    pass_rate: isMeasured ? passRate(lastRun.passed, lastRun.total) : null,
    coverage: said?.coverage ?? claimedResults(progress)?.coverage ?? null,
    failed_tests: isMeasured ? lastRunOf({ lastRun }, []).failures.map(shownId) : [],
    total_tests: isMeasured ? lastRun.total : 0,
    ...(said === undefined ? {} : { claimed: said.passRate }),
  }
  const { last_run: before, ...was } = old.test_results ?? { last_run: undefined }
  return { ...now, last_run: before !== undefined && same(was, now) ? before : time(at) }
}

function same(a: object, b: object): boolean {
  const sorted = (value: object): string =>
    JSON.stringify(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
  return sorted(a) === sorted(b)
}
