// One turn of one agent to its end, always under the same key: held by pauses, parked by an empty
// budget, waiting for an agent that its provider does not serve. After an activity failure, which
// means a dead worker, the turn is settled before its workspace is used again.
import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow'
import type { HandOver, Spending } from '../../contract/budget.js'
import type { Role } from '../../contract/config.js'
import { BAD_INPUT } from '../../contract/failures.js'
import type { RunOutage } from '../../contract/outage.js'
import type { RunUsage } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { AgentTurnInput, TurnAsk, TurnRead } from '../../contract/step.js'
import type { TurnKind, TurnResult } from '../../contract/turn.js'
import type { Workspace } from '../../contract/workspace.js'
import { sentTurn } from '../../core/agents/sent-turn.js'
import { turnSummary } from '../../core/run/step-summary.js'
import { addUsage } from '../../core/test-fix/test-fix-view.js'
import { long } from './activity-options.js'
import type { Control } from './control.js'
import type { RunBudget } from './run-budget.js'
import { isNotServed, noteOutage, untilServed } from './rate-limit.js'
import { hostStep } from './host-step.js'

/** The run that a turn belongs to. */
export type TurnRun = {
  readonly id: string
  readonly runId: string
  readonly control: Control
  readonly budget: RunBudget
  readonly ready: {
    facts: ServerFacts
    prepared: {
      workspace: Workspace
      testCommand: string
      configHash: string
      /** Agents by role, first choice first. */
      agents: { [R in Role]?: string[] | undefined }
      limits: { convergeMs: number; idleMs: number }
      spending?: Spending | undefined
      /** Offset like `+08:00`, where the kind has it here. */
      timezone?: string
    }
    head: string
    usage: RunUsage
    outages?: Record<string, RunOutage> | undefined
    maxIterations: number
  }
  /** What a turn is told of the run. */
  turnFacts: () => Pick<AgentTurnInput, 'kind' | 'iteration' | 'history' | 'recordDir'>
  /** Whether a task file that only a person can mend ends the run, instead of failing the turn. */
  readonly refusesTasks: boolean
  enter: (phase: string, waitingFor: string) => void
  /** The turn of this key has ended: nobody is left who would use an answer to what it asked. */
  turnEnded: (summary: string, key: string) => void
}

export type RoleTurn = {
  role: Role
  /** Unique within the run: part of the turn key. */
  step: string
  task?: string
  /** What the turn is about; `simplified` for the last retry. */
  ask: (simplified: boolean) => TurnAsk
  /** What to read in its answer. */
  read?: TurnRead
  /** `work` where it is not said. */
  kind?: TurnKind
  /** Phase shown while it runs. */
  phase?: string
  limitMs: number
  /** True where work in the tree counts although the agent did not finish in time. */
  judgedByTree: boolean
  /** Session to go on with, and its agent. */
  session?: { agent: string; sessionId: string }
  /** What to ask when time is up, where it is not the usual. */
  converge?: TurnAsk
  /**
   * Called before a further prompt in its session is bought: to converge, or for the answer once
   * more.
   */
  onFurther?: (kind: 'converge' | 'retry', why: string) => void
  /** Group of turns that work in the workspace at the same time. */
  beside?: string
  /** Time to converge, where it is not the run's. */
  convergeMs?: number
  /** Where it works, where that is not the run's own workspace at its head. */
  place?: { workspace: Workspace; head: string }
}

type OneTurn = {
  agent: string
  step: string
  kind: TurnKind
  ask: TurnAsk
  sessionId?: string
  limitMs: number
  /** False: a rate limit or an outage is returned. */
  waits?: boolean
  /** What it did before that. */
  begun?: TurnResult
  handOver?: HandOver
}

/**
 * Runs a turn until it has an outcome that the run goes on with. One whose agent stayed away for
 * too long has no `limitedUntil`.
 */
