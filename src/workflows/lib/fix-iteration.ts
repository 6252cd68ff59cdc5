// Iteration N of 004: failure analysis, IMPL-fix-N, retest. What is done of it stands in `state.pending`,
// so that a resumed session goes on at the same point.
import type { IterationSummary } from '../../contract/result.js'
import type { PendingFix, TestFixState } from '../../contract/state.js'
import type { FixTaskAsk } from '../../contract/step.js'
import type { TaskEntry } from '../../contract/task.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnReading } from '../../contract/turn.js'
import { claimedRate } from '../../core/claim.js'
import { acceptDegraded } from '../../core/degraded.js'
import { insertFix, lastKeptFix, pruned, setStatus, spend } from '../../core/queue.js'
import { isRegression } from '../../core/regression.js'
import { chooseStrategy } from '../../core/strategy.js'
import { stuckMajority } from '../../core/stuck.js'
import { SAME_FAILURES, claimNote, counts, firstSentence, note, rateOf, regressionReason, turnNotes } from '../../core/test-fix-view.js'
import type { Then } from '../test-fix-cycle.js'
import { files } from './activity-options.js'
import { commitFix, measureAndCompare, record, rollBack } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { roleTurn } from './role-turn.js'

type Analysis = Extract<TurnReading, { kind: 'analysis' }>

/** Root causes that are compared with a new analysis, the newest. */
const CAUSES_KEPT = 10

/** Longest summary of a fix that travels with the run. */
const SUMMARY_CHARS = 120

/** 004 "Phase 4": an analysis by the cli-planning-agent becomes a fix in front of the queue. */
export async function analyse(run: TestFixRun, task: TaskEntry, last: TestRun): Promise<Then> {
  const state = run.ready
  const n = state.iteration + 1
  const startedAt = Date.now()
  const turnsBefore = state.usage.turns
  const choice = chooseStrategy({
    iteration: n, passRate: rateOf(last), similarity: last.kind === 'measured' ? last.comparison?.similarity : undefined,
    regressed: state.rollbackReason !== undefined, stuckMajority: state.stuckMajority === true, repeated: state.repeated === true, last: state.lastStrategy,
  })
  const kept = lastKeptFix(state.history)
  const fixTask: FixTaskAsk = {
    iteration: n, parent: task.id, dependsOn: kept === undefined ? [] : [kept], maxIterations: state.maxIterations, strategy: choice.strategy, lastRun: last,
    ...(state.claims === undefined ? {} : { claims: state.claims }), ...(state.rollbackReason === undefined ? {} : { rollbackReason: state.rollbackReason }),
  }
  const analysed = await roleTurn(run, {
    role: 'cli-planning-agent', step: `iteration-${n}/analysis`, phase: 'analysis', limitMs: state.prepared.limits.analysisMs, judgedByTree: false,
    ask: (simplified) => ({
      about: 'diagnose', lastRun: last, analysisType: state.rollbackReason === undefined ? 'test-failure' : 'regression-analysis', ...choice, simplified,
      stuckTests: stuckTestsOf(state, last),
      ...(state.rollbackReason === undefined ? {} : { rollbackReason: state.rollbackReason }),
    }),
    read: { as: 'analysis', earlierCauses: state.causes ?? [], at: startedAt, ...fixTask },
  })
  const notes: string[] = []
  let analysis = analysed.ok && analysed.result.read?.kind === 'analysis' ? analysed.result.read : undefined
  if (analysed.ok && analysed.note !== undefined) notes.push(analysed.note)
  if (analysis === undefined) {
    const reason = analysed.ok ? 'no analysis was read' : analysed.reason
    if (!acceptDegraded({ iteration: n, improved: improved(state) })) return { outcome: 'blocked', reason: `the failures could not be analysed for iteration ${n}: ${reason}` }
    analysis = await degraded(run, fixTask, reason)
    notes.push(`degraded analysis: ${reason}`)
  } else if (analysis.weak !== undefined && state.prepared.agents['cli-planning-agent'].length > 1) notes.push(`${analysis.weak}, and no other agent gave a better analysis`)

  const pending: PendingFix = {
    iteration: n, task: analysis.task, parent: task.id, strategy: choice.strategy, quality: analysis.quality, summary: analysis.summary.slice(0, SUMMARY_CHARS), points: analysis.points,
    affectedFiles: analysis.affectedFiles, startedAt, turnsBefore, notes,
  }
  state.pending = pending
  state.lastStrategy = choice.strategy
  if (state.stuckMajority === true && choice.strategy === 'reflective') state.stuckSwitch = n
  state.causes = [...(state.causes ?? []), analysis.cause].slice(-CAUSES_KEPT)
  if (analysis.claims !== undefined) state.claims = analysis.claims
  if (analysis.levels !== undefined && last.kind === 'measured' && last.comparison !== undefined) last.comparison.levels = analysis.levels
  run.queue = insertFix(run.queue, { iteration: n, parent: task.id, title: analysis.summary.slice(0, SUMMARY_CHARS), file: analysis.file, dependsOn: fixTask.dependsOn, maxIterations: state.maxIterations })
  delete state.rollbackReason
  return 'next task'
}

