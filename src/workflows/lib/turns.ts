// A role's turn, with everything that may go wrong in one.
//
// A turn that ran out of time gets a convergence turn in its session. A failed one goes to the next
// agent of the chain; when all failed, the first gets one retry with simplified context. An answer of no
// use gets one retry prompt in its session; a weak one counts where nobody gives a better. After an activity
// failure, which means a dead worker, the turn is settled before its workspace is used again.
// Source: architecture §3 "One turn = one activity"; 004 "Agent execution error".
import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow'
import type { HandOver, Spending } from '../../contract/budget.js'
import type { Role } from '../../contract/config.js'
import { BAD_INPUT } from '../../contract/failures.js'
import type { RunUsage } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/state.js'
import type { AgentTurnInput, TurnAsk, TurnRead } from '../../contract/step.js'
import type { TurnKind, TurnResult } from '../../contract/turn.js'
import type { Workspace } from '../../contract/workspace.js'
import { sentTurn } from '../../core/sent-turn.js'
import { addUsage } from '../../core/test-fix-view.js'
import { files, long } from './activity-options.js'
import type { Control } from './control.js'
import type { RunBudget } from './run-budget.js'
import { limitOver } from './rate-limit.js'

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
  /** Group of turns that work in the workspace at the same time. */
  beside?: string
  /** Time to converge, where it is not the run's. */
  convergeMs?: number
  /** Where it works, where that is not the run's own workspace at its head. */
  place?: { workspace: Workspace; head: string }
}

type TurnDone = { ok: true; result: TurnResult; note?: string }
type TurnFailed = {
  ok: false
  reason: string
  /** The agent did its turn, only its answer is of no use. */
  answered?: boolean
  /** Its provider limits it until then (epoch milliseconds), and the next agent may take over what it has begun. */
  limited?: { until: number; begun: TurnResult }
}
export type RoleTurnEnd = TurnDone | TurnFailed

/** Runs the turn of a role until an agent completes it with an answer that can be used, or all have failed. */
export async function roleTurn(run: TurnRun, turn: RoleTurn): Promise<RoleTurnEnd> {
  await run.control.safePoint() // the configuration may be read again there: look at it afterwards
  const { prepared } = run.ready
  const configured = prepared.agents[turn.role] ?? []
  const { session } = turn
  // A session that was begun goes on with its own agent, the others of the chain come after it.
  const chain = session === undefined ? configured : [session.agent, ...configured.filter((agent) => agent !== session.agent)]
  const first = chain[0]
  if (first === undefined) return { ok: false, reason: `no agent plays ${turn.role}` }

  const chained = chain.map((agent, n) => ({ agent, simplified: false, step: n === 0 ? turn.step : `${turn.step}.${n + 1}` }))
  const tries = [...chained, { agent: first, simplified: true, step: `${turn.step}.simplified` }]
  const handsOver = prepared.spending?.onRateLimit === 'next' && chain.length > 1
  const limited: { agent: string; step: string; until: number }[] = []
  const begun = new Map<string, TurnResult>()
  const reasons: string[] = []
  let weak: TurnDone | undefined
  let answered = false
  let handOver: HandOver | undefined
  try {
    for (let next = tries.shift(); next !== undefined; next = tries.shift()) {
      const { agent, simplified, step } = next
      // Less context mends a turn that failed, not an answer that nobody can use.
      if (simplified && answered) break
      const again = begun.get(step)
      begun.delete(step)
      const end = await oneAgent(run, turn, { agent, step, ask: turn.ask(simplified), waits: !handsOver || simplified || again !== undefined, ...(again === undefined ? {} : { begun: again }), ...(handOver === undefined ? {} : { handOver }) })
      if (!end.ok && end.limited !== undefined) {
        const { until } = end.limited
        limited.push({ agent, step, until })
        begun.set(step, end.limited.begun)
        handOver = { from: agent, why: end.reason, said: end.limited.begun.tail }
        // Nobody is left who could take over: the one that is free first goes on where it was.
        const soonest = tries[0]?.simplified === true ? limited.reduce((a, b) => (b.until < a.until ? b : a)) : undefined
        if (soonest !== undefined) tries.unshift({ agent: soonest.agent, step: soonest.step, simplified: false })
        continue
      }
      answered ||= end.ok || end.answered === true
      if (end.ok && weakness(end) === undefined) return end
      if (end.ok) weak ??= end
      reasons.push(`${agent}: ${end.ok ? (weakness(end) ?? '') : end.reason}`)
    }
    return weak ?? { ok: false, reason: [...new Set(reasons)].join('; ') }
  } finally {
    handedOver(run, begun.values())
  }
}

