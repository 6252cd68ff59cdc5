// A role's turn, with everything that may go wrong in one.
//
// A turn that ran out of time gets a convergence turn in its session. A failed one goes to the next
// agent of the chain; when all failed, the first gets one retry with simplified context. An answer of no
// use gets one retry prompt in its session; a weak one counts where nobody gives a better. After an activity
// failure, which means a dead worker, the turn is settled before its workspace is used again.
// Source: architecture §3 "One turn = one activity"; 004 "Agent execution error".
import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow'
import type { Role } from '../../contract/config.js'
import { BAD_INPUT } from '../../contract/failures.js'
import type { AgentTurnInput, TurnAsk, TurnRead } from '../../contract/step.js'
import type { TurnKind, TurnResult } from '../../contract/turn.js'
import { sentTurn } from '../../core/sent-turn.js'
import { addUsage } from '../../core/test-fix-view.js'
import { files, long } from './activity-options.js'
import type { TestFixRun } from './test-fix-run.js'

/** Iterations that a prompt looks back on; what came before is in the record. */
const HISTORY_ASKED = 20

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
}

type TurnDone = { ok: true; result: TurnResult; note?: string }
type TurnFailed = { ok: false; reason: string; /** The agent did its turn, only its answer is of no use. */ answered?: boolean }
export type RoleTurnEnd = TurnDone | TurnFailed

/** Runs the turn of a role until an agent completes it with an answer that can be used, or all have failed. */
export async function roleTurn(run: TestFixRun, turn: RoleTurn): Promise<RoleTurnEnd> {
  await run.control.safePoint() // the configuration may be read again there: look at it afterwards
  const { prepared } = run.ready
  const chain = prepared.agents[turn.role as keyof typeof prepared.agents] ?? []
  const first = chain[0]
  if (first === undefined) return { ok: false, reason: `no agent plays ${turn.role}` }

  const tries = [
    ...chain.map((agent, n) => ({ agent, simplified: false, step: n === 0 ? turn.step : `${turn.step}.${n + 1}` })),
    { agent: first, simplified: true, step: `${turn.step}.simplified` },
  ]
  const reasons: string[] = []
  let weak: TurnDone | undefined
  let answered = false
  for (const { agent, simplified, step } of tries) {
    // Less context mends a turn that failed, not an answer that nobody can use.
    if (simplified && answered) break
    const end = await oneAgent(run, turn, agent, step, turn.ask(simplified))
    answered ||= end.ok || end.answered === true
    if (end.ok && weakness(end) === undefined) return end
    if (end.ok) weak ??= end
    reasons.push(`${agent}: ${end.ok ? (weakness(end) ?? '') : end.reason}`)
  }
  return weak ?? { ok: false, reason: [...new Set(reasons)].join('; ') }
}

function weakness({ result: { read } }: TurnDone): string | undefined {
  return read?.kind === 'analysis' ? read.weak : undefined
}

async function oneAgent(run: TestFixRun, turn: RoleTurn, agent: string, step: string, ask: TurnAsk): Promise<RoleTurnEnd> {
  const done = await worked(run, turn, agent, step, ask)
  if (!done.ok || done.result.read?.kind !== 'unusable') return done
  const { problem, form } = done.result.read
  if (form === '' || done.result.sessionId === undefined) return { ok: false, answered: true, reason: problem }
  const retried = await runTurn(run, turn, { agent, step: `${step}.retry`, kind: 'retry', ask: { about: 'retry', problem, form }, sessionId: done.result.sessionId, limitMs: turn.limitMs })
  if (retried.outcome === 'completed' && retried.read?.kind !== 'unusable') return { ...done, result: retried }
  return { ok: false, answered: true, reason: retried.read?.kind === 'unusable' ? retried.read.problem : (retried.reason ?? retried.outcome) }
}

