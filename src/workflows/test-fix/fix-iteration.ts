// Iteration N: failure analysis, IMPL-fix-N, retest. `state.pending` has its progress, so that a
// resumed session continues at the same point.
import type { IterationSummary } from '../../contract/result.js'
import type { PendingFix, TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { FixTaskAsk } from '../../contract/turn-input.js'
import type { Strategy, TaskEntry } from '../../contract/test-fix/task.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnReading } from '../../contract/turn.js'
import { claimedRate } from '../../core/answers/claim.js'
import { degradedVerdict } from '../../core/test-fix/degraded.js'
import { insertFix, lastKeptFix, pruned, setStatus, spend } from '../../core/test-fix/queue.js'
import { chooseStrategy } from '../../core/test-fix/strategy.js'
import { stuckMajority } from '../../core/test-results/stuck.js'
import { judgeFix } from '../../core/test-results/judge-fix.js'
import { SAME_FAILURES } from '../../core/run/iteration-summary.js'
import type { Then } from './workflow.js'
import { confirmEarly } from './confirm.js'
import type { End } from './test-fix-end.js'
import { onTestChanges, takeProposals } from './test-changes.js'
import {
  backToBest,
  bestOf,
  commitFix,
  measureAndCompare,
  record,
  rollBack,
  setBest,
} from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { roleTurn } from '../run/role-turn.js'
import { hostStep } from '../run/host-step.js'
import { claimNote, counts, leftOutNote } from '../../core/run/describe-run.js'
import { firstSentence, note } from '../../core/text/short-text.js'
import { rateOf } from '../../core/test-results/pass-rate.js'
import { turnNotes } from '../../core/run/turn-notes.js'

type Analysis = Extract<TurnReading, { kind: 'analysis' }>

/** Number of root causes that are compared with a new analysis, the newest. */
const CAUSES_KEPT = 10

/** Number of files changed as `test.mayChange` allows that a run carries. */
const CHANGED_KEPT = 50

/** Maximum length of a fix summary that a run carries. */
const SUMMARY_CHARS = 120

/** Turns an analysis by the cli-planning-agent into a fix at the front of the queue. */
export async function analyse(run: TestFixRun, task: TaskEntry, last: TestRun): Promise<Then> {
  const state = run.ready
  const n = state.iteration + 1
  const startedAt = Date.now()
  const turnsBefore = state.usage.turns
  const choice = chooseStrategy({
    iteration: n,
    passRate: rateOf(last),
    similarity: last.kind === 'measured' ? last.comparison?.similarity : undefined,
    regressed: state.rollbackReason !== undefined,
    stuckMajority: state.stuckMajority === true,
    progress: state.progress === true,
    repeated: state.repeated === true,
    last: state.lastStrategy,
  })
  const kept = lastKeptFix(state.history)
  const fixTask: FixTaskAsk = {
    iteration: n,
    parent: task.id,
    dependsOn: kept === undefined ? [] : [kept],
    maxIterations: state.maxIterations,
    strategy: choice.strategy,
    lastRun: last,
    claims: state.claims,
    rollbackReason: state.rollbackReason,
  }
  const analysed = await roleTurn(run, {
    role: 'cli-planning-agent',
    step: `iteration-${n}/analysis`,
    phase: 'analysis',
    limitMs: state.prepared.limits.analysisMs,
    judgedByTree: false,
    ask: (simplified) => ({
      about: 'diagnose',
      lastRun: last,
      analysisType: state.rollbackReason === undefined ? 'test-failure' : 'regression-analysis',
      ...choice,
      simplified,
      stuckTests: stuckTestsOf(state, last),
      rollbackReason: state.rollbackReason,
    }),
    read: { as: 'analysis', earlierCauses: state.causes ?? [], at: startedAt, ...fixTask },
  })
  const notes: string[] = []
  let analysis =
    analysed.ok && analysed.result.read?.kind === 'analysis' ? analysed.result.read : undefined
  if (analysed.ok && analysed.note !== undefined) notes.push(analysed.note)
  if (analysis === undefined) {
    const reason = analysed.ok ? 'no analysis was read' : analysed.reason
    const verdict = degradedVerdict({
      iteration: n,
      progress: state.progress === true,
      inARow: state.degraded ?? 0,
    })
    if (verdict === 'block')
      return {
        outcome: 'blocked',
        reason: `no agent gave a usable analysis in two iterations in a row: ${reason}`,
      }
    if (verdict === 'spend')
      return spendIteration(run, task, choice.strategy, reason, { startedAt, turnsBefore })
    analysis = await degraded(run, fixTask, reason)
    notes.push(`degraded analysis: ${reason}`)
  } else if (analysis.weak !== undefined && state.prepared.agents['cli-planning-agent'].length > 1)
    notes.push(`${analysis.weak}, and no other agent gave a better analysis`)

  if (analysed.ok) notes.push(...(await takeProposals(run, analysed.result, n)))
  if (analysis.points === 0 && analysis.quality === 'normal') {
    const then = await onTestChanges(run, last, undefined, { nothingPlanned: true })
    if (then !== undefined) {
      for (const text of notes) run.warn(text)
      return then
    }
  }

  const refused = analysed.refused ?? analysis.refused
  if (refused !== undefined)
    notes.push(
      `answers that were not used: ${refused.map(({ file, agent }) => `${file} (${agent})`).join(', ')}`,
    )

  const pending: PendingFix = {
    iteration: n,
    task: analysis.task,
    parent: task.id,
    strategy: choice.strategy,
    quality: analysis.quality,
    summary: analysis.summary.slice(0, SUMMARY_CHARS),
    points: analysis.points,
    affectedFiles: analysis.affectedFiles,
    startedAt,
    turnsBefore,
    notes,
    refused,
  }
  state.pending = pending
  state.lastStrategy = choice.strategy
  state.causes = [...(state.causes ?? []), analysis.cause].slice(-CAUSES_KEPT)
  if (analysis.claims !== undefined) state.claims = analysis.claims
  if (analysis.levels !== undefined && last.kind === 'measured' && last.comparison !== undefined)
    last.comparison.levels = analysis.levels
  run.queue = insertFix(run.queue, {
    iteration: n,
    parent: task.id,
    title: analysis.summary.slice(0, SUMMARY_CHARS),
    file: analysis.file,
    dependsOn: fixTask.dependsOn,
    maxIterations: state.maxIterations,
  })
  delete state.rollbackReason
  return 'next task'
}

/** Plans a fix from earlier fixes, with a log entry and a mark in the reports. */
async function degraded(run: TestFixRun, fixTask: FixTaskAsk, reason: string): Promise<Analysis> {
  const state = run.ready
  const { prepared } = state
  run.enter('analysis', `host: planning IMPL-fix-${fixTask.iteration} without an analysis`)
  run.warn(`iteration ${fixTask.iteration} continued with a degraded analysis: ${reason}`)
  return hostStep(run, `degraded analysis, iteration ${fixTask.iteration}`, (host) =>
    host.degradedAnalysis({
      ...fixTask,
      run: run.id,
      workspace: prepared.workspace,
      recordDir: prepared.recordDir,
      configHash: prepared.configHash,
      reason,
      history: state.history,
      at: Date.now(),
    }),
  )
}

/**
 * Returns the stuck tests of the last full run: of the current code, or of the fix that was rolled
 * back.
 */
export function stuckTestsOf(state: TestFixState, last: TestRun): string[] {
  return state.stuckTests ?? (last.kind === 'measured' ? (last.comparison?.stuckTests ?? []) : [])
}

/** Ends an iteration without a fix, as no usable analysis says what to change. */
async function spendIteration(
  run: TestFixRun,
  task: TaskEntry,
  strategy: Strategy,
  reason: string,
  { startedAt, turnsBefore }: { startedAt: number; turnsBefore: number },
): Promise<Then> {
  const state = run.ready
  const n = state.iteration + 1
  run.warn(`iteration ${n} was spent without a fix: no agent gave a usable analysis: ${reason}`)
  state.lastStrategy = strategy
  const pending: PendingFix = {
    iteration: n,
    task: `IMPL-fix-${n}`,
    parent: task.id,
    strategy,
    quality: 'degraded',
    summary: '',
    points: 0,
    affectedFiles: [],
    startedAt,
    turnsBefore,
    notes: [],
    commit: null,
  }
  finish(
    run,
    pending,
    'no_change',
    state.lastRun as TestRun,
    [`no agent gave a usable analysis: ${reason}`],
    false,
  )
  run.queue = pruned(spend(run.queue, task.id))
  await record(run)
  return 'next iteration'
}

/** Has the test-fix-agent apply IMPL-fix-N; its work is committed before it is measured. */
export async function carryOutFix(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const { pending, lastRun } = state
  if (pending === undefined || lastRun === undefined)
    throw new Error(`${task.id} is in the queue without its iteration`)
  const n = pending.iteration
  const fix = await roleTurn(run, {
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
  })
  if (!fix.ok)
    return { outcome: 'blocked', reason: `${task.id} could not be carried out: ${fix.reason}` }
  const committed = await commitFix(run, n, fix.result.agent, pending)
  const claimed = claimedRate(fix.result.tail)
  const proposed = await takeProposals(run, fix.result, n)
  state.pending = {
    ...pending,
    commit: committed.commit,
    ...(committed.changedTests === undefined ? {} : { changedTests: committed.changedTests }),
    ...(claimed === undefined ? {} : { claimed }),
    notes: [
      ...pending.notes,
      ...turnNotes(fix, committed).filter((told) => told !== undefined),
      ...proposed,
    ],
  }
  run.queue = setStatus(run.queue, task.id, 'completed')
  return 'next task'
}

/** Runs the full suite, and keeps the fix or rolls it back. */
export async function retest(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const { pending, lastRun: before } = state
  if (pending === undefined || before === undefined)
    throw new Error(`${task.id} is in the queue without its iteration`)
  const n = pending.iteration
  const fix = pending.commit ?? null
  let end: End | undefined
  if (fix === null) {
    state.repeated = true
    finish(run, pending, 'no_change', before, ['the fix changed nothing'], false)
  } else {
    run.unmeasured = fix
    const after = await measureAndCompare(run, `iteration-${n}/retest`, pending.affectedFiles)
    run.unmeasured = undefined
    const verdict = judgeFix({
      before,
      after,
      bestSize: state.best?.size ?? 0,
      worse: state.worse ?? 0,
    })
    state.lastKept = verdict.keep
    if (verdict.keep) {
      if (pending.changedTests !== undefined)
        state.changedTestFiles = [
          ...new Set([...(state.changedTestFiles ?? []), ...pending.changedTests]),
        ].slice(0, CHANGED_KEPT)
      state.repeated =
        before.kind === 'measured' &&
        after.kind === 'measured' &&
        before.fingerprint === after.fingerprint
      state.lastRun = after
      state.worse = verdict.worse
      state.atBest = verdict.isBest
      if (verdict.isBest && after.kind === 'measured') setBest(state, bestOf(after, n))
      finish(
        run,
        pending,
        after.kind === 'measured' ? 'kept' : 'not_started',
        after,
        [
          leftOutNote(after),
          state.repeated ? SAME_FAILURES : undefined,
          after.kind === 'measured' ? undefined : firstSentence(after.reason),
          verdict.back
            ? `worse than iteration ${state.best?.iteration ?? 0} twice in a row: the next fix starts from there`
            : undefined,
        ],
        verdict.progress,
      )
      if (verdict.back) await backToBest(run, `iteration-${n}/back`)
      if (verdict.isBest) end = await confirmEarly(run)
    } else {
      const { reason } = verdict
      await rollBack(run, n, fix, reason)
      run.queue = setStatus(run.queue, pending.task, 'rolled_back')
      // Its failures were tried and failed again; whether they are the majority is decided by the
      // remaining ones.
      if (
        after.kind === 'measured' &&
        after.comparison !== undefined &&
        before.kind === 'measured'
      ) {
        state.stuckMajority = stuckMajority({
          stuck: after.comparison.stuck,
          failing: before.failuresTotal,
        })
        state.stuckTests = after.comparison.stuckTests
      }
      state.rollbackReason = `${pending.task} was rolled back: ${reason}`
      state.repeated = false
      finish(
        run,
        pending,
        'rolled_back',
        after,
        [leftOutNote(after), `rolled back: ${reason}`],
        false,
      )
    }
  }
  run.queue = pruned(spend(setStatus(run.queue, task.id, 'completed'), pending.parent))
  await record(run)
  return end ?? 'next iteration'
}

function finish(
  run: TestFixRun,
  pending: PendingFix,
  result: IterationSummary['result'],
  after: TestRun,
  notes: (string | undefined)[],
  progress: boolean,
): void {
  const state = run.ready
  state.progress = progress
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
    startedAt,
    completedAt: Date.now(),
    ...(comparison === undefined ? {} : { levels: comparison.levels, stuck: comparison.stuck }),
    claimed,
    note: text,
    refused: pending.refused,
  })
  state.iteration = iteration
  delete state.pending
}
