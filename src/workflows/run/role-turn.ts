// Runs a role's turn and handles its failures.
//
// A turn that ran out of time gets a convergence turn in its session. A failed one goes to the next
// agent of the chain; if all failed, the first gets one retry with a shorter context. An unusable
// answer gets one retry prompt in its session; a weak one counts if no agent gives a better one. If
// no agent of the chain can be used at all, the run ends.
import type { HandOver } from '../../contract/budget.js'
import type { TurnAsk } from '../../contract/turn-input.js'
import type { RefusedAnalysis } from '../../contract/test-fix/task.js'
import type { TurnResult } from '../../contract/turn.js'
import { addPrompted } from '../../core/run/run-usage.js'
import { NoAgentError } from './control.js'
import { ReloadedError, runTurn, type RoleTurn, type TurnRun } from './one-turn.js'
import { isNotServed } from './rate-limit.js'

type TurnDone = {
  ok: true
  result: TurnResult
  note?: string
  refused?: RefusedAnalysis[]
  /** It had a shorter context. */
  simplified?: true
}
type TurnFailed = {
  ok: false
  reason: string
  /** The agent finished its turn, but its answer is unusable. */
  answered?: boolean
  /** Unused answers to the analysis prompt, as the record keeps them. */
  refused?: RefusedAnalysis[]
  /**
   * Rate limited or away until then (epoch milliseconds); the next agent may continue what it
   * began.
   */
  limited?: { until: number; begun: TurnResult }
  /** It cannot be used for any task: it has no login, or its provider stayed away. */
  out?: true
}
export type RoleTurnEnd = TurnDone | TurnFailed

/**
 * Runs the turn of a role until an agent completes it with a usable answer, or all have failed.
 *
 * @throws NoAgentError if no agent of its chain can be used
 */
export async function roleTurn(run: TurnRun, asked: RoleTurn): Promise<RoleTurnEnd> {
  for (;;) {
    try {
      return await chosenTurn(run, asked)
    } catch (error) {
      if (!(error instanceof ReloadedError)) throw error
    }
  }
}

async function chosenTurn(run: TurnRun, asked: RoleTurn): Promise<RoleTurnEnd> {
  await run.control.safePoint() // may reload the configuration
  const { prepared } = run.ready
  const configured = prepared.agents[asked.role] ?? []
  const session = asked.session ?? asked.chooseSession?.(configured[0])
  const turn: RoleTurn = session === undefined ? asked : { ...asked, session }
  // A started session continues with its own agent; the others of the chain follow.
  const chain =
    session === undefined
      ? configured
      : [session.agent, ...configured.filter((agent) => agent !== session.agent)]
  const first = chain[0]
  if (first === undefined) return { ok: false, reason: `no agent has the role ${turn.role}` }

  const chained = chain.map((agent, n) => ({
    agent,
    simplified: false,
    step: n === 0 ? turn.step : `${turn.step}.${n + 1}`,
  }))
  const tries = [...chained, { agent: first, simplified: true, step: `${turn.step}.simplified` }]
  const handsOver = prepared.spending?.onRateLimit === 'next' && chain.length > 1
  const limited: { agent: string; step: string; until: number }[] = []
  const begun = new Map<string, TurnResult>()
  const reasons: string[] = []
  const out = new Set<string>()
  let weak: TurnDone | undefined
  let refused: RefusedAnalysis[] | undefined
  let answered = false
  let handOver: HandOver | undefined
  let isFirst = true
  try {
    for (let next = tries.shift(); next !== undefined; next = tries.shift()) {
      const { agent, simplified, step } = next
      // A shorter context helps a failed turn, but not an unusable answer or an agent that cannot
      // be used.
      if (simplified && (answered || out.has(agent))) break
      const again = begun.get(step)
      begun.delete(step)
      const ended = await oneAgent(run, turn, {
        agent,
        step,
        ask: turn.ask(simplified),
        isFirst,
        waits: !handsOver || simplified || again !== undefined,
        begun: again,
        handOver,
      })
      isFirst = false
      const end = ended.ok && simplified ? { ...ended, simplified } : ended
      if (!end.ok && end.limited !== undefined) {
        const { until } = end.limited
        limited.push({ agent, step, until })
        begun.set(step, end.limited.begun)
        handOver = {
          from: agent,
          why: end.reason,
          said: end.limited.begun.tail,
          ...(end.limited.begun.outcome === 'unavailable' ? { away: true as const } : {}),
        }
      } else if (!end.ok && end.out === true) out.add(agent)
      // No agent is left to continue: the one that is available first resumes its turn.
      if (!end.ok && (end.limited !== undefined || end.out === true)) {
        const left = limited.filter((one) => begun.has(one.step))
        if (tries[0]?.simplified === true && left.length > 0) {
          const soonest = left.reduce((a, b) => (b.until < a.until ? b : a))
          tries.unshift({ agent: soonest.agent, step: soonest.step, simplified: false })
        }
        if (end.limited !== undefined) continue
      }
      answered ||= end.ok || end.answered === true
      refused = end.refused ?? refused
      if (end.ok && weakness(end) === undefined) return withRefused(end, refused)
      if (end.ok && (weak === undefined || confidence(end) > confidence(weak))) weak = end
      reasons.push(`${agent}: ${end.ok ? (weakness(end) ?? '') : end.reason}`)
    }
    const reason = [...new Set(reasons)].join('; ')
    if (weak === undefined && chain.every((agent) => out.has(agent)))
      throw new NoAgentError(`no agent can be used (${turn.role}): ${reason}`)
    return withRefused(weak ?? { ok: false, reason }, refused)
  } finally {
    handedOver(run, begun.values())
  }
}