/** What was left to the next agent for good counts, where a prompt was sent at all. */
function handedOver({ ready }: TurnRun, turns: Iterable<TurnResult>): void {
  for (const turn of turns) if (turn.attempts > 0) ready.usage = addUsage(ready.usage, turn)
}

function weakness({ result: { read } }: TurnDone): string | undefined {
  return read?.kind === 'analysis' ? read.weak : undefined
}

/** One agent's part of a role's turn. `waits`: a rate limit is waited for, else the next agent takes over. */
type Part = { agent: string; step: string; ask: TurnAsk; waits: boolean; begun?: TurnResult; handOver?: HandOver }

async function oneAgent(run: TurnRun, turn: RoleTurn, part: Part): Promise<RoleTurnEnd> {
  const { agent, step } = part
  const done = await worked(run, turn, part)
  if (!done.ok) return done
  const unread = unreadable(done.result)
  if (unread === undefined) return done
  const { problem, form } = unread
  if (form === '' || done.result.sessionId === undefined) return withoutAnswer(done, problem)
  const retried = await runTurn(run, turn, { agent, step: `${step}.retry`, kind: 'retry', ask: { about: 'retry', problem, form }, sessionId: done.result.sessionId, limitMs: turn.limitMs })
  const still = unreadable(retried)?.problem
  if (retried.outcome === 'completed' && still === undefined) return { ...done, result: retried }
  return withoutAnswer(done, still ?? retried.reason ?? retried.outcome)
}

/** What is wrong with an answer that has no form, and the form. */
function unreadable({ read }: TurnResult): { problem: string; form: string } | undefined {
  if (read?.kind === 'unusable') return read
  return (read?.kind === 'phase' || read?.kind === 'worker') && read.problem !== undefined ? { problem: read.problem, form: read.form ?? '' } : undefined
}

/** What an agent of a dev cycle or loop wrote counts without its answer. */
function withoutAnswer(done: TurnDone, problem: string): RoleTurnEnd {
  const { read } = done.result
  return read?.kind === 'phase' || read?.kind === 'worker' ? { ...done, note: [done.note, problem].filter((text) => text !== undefined).join('; ') } : { ok: false, answered: true, reason: problem }
}

async function worked(run: TurnRun, turn: RoleTurn, { agent, step, ...part }: Part): Promise<RoleTurnEnd> {
  const { session } = turn
  const result = await runTurn(run, turn, { agent, step, kind: turn.kind ?? 'work', ...part, limitMs: turn.limitMs, ...(session?.agent === agent && step === turn.step ? { sessionId: session.sessionId } : {}) })
  if (result.outcome === 'completed') return { ok: true, result }
  if (result.outcome === 'rate_limited' && result.limitedUntil !== undefined) return { ok: false, reason: result.reason ?? 'rate limited', limited: { until: result.limitedUntil, begun: result } }
  if (result.outcome !== 'timed_out' && result.outcome !== 'stalled') return { ok: false, reason: result.reason ?? result.outcome }

  const late = `${agent} ${result.outcome === 'stalled' ? 'fell silent' : 'ran out of time'}`
  if (result.sessionId !== undefined) {
    const converged = await runTurn(run, turn, { agent, step: `${step}.converge`, kind: 'converge', ask: turn.converge ?? { about: 'converge' }, sessionId: result.sessionId, limitMs: turn.convergeMs ?? run.ready.prepared.limits.convergeMs })
    if (converged.outcome === 'completed') return { ok: true, result: converged, note: `${late} and was asked to converge` }
  }
  if (turn.judgedByTree) return { ok: true, result, note: `${late}; what it left is judged by the tests` }
  return { ok: false, reason: late }
}

