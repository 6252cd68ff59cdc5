// The turns of a dev cycle's agents, and what the cycle keeps of them.
import {
  CYCLE_ROLES,
  type CycleState,
  type PhaseResult,
} from '../../contract/dev-cycle/cycle-state.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import type { TurnAsk } from '../../contract/turn-input.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnKind } from '../../contract/turn.js'
import { finished, phaseAtWork, started } from '../../core/dev-cycle/cycle-agents.js'
import { carriedError } from '../../core/dev-cycle/cycle-carried.js'
import { decisionText } from '../../core/dev-cycle/decisions.js'
import { withFeedback } from '../../core/dev-cycle/feedback.js'
import { focusDirective } from '../../core/dev-cycle/documents/focus.js'
import { toldTo, untoldTo } from '../../core/dev-cycle/documents/person-edits.js'
import { planned } from '../../core/dev-cycle/promised.js'
import { description, extensionOf } from '../../core/dev-cycle/plan-tasks.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { oneLine } from '../../core/text/one-line.js'
import { deniedNote } from '../../core/run/turn-notes.js'
import type { CycleRun } from './cycle-run.js'
import { keepEdits } from '../run/person-edits.js'
import { all } from '../run/all.js'
import { roleTurn, type RoleTurnEnd } from '../run/role-turn.js'
import { describeRun } from '../../core/run/describe-run.js'
import {
  ITEM_CHARS,
  ITEMS_KEPT,
  type PhaseReading,
} from '../../contract/dev-cycle/phase-reading.js'
import type { CycleBrief, CycleValidation } from '../../contract/dev-cycle/cycle-step.js'

/** Number of phase errors that a run carries; all of them are in the record. */
const ERRORS_KEPT = 20
/** Length of an extension in a prompt; the description has all of it. */
const EXTENSION_NAMED = 500

/** VAS validates the commit that was measured. */
export async function validateTurn(run: CycleRun, validation: CycleValidation): Promise<void> {
  const step = validation.again ? 'validate-again' : 'validate'
  await phaseTurn(run, 'vas', {
    kind: 'validate',
    step,
    ask: () => ({ about: 'cycle-validate', brief: brief(run.ready, 'vas'), validation }),
  })
}

/** Sends feedback to several agents at the same time; returns those that answered. */
export async function feedbackTurns(
  run: CycleRun,
  feedback: { phase: Phase; text: string }[],
): Promise<Phase[]> {
  const answered: Phase[] = []
  await all(
    feedback.map(({ phase, text }) => async () => {
      const result = await phaseTurn(run, phase, {
        kind: 'feedback',
        step: 'feedback',
        limitMs: run.ready.prepared.limits.feedbackTurnMs,
        ask: () => ({
          about: 'cycle-feedback',
          brief: brief(run.ready, phase),
          feedback: text,
          ...repairs(run, phase),
        }),
      })
      if (result.synthetic !== true) answered.push(phase)
    }),
  )
  return answered
}

/** The agent that repairs failing tests gets them by name and error. */
export function repairs({ ready: { lastRun } }: CycleRun, phase: Phase): { measured?: TestRun } {
  return phase === 'cd' && lastRun !== undefined ? { measured: lastRun } : {}
}

type PhaseTurn = {
  kind: TurnKind
  step: string
  ask: (simplified: boolean) => TurnAsk
  limitMs?: number
}

export async function phaseTurn(
  run: CycleRun,
  phase: Phase,
  { kind, step, ask, limitMs }: PhaseTurn,
): Promise<PhaseResult> {
  const state = run.ready
  const { iteration } = state
  const before = state.results[phase]
  const edited = untoldTo(state.edits, phase).map(({ id }) => id)
  state.agents = started(state.agents, phase, run.now())
  state.currentPhase = phaseAtWork(state.agents, phase)
  const end = await roleTurn(run, {
    role: CYCLE_ROLES[phase],
    step: `iteration-${iteration}/${phase}/${step}`,
    kind,
    phase: kind === 'work' ? 'developing' : kind === 'feedback' ? 'feedback' : 'validating',
    ask,
    converge: { about: 'cycle-converge', brief: brief(state, phase) },
    group: `${run.id}/${run.runId}/iteration-${iteration}`,
    onFurther: (further, why) => logFurther(run, phase, further, why),
    limitMs: limitMs ?? state.prepared.limits.agentTurnMs,
    judgedByTree: true,
    read: {
      as: 'phase',
      phase,
      name: state.prepared.name,
      iteration,
      version: cycleVersion(iteration),
      at: Date.now(),
      ...(state.edits === undefined ? {} : { seen: state.edits.seen }),
      ...(phase === 'cd'
        ? {
            done: (state.promised ?? [])
              .flatMap(({ id, state: how }) => (how === 'open' ? [] : [id]))
              .concat((state.edits?.removed ?? []).map(({ id }) => id)),
          }
        : {}),
    },
    ...(before?.agent != null && before.sessionId !== undefined
      ? { session: { agent: before.agent, sessionId: before.sessionId } }
      : {}),
  })
  const denied = end.ok ? deniedNote(end.result) : undefined
  if (denied !== undefined) run.warn(`${phase.toUpperCase()}: ${denied}`)
  const result = resultOf(phase, end)
  state.results = { ...state.results, [phase]: kept(before, result, kind) }
  keepTasks(state, phase, end)
  if (phase === 'cd') run.known = state.promised ?? []
  if (state.edits !== undefined && result.synthetic !== true)
    state.edits = toldTo(state.edits, phase, edited, PHASES)
  keepEdits(run, end.ok && end.result.read?.kind === 'phase' ? end.result.read.edits : undefined)
  state.agents = finished(state.agents, phase, result, run.now())
  state.currentPhase = phaseAtWork(state.agents, 'aggregation')
  const isUnusable = result.synthetic === true || result.status === 'unknown'
  if (isUnusable) noteError(state, phase, result.note ?? 'no usable PHASE_RESULT')
  // A turn that timed out but answered is logged as well.
  else if (end.ok && end.note !== undefined) noteError(state, phase, end.note)
  if (!isUnusable && !state.completedPhases.includes(phase))
    state.completedPhases = [...state.completedPhases, phase]
  return result
}

