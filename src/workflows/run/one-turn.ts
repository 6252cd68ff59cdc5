// Runs one turn of one agent to its end, always under the same key: through pauses, an exhausted
// budget, rate limits and outages. After an activity failure, which means a dead worker, the turn
// is settled before its workspace is used again.
import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow'
import type { BudgetPart, HandOver, Spending } from '../../contract/budget.js'
import type { Role } from '../../contract/config/agent-config.js'
import { BAD_INPUT } from '../../contract/failures.js'
import type { RunOutage } from '../../contract/outage.js'
import type { RunUsage } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { SessionKnowledge } from '../../contract/test-fix/agent-session.js'
import type { AgentTurnInput, TurnAsk, TurnRead } from '../../contract/turn-input.js'
import type { TurnKind, TurnResult } from '../../contract/turn.js'
import type { Workspace } from '../../contract/workspace.js'
import { sentTurn } from '../../core/agents/sent-turn.js'
import { turnSummary } from '../../core/run/step-summary.js'
import { addPrompted } from '../../core/run/run-usage.js'
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
  /** What the run passes to a turn. */
  turnFacts: () => Pick<AgentTurnInput, 'kind' | 'iteration' | 'history' | 'recordDir'>
  /**
   * Whether a task file that only a person can correct ends the run, instead of failing the turn.
   */
  readonly refusesTasks: boolean
  enter: (phase: string, waitingFor: string) => void
  /** Called when the turn of this key has ended, so its questions need no answer any more. */
  turnEnded: (summary: string, key: string) => void
}

/** `knows`: the turn is a new task in the session. */
export type TurnSession = { agent: string; sessionId: string; knows?: SessionKnowledge }

export type RoleTurn = {
  role: Role
  /** Unique within the run: part of the turn key. */
  step: string
  task?: string
  /** The task of the turn; `simplified` for the last retry. */
  ask: (simplified: boolean) => TurnAsk
  /** What to read in its answer. */
  read?: TurnRead
  /** `work` by default. */
  kind?: TurnKind
  /** Phase shown while it runs. */
  phase?: string
  limitMs: number
  /** True if the work in the tree counts even when the agent ran out of time. */
  judgedByTree: boolean
  /** Session to resume, and its agent. */
  session?: TurnSession
  /**
   * Chooses the session once it is known which agent is the first one: while the run waited for the
   * turn, its configuration may have been read again.
   */
  chooseSession?: (agent: string | undefined) => TurnSession | undefined
  /** The prompt when time is up, if it is not the usual one. */
  converge?: TurnAsk
  /** Called before a further prompt in the session: to converge, or to repeat the answer. */
  onFurther?: (kind: 'converge' | 'retry', why: string) => void
  /** Called with the result of each prompt, also of one whose answer cannot be used. */
  onResult?: (result: TurnResult) => void
  /** Group of turns that work in the workspace at the same time. */
  group?: string
  /** Time to converge, if it differs from the run's. */
  convergeMs?: number
  /** Where it works, if not in the run's own workspace at its head. */
  place?: { workspace: Workspace; head: string }
}

/** The configuration was read again before anything of a turn was sent: it is chosen once more. */
export class ReloadedError extends Error {
  override readonly name = 'Reloaded'
}

type OneTurn = {
  /** Nothing of the role's turn was sent: a changed configuration may name another agent. */
  isFirst?: boolean
  agent: string
  step: string
  kind: TurnKind
  ask: TurnAsk
  sessionId?: string
  knows?: SessionKnowledge
  limitMs: number
  /** False: a rate limit or an outage is returned. */
  waits?: boolean
  /** What it did before that. */
  begun?: TurnResult
  handOver?: HandOver
}

/**
 * Runs a turn until it has an outcome with which the run continues. If the agent stayed away for
 * too long, `limitedUntil` is absent.
 */
export async function runTurn(run: TurnRun, turn: RoleTurn, one: OneTurn): Promise<TurnResult> {
  const state = run.ready
  const input = inputOf(run, turn, one)
  const phase = turn.phase ?? (turn.role === 'cli-planning-agent' ? 'analysis' : 'fix')
  const summary = `${turn.role} (${one.agent})${input.kind === 'prep' ? '' : `, iteration ${input.iteration}`}${one.kind === 'work' ? '' : `, ${one.kind}`}`
  const chosenWith = state.prepared.configHash
  let isSent = false
  let budget: ReturnType<typeof run.budget.forTurn> = {}
  const attempt = async (): Promise<TurnResult> => {
    const { configHash } = run.ready.prepared
    const isReloaded = configHash !== chosenWith
    if (isReloaded && one.isFirst === true && !isSent) throw new ReloadedError()
    isSent = true
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
          // The earlier session is of the old configuration. A turn that has begun has its own.
          ...(isReloaded && one.knows !== undefined
            ? { sessionId: undefined, knows: undefined }
            : {}),
          configHash,
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
      const result = await run.budget.spend(async () => {
        const ended = await run.control.step(attempt, isStopped)
        // Before the budget stops to count it as a running turn: another one may ask in between.
        if (hasEnded(ended)) state.usage = addPrompted(state.usage, ended)
        return ended
      })
      if (isOverBudget(result)) {
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
        state.usage = addPrompted(state.usage, result)
        const { limitedUntil: _, ...given } = result
        return { ...given, reason: over }
      }
      run.budget.look(one.agent, result)
      turn.onResult?.(result)
      return result
    }
  } catch (error) {
    // Stopped for good: its usage counts
    if (partial !== undefined) state.usage = addPrompted(state.usage, partial)
    throw error
  }
}

function isOverBudget(result: TurnResult): result is TurnResult & { over: BudgetPart } {
  return result.outcome === 'over_budget' && result.over !== undefined
}

/** Whether the turn has ended: otherwise it is continued, and counts with its last prompt. */
function hasEnded(result: TurnResult): boolean {
  return !isOverBudget(result) && !isNotServed(result)
}

function inputOf(
  run: TurnRun,
  turn: RoleTurn,
  { agent, step, kind, ask, sessionId, knows, limitMs, handOver }: OneTurn,
): Omit<AgentTurnInput, 'configHash'> {
  const state = run.ready
  const { prepared } = state
  return {
    run: run.id,
    // After a reset, turns past the reset point run again, as the run id is part of the key.
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
    group: turn.group,
    read: turn.read,
    sessionId,
    knows,
    handOver,
    limitMs,
    idleMs: prepared.limits.idleMs,
    followUp:
      kind === 'work' ||
      kind === 'assess' ||
      kind === 'clarify' ||
      (turn.group !== undefined && kind !== 'retry'),
  }
}

/**
 * A task file that only a person can correct: no agent was started, and another one would not be
 * either.
 */
function isRefusedTask(run: TurnRun, { cause }: ActivityFailure): boolean {
  return (
    run.refusesTasks &&
    cause instanceof ApplicationFailure &&
    (cause.type === 'PreAnalysisFailed' || cause.type === BAD_INPUT)
  )
}

/** After a dead worker: processes may be left, and an agent may still write. */
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
        configHash: state.prepared.configHash,
        reason: error.cause?.message ?? error.message,
        group: input.group,
        // The turn may have finished, with only its answer lost.
        ...(input.read === undefined
          ? {}
          : { turn: sentTurn({ ...input, configHash: state.prepared.configHash }) }),
      }),
    ),
  )
}
