// Carries out a planned fix and its retest. `state.pending` has the progress, so that a resumed
// session continues at the same point.
import type { IterationSummary } from '../../contract/result.js'
import type { PendingFix, RolledBack } from '../../contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TestRun } from '../../contract/test-run.js'
import { claimedRate } from '../../core/answers/claim.js'
import { setStatus, spendIteration } from '../../core/test-fix/queue.js'
import { stuckMajority } from '../../core/test-results/stuck.js'
import { backNote, judgeFix, type FixVerdict } from '../../core/test-results/judge-fix.js'
import { harmOf, partResults, type JudgedFix } from '../../core/test-fix/causes/part-search.js'
import { SAME_FAILURES } from '../../core/run/iteration-summary.js'
import { approveFixPlan } from './approve-fix-plan.js'
import { confirmEarly } from './confirm.js'
import type { End, Then } from './test-fix-end.js'
import { takeProposals } from './test-changes.js'
import { sessionTurn } from './session-turn.js'
import { acceptFix, commitFix, record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { claimNote, counts, leftOutNote } from '../../core/run/describe-run.js'
import { firstSentence, note } from '../../core/text/short-text.js'
import { rateOf } from '../../core/test-results/pass-rate.js'
import { turnNotes } from '../../core/run/turn-notes.js'
import { backToBest, rollBack } from './go-back.js'
import { bestOf, setBest } from '../../core/test-fix/best-state.js'
import { measureAndCompare } from './measure-fix.js'
import { takeOutWrong } from './take-out.js'

/** Number of files changed as `test.mayChange` allows that a run carries. */
const CHANGED_KEPT = 50
/** Number of rolled back fixes that the next commit names, the newest. */
const ROLLED_BACK_KEPT = 20

/** Has the test-fix-agent apply IMPL-fix-N; its work is a candidate until it is judged. */
export async function carryOutFix(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  if (state.pending === undefined || state.lastRun === undefined)
    throw new Error(`${task.id} is in the queue without its iteration`)
  await approveFixPlan(run, task)
  delete state.rollbackReason // a plan that is made again still needs it
  const { pending, lastRun } = state
  const n = pending.iteration
  const { end: fix, used } = await sessionTurn(
    run,
    {
      role: 'test-fix-agent',
      task: task.id,
      step: `iteration-${n}/fix`,
      phase: 'fix',
      limitMs: state.prepared.limits.agentTurnMs,
      judgedByTree: true,
      ask: (simplified) => ({
        about: 'fix-task',
        lastRun,
        task: task.id,
        file: task.file ?? `${task.id}.json`,
        pending,
        simplified,
      }),
    },
    { strategy: pending.strategy, lastRun },
  )
  if (!fix.ok)
    return { outcome: 'blocked', reason: `${task.id} could not be carried out: ${fix.reason}` }
  const { agent } = fix.result
  const committed = await commitFix(run, agent, { ...pending, agent })
  const claimed = claimedRate(fix.result.tail)
  const proposed = await takeProposals(run, fix.result, n)
  state.pending = {
    ...pending,
    agent,
    commit: committed.commit,
    ...(committed.changedTests === undefined ? {} : { changedTests: committed.changedTests }),
    ...(committed.parts === undefined ? {} : { parts: committed.parts }),
    ...(claimed === undefined ? {} : { claimed }),
    sessions: { ...pending.sessions, fix: used },
    notes: [
      ...pending.notes,
      ...turnNotes(fix, committed).filter((told) => told !== undefined),
      ...proposed,
    ],
  }
  run.queue = setStatus(run.queue, task.id, 'completed')
  return 'next task'
}

/** Measures the fix, and keeps it or rolls it back. */
export async function retest(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const { pending, lastRun: before } = state
  if (pending === undefined || before === undefined)
    throw new Error(`${task.id} is in the queue without its iteration`)
  let end: End | undefined
  if (typeof pending.commit === 'string')
    end = await judgeCommit(run, { pending, fix: pending.commit, before })
  else {
    state.repeated = true
    finish(run, pending, 'no_change', before, ['the fix changed nothing'], false)
  }
  await record(run)
  return end ?? 'next iteration'
}

/** A fix that waits for its verdict: its commit, and the run that it is compared with. */
type Fix = { pending: PendingFix; fix: string; before: TestRun }

/**
 * Judges a fix. Of several causes, those that broke a test are taken out first. Returns an end if
 * the results of the best state are confirmed.
 */
async function judgeCommit(run: TestFixRun, made: Fix): Promise<End | undefined> {
  const { pending, fix } = made
  const whole = await measureFix(run, made, fix, `iteration-${pending.iteration}/retest`)
  const { parts = [] } = pending
  if (parts.length < 2 || harmOf(whole) === 0) return conclude(run, made, whole)
  const rest = await takeOutWrong(
    run,
    { pending, parts, whole, before: made.before },
    (commit, step) => measureFix(run, made, commit, step),
  )
  const judged = { ...made, pending: { ...pending, ...rest.pending } }
  return conclude(run, judged, rest.judged, rest.leftOut)
}

/** Runs the full suite on a commit of a fix, and judges it. */
async function measureFix(
  run: TestFixRun,
  { pending, before }: Fix,
  commit: string,
  step: string,
): Promise<JudgedFix> {
  const state = run.ready
  run.unmeasured = commit
  const after = await measureAndCompare(run, step, pending.affectedFiles)
  run.unmeasured = undefined
  const [bestSize, worse] = [state.best?.size ?? 0, state.worse ?? 0]
  return { after, verdict: judgeFix({ before, after, bestSize, worse }) }
}

/** Keeps a fix, or rolls it back. */
async function conclude(
  run: TestFixRun,
  made: Fix,
  { after, verdict }: JudgedFix,
  leftOut?: readonly RolledBack[],
): Promise<End | undefined> {
  run.ready.lastKept = verdict.keep
  if (verdict.keep) return keep(run, made, { after, verdict }, leftOut)
  await undo(run, made, after, verdict.reason)
  return undefined
}

async function keep(
  run: TestFixRun,
  { pending: candidate, before }: Fix,
  { after: measured, verdict }: { after: TestRun; verdict: Extract<FixVerdict, { keep: true }> },
  leftOut?: readonly RolledBack[],
): Promise<End | undefined> {
  const state = run.ready
  const n = candidate.iteration
  const rates = { before: rateOf(before), after: rateOf(measured) }
  const pending = await acceptFix(run, candidate, rates, leftOut)
  const after = { ...measured, commit: pending.commit }
  if (pending.changedTests !== undefined)
    state.changedTestFiles = [
      ...new Set([...(state.changedTestFiles ?? []), ...pending.changedTests]),
    ].slice(0, CHANGED_KEPT)
  state.repeated =
    !verdict.progress &&
    before.kind === 'measured' &&
    after.kind === 'measured' &&
    before.fingerprint === after.fingerprint
  state.lastRun = after
  state.worse = verdict.worse
  state.atBest = verdict.isBest
  if (verdict.isBest && measured.kind === 'measured')
    setBest(state, bestOf(measured, n, pending.commit))
  finish(
    run,
    pending,
    after.kind === 'measured' ? 'kept' : 'not_started',
    after,
    [
      leftOutNote(after),
      state.repeated ? SAME_FAILURES : undefined,
      after.kind === 'measured' ? undefined : firstSentence(after.reason),
      verdict.back && after.kind === 'measured'
        ? backNote(after.comparison, state.best?.iteration ?? 0)
        : undefined,
    ],
    verdict.progress,
  )
  if (verdict.back) await backToBest(run, `iteration-${n}/back`)
  if (verdict.isBest) return confirmEarly(run)
  return undefined
}

async function undo(
  run: TestFixRun,
  { pending, before }: Fix,
  after: TestRun,
  reason: string,
): Promise<void> {
  const state = run.ready
  await rollBack(run, pending.iteration, `iteration-${pending.iteration}/rollback`)
  state.rolledBack = [
    ...(state.rolledBack ?? []),
    { task: pending.task, before: rateOf(before), after: rateOf(after) },
  ].slice(-ROLLED_BACK_KEPT)
  run.queue = setStatus(run.queue, pending.task, 'rolled_back')
  // Its failures were tried and failed again; whether they are the majority is decided by the
  // remaining ones.
  if (after.kind === 'measured' && after.comparison !== undefined && before.kind === 'measured') {
    state.stuckMajority = stuckMajority({
      stuck: after.comparison.stuck,
      failing: before.failuresTotal,
    })
    state.stuckTests = after.comparison.stuckTests
  }
  state.rollbackReason = `${pending.task} was rolled back: ${reason}`
  state.repeated = false
  const notes = [leftOutNote(after), `rolled back: ${reason}`]
  finish(run, pending, 'rolled_back', after, notes, false)
}

/**
 * Ends the iteration of a fix with an entry in the history, and spends it: a stop in a later step
 * finds it counted.
 */
export function finish(
  run: TestFixRun,
  pending: PendingFix,
  result: IterationSummary['result'],
  after: TestRun,
  notes: (string | undefined)[],
  progress: boolean,
): void {
  const state = run.ready
  state.progress = progress
  if (progress) delete state.causes
  state.brokeNothing = after.kind === 'measured' && after.comparison?.broken === 0
  state.degraded = pending.quality === 'degraded' && !progress ? (state.degraded ?? 0) + 1 : 0
  const { iteration, task, parent, strategy, quality, claimed, startedAt, turnsBefore } = pending
  const text = note([...pending.notes, claimNote(claimed, after), ...notes])
  const comparison = after.kind === 'measured' ? after.comparison : undefined
  state.history.push({
    iteration,
    passRate: rateOf(after),
    ...counts(after),
    result,
    commit: pending.commit ?? null,
    turns: state.usage.turns - turnsBefore,
    task,
    parent,
    strategy,
    analysis: quality,
    parts: partResults(pending, result),
    startedAt,
    completedAt: Date.now(),
    ...(comparison === undefined ? {} : { levels: comparison.levels, stuck: comparison.stuck }),
    claimed,
    sessions: pending.sessions,
    note: text,
    refused: pending.refused,
  })
  state.iteration = iteration
  run.queue = spendIteration(run.queue, { parent, iteration })
  delete state.pending
}
