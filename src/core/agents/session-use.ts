// Whether a turn of a test-fix run continues the session of the turn before it.
//
// Reading costs: an agent that analysed and then fixes would read everything twice. But a session
// also keeps wrong assumptions, so each fresh look begins a new one.
import type {
  AgentSession,
  SessionEnd,
  SessionKnowledge,
  SessionUse,
} from '../../contract/test-fix/agent-session.js'
import type { Strategy } from '../../contract/test-fix/task.js'
import type { TurnResult } from '../../contract/turn.js'

/** Part of an agent's context above which a session is left. */
export const CONTEXT_PART = 0.5
/** Turns and bytes of transcript after which a session of unknown context is left. */
export const UNKNOWN_CONTEXT = { turns: 2, bytes: 200_000 }

type SessionRole = SessionKnowledge['roles'][number]

/** The turn that is about to begin. */
export type NextTurn = {
  role: SessionRole
  /** The first agent of its role, if there is one. */
  agent: string | undefined
  configHash: string
  strategy: Strategy
  /** Agents that served no prompt in a continued session of this run. */
  needsNew?: readonly string[] | undefined
}

/** Strategies that begin with a fresh look. */
const FRESH: readonly Strategy[] = ['reflective', 'surgical']

/** Decides whether a turn continues a session; every answer but `continued` begins a new one. */
export function sessionUse(next: NextTurn, last: AgentSession | undefined): SessionUse {
  if (last === undefined) return 'first'
  if (last.ended !== undefined) return last.ended
  // Its analysis has begun a session for the fresh look, which its fix continues.
  if (next.role === 'cli-planning-agent' && FRESH.includes(next.strategy)) return 'strategy'
  if (last.agent !== next.agent) return 'other_agent'
  if (next.needsNew?.includes(last.agent) === true) return 'needs_new'
  // The model, its environment or its permissions may be others.
  if (last.configHash !== next.configHash) return 'configuration'
  return roomIn(last)
}

function roomIn({ facts }: AgentSession): SessionUse {
  if (facts === undefined) return 'context'
  const { used, size, turns, bytes } = facts
  if (used !== undefined && size !== undefined && size > 0)
    return used > size * CONTEXT_PART ? 'context' : 'continued'
  if (turns >= UNKNOWN_CONTEXT.turns) return 'turns'
  return bytes > UNKNOWN_CONTEXT.bytes ? 'transcript' : 'continued'
}

/** What a session is after a turn; `undefined` if the agent named none. */
export function sessionAfter(
  turn: {
    role: SessionRole
    configHash: string
    head: string
    /** Results of the run whose failures it was shown. */
    shown: SessionKnowledge['shown']
    /** Got a shorter context, after a failure. */
    simplified: boolean
  },
  result: Pick<
    TurnResult,
    'agent' | 'sessionId' | 'session' | 'changedFiles' | 'crashes' | 'outcome'
  >,
  before: AgentSession | undefined,
): AgentSession | undefined {
  const { sessionId } = result
  if (sessionId === undefined) return undefined
  const known = isSame(before, result) ? (before?.knows.roles ?? []) : []
  const ended = endOf(result, turn.simplified)
  return {
    id: sessionId,
    agent: result.agent,
    configHash: turn.configHash,
    ...(result.session === undefined ? {} : { facts: result.session }),
    knows: {
      head: turn.head,
      changed: result.changedFiles,
      roles: [...new Set([...known, turn.role])],
      ...(turn.shown === undefined ? {} : { shown: turn.shown }),
    },
    ...(ended === undefined ? {} : { ended }),
  }
}

/** Whether a turn ended in an earlier session, perhaps under another id. */
function isSame(
  before: AgentSession | undefined,
  { sessionId, session }: Pick<TurnResult, 'sessionId' | 'session'>,
): boolean {
  return before?.id === sessionId || (before !== undefined && before.id === session?.continues)
}

function endOf(
  { crashes, outcome }: Pick<TurnResult, 'crashes' | 'outcome'>,
  simplified: boolean,
): SessionEnd | undefined {
  if (simplified) return 'simplified'
  if (crashes > 0) return 'crashed'
  return outcome === 'completed' ? undefined : 'unfinished'
}

const BECAUSE: Record<SessionUse, string> = {
  continued: 'continues the session of the turn before it',
  first: 'there is no earlier session',
  strategy: 'the strategy asks for a fresh look',
  rolled_back: 'a fix was rolled back',
  back_to_best: 'the branch returned to its best state',
  degraded: 'no agent gave a usable analysis',
  weak: 'the analysis was weak',
  crashed: 'the turn before it crashed',
  simplified: 'the turn before it had a shorter context',
  unfinished: 'the turn before it did not end by itself',
  other_agent: 'another agent has the role',
  configuration: 'the configuration was read again',
  context: 'more than half of the context is used, or its use is not known',
  turns: `the agent does not report its context, and the session has ${UNKNOWN_CONTEXT.turns} turns`,
  transcript: `the agent does not report its context, and the transcript has more than ${UNKNOWN_CONTEXT.bytes / 1_000} kB`,
  moved_on: 'other turns have used the session since',
  lost: 'the agent could not resume the session',
  needs_new: 'the agent did nothing in a session that it was to continue',
}

/** A use of a session as one sentence for logs and records. */
export function sessionReason(use: SessionUse): string {
  return use === 'continued' ? BECAUSE.continued : `new session: ${BECAUSE[use]}`
}

/**
 * The use that came of a decision: the agent, or its driver, may have begun a new session.
 *
 * @param configHash with which the turn ended
 */
export function sessionUsed(
  decided: SessionUse,
  last: AgentSession | undefined,
  result: Pick<TurnResult, 'sessionId' | 'session' | 'agent'>,
  configHash: string,
): { id?: string; use: SessionUse } {
  const { sessionId } = result
  const use =
    decided !== 'continued' || isSame(last, result)
      ? decided
      : result.agent !== last?.agent
        ? 'other_agent'
        : configHash !== last.configHash
          ? 'configuration'
          : result.session?.movedOn === true
            ? 'moved_on'
            : result.session?.needsNew === true
              ? 'needs_new'
              : 'lost'
  return { ...(sessionId === undefined ? {} : { id: sessionId }), use }
}