/** Counts a turn that was handed over for good, if a prompt was sent. */
function handedOver({ ready }: TurnRun, turns: Iterable<TurnResult>): void {
  for (const turn of turns) ready.usage = addPrompted(ready.usage, turn)
}

function withRefused<T extends RoleTurnEnd>(end: T, refused: RefusedAnalysis[] | undefined): T {
  return refused === undefined ? end : { ...end, refused }
}

/** What the record keeps besides the used analysis, from this answer. */
function refusedOf({ read }: TurnResult): { refused?: RefusedAnalysis[] } {
  return (read?.kind === 'analysis' || read?.kind === 'unusable') && read.refused !== undefined
    ? { refused: read.refused }
    : {}
}

function confidence({ result: { read } }: TurnDone): number {
  return read?.kind === 'analysis' ? read.confidence : 0
}

function weakness({ result: { read } }: TurnDone): string | undefined {
  return read?.kind === 'analysis' ? read.weak : undefined
}

/**
 * One agent's part of a role's turn. `waits`: a rate limit or an outage is waited for, otherwise
 * the next agent continues.
 */
type Part = {
  agent: string
  isFirst: boolean
  step: string
  ask: TurnAsk
  waits: boolean
  begun?: TurnResult
  handOver?: HandOver
}

async function oneAgent(run: TurnRun, turn: RoleTurn, part: Part): Promise<RoleTurnEnd> {
  const { agent, step } = part
  const end = await worked(run, turn, part)
  if (!end.ok) return end
  const done = { ...end, ...refusedOf(end.result) }
  const unread = unreadable(done.result)
  if (unread === undefined) return done
  const { problem, form } = unread
  if (form === '' || done.result.sessionId === undefined) return withoutAnswer(done, problem)
  turn.onFurther?.('retry', problem)
  const retried = inSessionOf(
    done.result,
    await runTurn(run, turn, {
      agent,
      step: `${step}.retry`,
      kind: 'retry',
      ask: { about: 'retry', problem, form },
      sessionId: done.result.sessionId,
      limitMs: turn.limitMs,
    }),
  )
  const still = unreadable(retried)?.problem
  if (retried.outcome === 'completed' && still === undefined)
    return { ...done, ...refusedOf(retried), result: retried }
  // Its last answer counts, even if it is still incomplete. One without a status that can be read
  // may name issues and decisions.
  const counts = isWord(retried) || (!isWord(done.result) && namesSomething(retried))
  return withoutAnswer(
    { ...done, ...refusedOf(retried), ...(counts ? { result: retried } : {}) },
    still ?? retried.reason ?? retried.outcome,
  )
}

