// Turns the failures of a full run into a planned fix: IMPL-fix-N and its retest, at the front of
// the queue.
import type { TestFixRun } from './test-fix-run.js'
import type { TaskEntry, Strategy } from '../../contract/test-fix/task.js'
import type { TestRun } from '../../contract/test-run.js'
import type { Then } from './test-fix-end.js'
import { takesSeveral } from '../../core/test-fix/causes/choose-causes.js'
import { chooseStrategy } from '../../core/test-fix/strategy.js'
import { rateOf } from '../../core/test-results/pass-rate.js'
import { insertFix } from '../../core/test-fix/queue.js'
import type { FixTaskAsk } from '../../contract/turn-input.js'
import { degradedVerdict } from '../../core/test-fix/degraded.js'
import { takeProposals, onTestChanges } from './test-changes.js'
import type { PendingFix } from '../../contract/test-fix/test-fix-state.js'
import { hostStep } from '../run/host-step.js'
import { finish } from './fix-iteration.js'
import { analysisTurn, fixTaskOf, keepLevels, planOf, type Analysis } from './analysis-turn.js'
import { leaveSession } from './session-turn.js'
import { record } from './test-fix-steps.js'

/** Number of root causes that are compared with a new analysis, the newest. */
const CAUSES_KEPT = 10

/** Puts the fix that another tool planned at the front of the queue, if there is one. */
export function takePlanned(run: TestFixRun, task: TaskEntry): Then | undefined {
  const state = run.ready
  if (state.pending?.planned !== true) return undefined
  const { planned: _planned, ...fix } = state.pending
  state.pending = {
    ...fix,
    parent: task.id,
    startedAt: Date.now(),
    turnsBefore: state.usage.turns,
    notes: [...fix.notes, 'planned by another tool'],
  }
  state.lastStrategy = fix.strategy
  run.queue = insertFix(run.queue, {
    iteration: fix.iteration,
    parent: task.id,
    title: fix.summary,
    file: `${fix.task}.json`,
    dependsOn: [],
    maxIterations: state.maxIterations,
  })
  return 'next task'
}

/** Drops the planned fix of another tool if the tests pass without it. */
export function dropPlanned(run: TestFixRun): void {
  const state = run.ready
  if (state.pending?.planned !== true) return
  run.warn(`${state.pending.task} was not carried out: the tests pass without it`)
  delete state.pending
}

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
  const several = takesSeveral({
    strategy: choice.strategy,
    progress: state.progress === true,
    brokeNothing: state.brokeNothing === true,
    last,
  })
  const fixTask = fixTaskOf(run, n, task.id, { strategy: choice.strategy, several }, last)
  const { end: analysed, used } = await analysisTurn(run, {
    step: `iteration-${n}/analysis`,
    ask: choice,
    read: { earlierCauses: state.causes ?? [], at: startedAt },
    fixTask,
    newSession: choice.strategy,
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
      return spendIteration(run, task, choice.strategy, reason, {
        startedAt,
        turnsBefore,
        sessions: { analysis: used },
      })
    leaveSession(state, 'degraded')
    analysis = await degraded(run, fixTask, reason)
    notes.push(`degraded analysis: ${reason}`)
  } else if (analysis.weak !== undefined && state.prepared.agents['cli-planning-agent'].length > 1)
    notes.push(`${analysis.weak}, and no other agent gave a better analysis`)
  if (analysis.weak !== undefined) leaveSession(state, 'weak')

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
    ...planOf(analysis),
    iteration: n,
    parent: task.id,
    strategy: choice.strategy,
    startedAt,
    turnsBefore,
    notes,
    refused,
    sessions: { analysis: used },
  }
  state.pending = pending
  state.lastStrategy = choice.strategy
  state.causes = [...(state.causes ?? []), analysis.cause].slice(-CAUSES_KEPT)
  keepLevels(state, analysis, last)
  run.queue = insertFix(run.queue, {
    iteration: n,
    parent: task.id,
    title: pending.summary,
    file: analysis.file,
    dependsOn: fixTask.dependsOn,
    maxIterations: state.maxIterations,
  })
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

/** Ends an iteration without a fix, as no usable analysis says what to change. */
async function spendIteration(
  run: TestFixRun,
  task: TaskEntry,
  strategy: Strategy,
  reason: string,
  begun: Pick<PendingFix, 'startedAt' | 'turnsBefore' | 'sessions'>,
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
    ...begun,
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
  await record(run)
  return 'next iteration'
}