type OneTurn = { agent: string; step: string; kind: TurnKind; ask: TurnAsk; sessionId?: string; limitMs: number; /** False: a rate limit is returned. */ waits?: boolean; /** What it did before it was limited. */ begun?: TurnResult; handOver?: HandOver }

/** One turn to its end: held by pauses, parked by an empty budget, waiting for a limited agent, always under the same key. */
async function runTurn(run: TurnRun, turn: RoleTurn, one: OneTurn): Promise<TurnResult> {
  const state = run.ready
  const input = inputOf(run, turn, one)
  const phase = turn.phase ?? (turn.role === 'cli-planning-agent' ? 'analysis' : 'fix')
  const summary = `${turn.role} (${one.agent}), iteration ${input.iteration}${one.kind === 'work' ? '' : `, ${one.kind}`}`
  let budget: ReturnType<typeof run.budget.forTurn> = {}
  const attempt = async (): Promise<TurnResult> => {
    run.enter(phase, `agent: ${summary}${one.handOver === undefined ? '' : `, takes over from ${one.handOver.from}, which its provider limits`}`)
    budget = run.budget.forTurn()
    try {
      return await long(state.facts.queue, one.limitMs, summary).agentTurn(sentTurn({ ...input, ...budget, configHash: run.ready.prepared.configHash }))
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isRefusedTask(run, error)) throw error
      return settled(run, input, error)
    } finally {
      run.turnEnded(summary, input.key)
    }
  }
  let partial = one.begun
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
      if (result.outcome === 'rate_limited' && result.limitedUntil !== undefined) {
        if (one.waits === false) return result
        partial = result
        await limitOver(run, phase, one.agent, result.limitedUntil)
        continue
      }
      state.usage = addUsage(state.usage, result)
      run.budget.look(one.agent, result)
      return result
    }
  } catch (error) {
    if (partial !== undefined) state.usage = addUsage(state.usage, partial) // stopped for good: what it cost counts
    throw error
  }
}

function inputOf(run: TurnRun, turn: RoleTurn, { agent, step, kind, ask, sessionId, limitMs, handOver }: OneTurn): Omit<AgentTurnInput, 'configHash'> {
  const state = run.ready
  const { prepared } = state
  return {
    run: run.id,
    // The run id is the reset epoch: a reset run begins anew behind its reset point, and only there.
    key: `${run.id}/${run.runId}/${step}`,
    role: turn.role,
    ...(turn.task === undefined ? {} : { task: turn.task }),
    ...run.turnFacts(),
    maxIterations: state.maxIterations,
    turn: kind,
    agent,
    workspace: turn.place?.workspace ?? prepared.workspace,
    testCommand: prepared.testCommand,
    expectHead: turn.place?.head ?? state.head,
    ask,
    ...(turn.beside === undefined ? {} : { beside: turn.beside }),
    ...(turn.read === undefined ? {} : { read: turn.read }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(handOver === undefined ? {} : { handOver }),
    limitMs,
    idleMs: prepared.limits.idleMs,
    followUp: kind === 'work' || kind === 'assess' || kind === 'clarify' || (turn.beside !== undefined && kind !== 'retry'),
  }
}

/** A task file that only a person can mend: no agent was started, and another one would not be either. */
function isRefusedTask(run: TurnRun, { cause }: ActivityFailure): boolean {
  return run.refusesTasks && cause instanceof ApplicationFailure && (cause.type === 'PreAnalysisFailed' || cause.type === BAD_INPUT)
}

/** After a dead worker: nobody has cleaned up, and an agent may still write. */
async function settled(run: TurnRun, input: Omit<AgentTurnInput, 'configHash'>, error: ActivityFailure): Promise<TurnResult> {
  const state = run.ready
  return CancellationScope.nonCancellable(async () =>
    files(state.facts.queue, `settle ${input.role}`).settleTurn({
      key: input.key, workspace: input.workspace, agent: input.agent, reason: error.cause?.message ?? error.message, ...(input.beside === undefined ? {} : { beside: input.beside }),
      // It may have finished, only its answer was lost.
      ...(input.read === undefined ? {} : { turn: sentTurn({ ...input, configHash: state.prepared.configHash }) }),
    }))
}
