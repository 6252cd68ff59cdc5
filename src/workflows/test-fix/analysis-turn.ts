// The turn that plans a fix, and what a run keeps of it besides the plan.
import type { Strategy } from '../../contract/test-fix/task.js'
import type { PendingFix, TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { TestRun } from '../../contract/test-run.js'
import type { Diagnose, FixTaskAsk } from '../../contract/turn-input.js'
import type { TurnReading } from '../../contract/turn.js'
import { lastKeptFix } from '../../core/test-fix/queue.js'
import { firstChars } from '../../core/text/test-text.js'
import { sessionTurn } from './session-turn.js'
import type { TestFixRun } from './test-fix-run.js'

export type Analysis = Extract<TurnReading, { kind: 'analysis' }>

/** Maximum length of a fix summary that a run carries. */
const SUMMARY_CHARS = 120

/** The parts of a fix task that the run knows. */
export function fixTaskOf(
  { ready: state }: TestFixRun,
  iteration: number,
  parent: string,
  { strategy, several }: { strategy: Strategy; several: boolean },
  lastRun: TestRun,
): FixTaskAsk {
  const kept = lastKeptFix(state.history)
  return {
    iteration,
    parent,
    dependsOn: kept === undefined ? [] : [kept],
    maxIterations: state.maxIterations,
    strategy,
    ...(several ? { several } : {}),
    lastRun,
    claims: state.claims,
    rollbackReason: state.rollbackReason,
  }
}

/** `newSession`: the strategy that may ask for one; without it the session continues if it can. */
type AnalysisTurn = {
  step: string
  ask: Pick<Diagnose, 'strategy' | 'because' | 'change'>
  read: { earlierCauses: string[]; at: number }
  fixTask: FixTaskAsk
  newSession: Strategy | undefined
}

/** Asks the cli-planning-agent for the plan of a fix. */
export function analysisTurn(
  run: TestFixRun,
  { step, ask, read, fixTask, newSession }: AnalysisTurn,
): ReturnType<typeof sessionTurn> {
  const state = run.ready
  const { lastRun, several } = fixTask
  return sessionTurn(
    run,
    {
      role: 'cli-planning-agent',
      step,
      phase: 'analysis',
      limitMs: state.prepared.limits.analysisMs,
      judgedByTree: false,
      ask: (simplified) => ({
        about: 'diagnose',
        lastRun,
        analysisType: state.rollbackReason === undefined ? 'test-failure' : 'regression-analysis',
        ...ask,
        ...(several === true ? { several } : {}),
        simplified,
        stuckTests: stuckTestsOf(state, lastRun),
        rollbackReason: state.rollbackReason,
        contextSize: state.session?.facts?.size,
      }),
      read: { as: 'analysis', ...read, ...fixTask },
    },
    { strategy: newSession ?? 'conservative', lastRun },
  )
}

/** What a run carries of the plan that an analysis made. */
export function planOf(
  analysis: Analysis,
): Pick<
  PendingFix,
  'task' | 'quality' | 'summary' | 'points' | 'affectedFiles' | 'files' | 'causes'
> {
  const { task, quality, summary, points, affectedFiles, files, causes } = analysis
  return {
    task,
    quality,
    summary: firstChars(summary, SUMMARY_CHARS),
    points,
    affectedFiles,
    ...(files === undefined ? {} : { files }),
    ...(causes === undefined ? {} : { causes }),
  }
}

/** Keeps what an analysis says of the criticality of failures. */
export function keepLevels(state: TestFixState, { claims, levels }: Analysis, last: TestRun): void {
  if (claims !== undefined) state.claims = claims
  if (levels !== undefined && last.kind === 'measured' && last.comparison !== undefined)
    last.comparison.levels = levels
}

/**
 * Returns the stuck tests of the last full run: of the current code, or of the fix that was rolled
 * back.
 */
export function stuckTestsOf(state: TestFixState, last: TestRun): string[] {
  return state.stuckTests ?? (last.kind === 'measured' ? (last.comparison?.stuckTests ?? []) : [])
}