/** Keeps the tasks of EP's plan, for which the results have no room. */
function keepTasks(state: CycleState, phase: Phase, end: RoleTurnEnd): void {
  const read = end.ok && end.result.read?.kind === 'phase' ? end.result.read : undefined
  if (phase !== 'ep' || read?.plan?.named === undefined) return
  state.promised = planned(state.promised ?? [], read.plan.named, state.edits?.removed)
  const untracked = read.plan.tasks - read.plan.named.length
  if (untracked > 0) state.untracked = untracked
  else delete state.untracked
}

/** An unfinished turn counts as failed, but what it wrote stays. */
function resultOf(phase: Phase, end: RoleTurnEnd): PhaseResult {
  if (!end.ok || end.result.read?.kind !== 'phase') {
    return {
      phase,
      status: 'failed',
      summary: '',
      issues: [],
      blockers: [],
      planIssues: [],
      files: [],
      missing: [],
      invalid: [],
      foreign: [],
      decisions: [],
      agent: null,
      synthetic: true,
      note: end.ok ? 'its answer could not be read' : carriedError(end.reason),
    }
  }
  const {
    kind: _,
    problem: __,
    form: ___,
    edits: ____,
    plan,
    ...read
  }: PhaseReading = end.result.read
  const { agent, sessionId, outcome } = end.result
  return {
    ...read,
    ...(plan === undefined ? {} : { plan: { tasks: plan.tasks, criticalPath: plan.criticalPath } }),
    agent,
    sessionId,
    ...(end.note === undefined ? {} : { note: carriedError(end.note) }),
    ...(outcome === 'completed' ? {} : { status: 'failed' as const, synthetic: true }),
  }
}

// A failed feedback turn does not discard the agent's earlier result; its edits stay recorded.
function kept(before: PhaseResult | undefined, result: PhaseResult, kind: TurnKind): PhaseResult {
  if (before === undefined) return result
  if (result.synthetic === true && kind === 'feedback')
    return { ...before, note: result.note ?? before.note ?? 'the feedback was not answered' }
  return {
    ...result,
    foreign: [...new Set([...before.foreign, ...result.foreign])].slice(0, 2 * ITEMS_KEPT),
    ...(result.decisions.length > 0 ? {} : { decisions: before.decisions }),
  }
}

/** The feedback log shows Ratchet's own prompts like those of agents. */
function logFurther(run: CycleRun, phase: Phase, kind: 'converge' | 'retry', why: string): void {
  const content = oneLine(
    `${kind === 'converge' ? 'asked to converge' : 'asked for its answer once more'}: ${why}`,
    ITEM_CHARS,
  )
  run.ready.feedbackLog = withFeedback(run.ready.feedbackLog, [
    { timestamp: run.now(), source: 'ratchet', target: phase, content, type: 'clarification' },
  ])
}

function noteError(state: CycleState, phase: Phase, error: string): void {
  state.phaseErrors = [
    ...state.phaseErrors,
    { phase, error: carriedError(error), at: Date.now() },
  ].slice(-ERRORS_KEPT)
}

export function brief(state: CycleState, phase: Phase): CycleBrief {
  const { iteration, maxIterations, tasks, prep, openIssues, lastRun, unmeasured, changedFiles } =
    state
  const extension = extensionOf(tasks, iteration)?.slice(0, EXTENSION_NAMED)
  const edits = untoldTo(state.edits, phase)
  const measured = lastRun === undefined ? unmeasured : describeRun(lastRun)
  return {
    cycleId: state.prepared.name,
    phase,
    iteration,
    maxIterations,
    description: description(tasks),
    extension,
    version: cycleVersion(iteration),
    focus: focusDirective(phase, state),
    sourceRefs: prep?.source_refs ?? [],
    openIssues,
    decisions: state.decisions.filter(({ status }) => status === 'made').map(decisionText),
    ...(edits.length === 0 ? {} : { edits }),
    measured,
    changedFiles,
  }
}