export async function runTurn(run: TurnRun, turn: RoleTurn, one: OneTurn): Promise<TurnResult> {
  const state = run.ready
  const input = inputOf(run, turn, one)
  const phase = turn.phase ?? (turn.role === 'cli-planning-agent' ? 'analysis' : 'fix')
  const summary = `${turn.role} (${one.agent}), iteration ${input.iteration}${one.kind === 'work' ? '' : `, ${one.kind}`}`
  let budget: ReturnType<typeof run.budget.forTurn> = {}
  const attempt = async (): Promise<TurnResult> => {
    run.enter(
      phase,
      `agent: ${summary}${one.handOver === undefined ? '' : `, takes over from ${one.handOver.from}, ${one.handOver.away === true ? 'whose provider is away' : 'which its provider limits'}`}`,
    )
    budget = run.budget.forTurn()
    try {
      return await long(
        state.facts.queue,
        one.limitMs,
        turnSummary({
          role: turn.role,
          agent: one.agent,
          iteration: input.iteration,
          kind: one.kind,
          task: turn.task,
        }),
      ).agentTurn(
        sentTurn({
          ...input,
          ...budget,
          ...(insists ? { insists } : {}),
          configHash: run.ready.prepared.configHash,
        }),
      )
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isRefusedTask(run, error)) throw error
      return settled(run, input, error)
    } finally {
      run.turnEnded(summary, input.key)
    }
  }
  let partial = one.begun
  let insists = false
  const isStopped = (result: TurnResult): boolean => {
    if (result.outcome === 'stopped') partial = result
    return result.outcome === 'stopped'
  }
  try {
    for (;;) {
      const result = await run.budget.spend(() => run.control.step(attempt, isStopped))
      if (result.outcome === 'over_budget' && result.over !== undefined) {
        partial = result
        await run.budget.more(result.over, result, budget.budget?.limit)
        continue
      }
      noteOutage(run, one.agent, result)
      if (isNotServed(result)) {
        if (one.waits === false) return result
        partial = result
        const { over, last = false } = await untilServed(run, phase, one.agent, result)
        insists = last
        if (over === undefined) continue
        if (result.attempts > 0) state.usage = addUsage(state.usage, result)
        const { limitedUntil: _, ...given } = result
        return { ...given, reason: over }
      }
      state.usage = addUsage(state.usage, result)
      run.budget.look(one.agent, result)
      return result
    }
  } catch (error) {
    // Stopped for good: what it cost counts
    if (partial !== undefined) state.usage = addUsage(state.usage, partial)
    throw error
  }
}

function inputOf(
  run: TurnRun,
  turn: RoleTurn,
  { agent, step, kind, ask, sessionId, limitMs, handOver }: OneTurn,
): Omit<AgentTurnInput, 'configHash'> {
  const state = run.ready
  const { prepared } = state
  return {
    run: run.id,
    // The run id is the reset epoch: a reset run begins anew behind its reset point, and only
    // there.
    key: `${run.id}/${run.runId}/${step}`,
    role: turn.role,
    task: turn.task,
    ...run.turnFacts(),
    maxIterations: state.maxIterations,
    turn: kind,
    agent,
    workspace: turn.place?.workspace ?? prepared.workspace,
    testCommand: prepared.testCommand,
    expectHead: turn.place?.head ?? state.head,
    ask,
    beside: turn.beside,
    read: turn.read,
    sessionId,
    handOver,
    limitMs,
    idleMs: prepared.limits.idleMs,
    followUp:
      kind === 'work' ||
      kind === 'assess' ||
      kind === 'clarify' ||
      (turn.beside !== undefined && kind !== 'retry'),
  }
}

/**
 * A task file that only a person can mend: no agent was started, and another one would not be
 * either.
 */
function isRefusedTask(run: TurnRun, { cause }: ActivityFailure): boolean {
  return (
    run.refusesTasks &&
    cause instanceof ApplicationFailure &&
    (cause.type === 'PreAnalysisFailed' || cause.type === BAD_INPUT)
  )
}

/** After a dead worker: nobody has cleaned up, and an agent may still write. */
async function settled(
  run: TurnRun,
  input: Omit<AgentTurnInput, 'configHash'>,
  error: ActivityFailure,
): Promise<TurnResult> {
  const state = run.ready
  return CancellationScope.nonCancellable(async () =>
    hostStep(run, `keep what ${input.role} did before its worker was lost`, (host) =>
      host.settleTurn({
        key: input.key,
        workspace: input.workspace,
        agent: input.agent,
        reason: error.cause?.message ?? error.message,
        beside: input.beside,
        // It may have finished, only its answer was lost.
        ...(input.read === undefined
          ? {}
          : { turn: sentTurn({ ...input, configHash: state.prepared.configHash }) }),
      }),
    ),
  )
}