async function worked(run: TestFixRun, turn: RoleTurn, agent: string, step: string, ask: TurnAsk): Promise<RoleTurnEnd> {
  const result = await runTurn(run, turn, { agent, step, kind: turn.kind ?? 'work', ask, limitMs: turn.limitMs })
  if (result.outcome === 'completed') return { ok: true, result }
  if (result.outcome !== 'timed_out' && result.outcome !== 'stalled') return { ok: false, reason: result.reason ?? result.outcome }

  const late = `${agent} ${result.outcome === 'stalled' ? 'fell silent' : 'ran out of time'}`
  if (result.sessionId !== undefined) {
    const converged = await runTurn(run, turn, { agent, step: `${step}.converge`, kind: 'converge', ask: { about: 'converge' }, sessionId: result.sessionId, limitMs: run.ready.prepared.limits.convergeMs })
    if (converged.outcome === 'completed') return { ok: true, result: converged, note: `${late} and was asked to converge` }
  }
  if (turn.judgedByTree) return { ok: true, result, note: `${late}; what it left is judged by the tests` }
  return { ok: false, reason: late }
}

type OneTurn = { agent: string; step: string; kind: TurnKind; ask: TurnAsk; sessionId?: string; limitMs: number }

async function runTurn(run: TestFixRun, turn: RoleTurn, { agent, step, kind, ask, sessionId, limitMs }: OneTurn): Promise<TurnResult> {
  const state = run.ready
  const { prepared } = state
  const iteration = state.iteration + 1
  const input: Omit<AgentTurnInput, 'configHash'> = {
    run: run.id,
    // The run id is the reset epoch: a reset run begins anew behind its reset point, and only there.
    key: `${run.id}/${run.runId}/${step}`,
    role: turn.role,
    ...(turn.task === undefined ? {} : { task: turn.task }),
    iteration,
    maxIterations: state.maxIterations,
    turn: kind,
    agent,
    workspace: prepared.workspace,
    testCommand: prepared.testCommand,
    expectHead: state.head,
    ask,
    history: run.rules === 1 ? state.history : state.history.slice(-HISTORY_ASKED),
    ...(run.rules === 1 ? {} : { recordDir: prepared.recordDir }),
    ...(turn.read === undefined ? {} : { read: turn.read }),
    ...(sessionId === undefined ? {} : { sessionId }),
    limitMs,
    idleMs: prepared.limits.idleMs,
    followUp: kind === 'work' || kind === 'assess',
  }
  const summary = `${turn.role} (${agent}), iteration ${iteration}${kind === 'work' ? '' : `, ${kind}`}`
  let partial: TurnResult | undefined
  const attempt = async (): Promise<TurnResult> => {
    run.enter(turn.phase ?? (turn.role === 'cli-planning-agent' ? 'analysis' : 'fix'), `agent: ${summary}`)
    try {
      return await long(state.facts.queue, limitMs, summary).agentTurn(sentTurn({ ...input, configHash: run.ready.prepared.configHash }))
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isRefusedTask(run, error)) throw error
      return settled(run, input, error)
    } finally {
      run.questions.withdrawAll() // nobody is left who would use an answer
    }
  }
  try {
    const result = await run.control.step(attempt, (r) => {
      if (r.outcome === 'stopped') partial = r
      return r.outcome === 'stopped'
    })
    state.usage = addUsage(state.usage, result)
    return result
  } catch (error) {
    if (partial !== undefined) state.usage = addUsage(state.usage, partial) // stopped for good: what it cost counts
    throw error
  }
}

/** A task file that only a person can mend: no agent was started, and another one would not be either. */
function isRefusedTask(run: TestFixRun, { cause }: ActivityFailure): boolean {
  return run.rules > 1 && cause instanceof ApplicationFailure && (cause.type === 'PreAnalysisFailed' || cause.type === BAD_INPUT)
}

/** After a dead worker: nobody has cleaned up, and an agent may still write. */
async function settled(run: TestFixRun, input: Omit<AgentTurnInput, 'configHash'>, error: ActivityFailure): Promise<TurnResult> {
  const state = run.ready
  return CancellationScope.nonCancellable(async () =>
    files(state.facts.queue, `settle ${input.role}`).settleTurn({
      key: input.key, workspace: input.workspace, agent: input.agent, reason: error.cause?.message ?? error.message,
      // It may have finished, only its answer was lost.
      ...(input.read === undefined ? {} : { turn: sentTurn({ ...input, configHash: state.prepared.configHash }) }),
    }))
}