/** 004 "Degraded Analysis Handling": a plan from earlier fixes, logged, shown in the reports. */
async function degraded(run: TestFixRun, fixTask: FixTaskAsk, reason: string): Promise<Analysis> {
  const state = run.ready
  const { prepared } = state
  run.enter('analysis', `host: planning IMPL-fix-${fixTask.iteration} without an analysis`)
  run.warn(`iteration ${fixTask.iteration} went on with a degraded analysis: ${reason}`)
  return files(state.facts.queue, `degraded analysis, iteration ${fixTask.iteration}`).degradedAnalysis({
    ...fixTask, run: run.id, workspace: prepared.workspace, recordDir: prepared.recordDir, configHash: prepared.configHash, reason, history: state.history, at: Date.now(),
  })
}

/** Stuck tests of the last full run: the one of the code as it is, or of the fix that was rolled back. */
export function stuckTestsOf(state: TestFixState, last: TestRun): string[] {
  return state.stuckTests ?? (last.kind === 'measured' ? (last.comparison?.stuckTests ?? []) : [])
}

/** Whether the last iteration raised the pass rate. */
function improved({ history }: TestFixState): boolean {
  const [before, last] = history.slice(-2)
  return last?.result === 'kept' && before !== undefined && (last.passRate ?? 0) > (before.passRate ?? 0)
}

/** 004 "Fix Execution": the test-fix-agent applies IMPL-fix-N; what it did is committed before it is measured. */
export async function carryOutFix(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const { pending, lastRun } = state
  if (pending === undefined || lastRun === undefined) throw new Error(`${task.id} is in the queue without its iteration`)
  const n = pending.iteration
  const fix = await roleTurn(run, {
    role: 'test-fix-agent', task: task.id, step: `iteration-${n}/fix`, phase: 'fix', limitMs: state.prepared.limits.agentTurnMs, judgedByTree: true,
    ask: (simplified) => ({ about: 'fix-task', lastRun, task: task.id, file: task.file ?? `${task.id}.json`, pending, simplified }),
  })
  if (!fix.ok) return { outcome: 'blocked', reason: `${task.id} could not be carried out: ${fix.reason}` }
  const committed = await commitFix(run, n, fix.result.agent, pending)
  const claimed = claimedRate(fix.result.tail)
  state.pending = {
    ...pending, commit: committed.commit, ...(claimed === undefined ? {} : { claimed }),
    notes: [...pending.notes, ...turnNotes(fix, committed).filter((told) => told !== undefined)],
  }
  run.queue = setStatus(run.queue, task.id, 'completed')
  return 'next task'
}

/** 004 "Re-test": the full run decides whether the fix is kept or rolled back. */
export async function retest(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const { pending, lastRun: before } = state
  if (pending === undefined || before === undefined) throw new Error(`${task.id} is in the queue without its iteration`)
  const n = pending.iteration
  const fix = pending.commit ?? null
  if (fix === null) {
    state.repeated = true
    delete state.stuckSwitch // without a full run nobody knows whether the tests are still stuck
    finish(run, pending, 'no_change', before, ['the fix changed nothing'])
  } else {
    run.unmeasured = fix
    const after = await measureAndCompare(run, `iteration-${n}/retest`, pending.affectedFiles)
    run.unmeasured = undefined
    if (isRegression(before, after) && before.kind === 'measured') {
      const reason = regressionReason(before, after)
      await rollBack(run, n, fix, reason)
      run.queue = setStatus(run.queue, pending.task, 'rolled_back')
      // What failed in it was tried and failed; whether that is most of the failures is told by those that are left.
      if (after.kind === 'measured' && after.comparison !== undefined) {
        state.stuckMajority = stuckMajority({ stuck: after.comparison.stuck, failing: before.failuresTotal })
        state.stuckTests = after.comparison.stuckTests
      }
      state.rollbackReason = `${pending.task} was rolled back: ${reason}`
      state.repeated = false
      finish(run, pending, 'rolled_back', after, [`rolled back: ${reason}`])
    } else {
      state.repeated = before.kind === 'measured' && after.kind === 'measured' && before.fingerprint === after.fingerprint
      state.lastRun = after
      finish(run, pending, after.kind === 'measured' ? 'kept' : 'not_started', after, [
        state.repeated ? SAME_FAILURES : undefined, after.kind === 'measured' ? undefined : firstSentence(after.reason),
      ])
    }
  }
  run.queue = pruned(spend(setStatus(run.queue, task.id, 'completed'), pending.parent))
  await record(run)
  return 'next iteration'
}

function finish(run: TestFixRun, pending: PendingFix, result: IterationSummary['result'], after: TestRun, notes: (string | undefined)[]): void {
  const state = run.ready
  const { iteration, task, parent, strategy, quality, claimed, startedAt, turnsBefore } = pending
  const text = note([...pending.notes, claimNote(claimed, after), ...notes])
  const comparison = after.kind === 'measured' ? after.comparison : undefined
  state.history.push({
    iteration, passRate: rateOf(after), ...counts(after), result, commit: pending.commit ?? null, turns: state.usage.turns - turnsBefore,
    task, parent, strategy, analysis: quality, startedAt, completedAt: Date.now(),
    ...(comparison === undefined ? {} : { levels: comparison.levels, stuck: comparison.stuck }),
    ...(claimed === undefined ? {} : { claimed }), ...(text === undefined ? {} : { note: text }),
  })
  state.iteration = iteration
  delete state.pending
}