/** A further result, with what the turn before it showed of the agent's sessions. */
function inSessionOf({ session }: TurnResult, further: TurnResult): TurnResult {
  return session?.needsNew === true && further.session !== undefined
    ? { ...further, session: { ...further.session, needsNew: true } }
    : further
}

/** Returns the problem of an answer without a form, and the form. */
function unreadable({ read }: TurnResult): { problem: string; form: string } | undefined {
  if (read?.kind === 'unusable') return read
  return (read?.kind === 'phase' || read?.kind === 'worker') && read.problem !== undefined
    ? { problem: read.problem, form: read.form ?? '' }
    : undefined
}

function isWord({ outcome, read }: TurnResult): boolean {
  return (
    outcome === 'completed' &&
    (read?.kind === 'phase' || read?.kind === 'worker') &&
    read.status !== 'unknown'
  )
}

function namesSomething({ outcome, read }: TurnResult): boolean {
  if (outcome !== 'completed') return false
  return read?.kind === 'phase'
    ? [read.issues, read.blockers, read.decisions].some(({ length }) => length > 0)
    : read?.kind === 'worker' && read.reported !== ''
}

/** The files of an agent of a dev cycle or loop count even without its answer. */
function withoutAnswer(done: TurnDone, problem: string): RoleTurnEnd {
  const { read } = done.result
  return read?.kind === 'phase' || read?.kind === 'worker'
    ? { ...done, note: [done.note, problem].filter((text) => text !== undefined).join('; ') }
    : {
        ok: false,
        answered: true,
        reason: problem,
        refused: done.refused,
      }
}

async function worked(
  run: TurnRun,
  turn: RoleTurn,
  { agent, step, ...part }: Part,
): Promise<RoleTurnEnd> {
  const { session } = turn
  const result = await runTurn(run, turn, {
    agent,
    step,
    kind: turn.kind ?? 'work',
    ...part,
    limitMs: turn.limitMs,
    ...(session?.agent === agent && step === turn.step
      ? { sessionId: session.sessionId, knows: session.knows }
      : {}),
  })
  if (result.outcome === 'completed') return { ok: true, result }
  if (isNotServed(result))
    return {
      ok: false,
      reason: result.reason ?? result.outcome,
      limited: { until: result.limitedUntil, begun: result },
    }
  if (result.outcome === 'unavailable' || result.cause === 'login')
    return { ok: false, reason: result.reason ?? result.outcome, out: true }
  if (result.outcome !== 'timed_out' && result.outcome !== 'stalled')
    return { ok: false, reason: result.reason ?? result.outcome }

  const late = `${agent} ${result.outcome === 'stalled' ? 'fell silent' : 'ran out of time'}`
  if (result.sessionId !== undefined) {
    turn.onFurther?.('converge', late)
    const converged = inSessionOf(
      result,
      await runTurn(run, turn, {
        agent,
        step: `${step}.converge`,
        kind: 'converge',
        ask: turn.converge ?? { about: 'converge' },
        sessionId: result.sessionId,
        limitMs: turn.convergeMs ?? run.ready.prepared.limits.convergeMs,
      }),
    )
    if (converged.outcome === 'completed')
      return { ok: true, result: converged, note: `${late} and was asked to converge` }
  }
  if (turn.judgedByTree)
    return { ok: true, result, note: `${late}; what it left is judged by the tests` }
  return { ok: false, reason: late }
}
