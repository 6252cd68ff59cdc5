// A turn of an analysis or a fix in the session before it, where the rule allows that.
import { log } from '@temporalio/workflow'
import type { SessionEnd, SessionUse, UsedSession } from '../../contract/test-fix/agent-session.js'
import type { Strategy } from '../../contract/test-fix/task.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { TestRun } from '../../contract/test-run.js'
import {
  sessionAfter,
  sessionReason,
  sessionUse,
  sessionUsed,
} from '../../core/agents/session-use.js'
import type { RoleTurn } from '../run/one-turn.js'
import { roleTurn, type RoleTurnEnd } from '../run/role-turn.js'
import type { TestFixRun } from './test-fix-run.js'

type SessionTurn = RoleTurn & { role: 'cli-planning-agent' | 'test-fix-agent' }

/** Runs the turn of a role, and keeps in the state which session it used. */
export async function sessionTurn(
  run: TestFixRun,
  turn: SessionTurn,
  { strategy, lastRun }: { strategy: Strategy; lastRun: TestRun },
): Promise<{ end: RoleTurnEnd; used: UsedSession }> {
  const state = run.ready
  const { role } = turn
  const last = state.session
  let use: SessionUse = 'first'
  const end = await roleTurn(run, {
    ...turn,
    chooseSession: (agent) => {
      const { configHash } = state.prepared
      const { needsNew } = state
      use = sessionUse({ role, agent, configHash, strategy, needsNew }, last)
      log.info(`${turn.step}: ${sessionReason(use)}`)
      return use === 'continued' && last !== undefined
        ? {
            agent: last.agent,
            sessionId: last.id,
            knows: { ...last.knows, turns: last.facts?.turns ?? 1 },
          }
        : undefined
    },
    onResult: ({ agent, session }) => {
      if (session?.needsNew === true)
        state.needsNew = [...new Set([...(state.needsNew ?? []), agent])]
    },
  })
  if (!end.ok) {
    delete state.session
    return { end, used: { use } }
  }
  state.session = sessionAfter(
    {
      role,
      configHash: state.prepared.configHash,
      head: state.head,
      shown: lastRun.kind === 'measured' ? lastRun.results : undefined,
      simplified: end.simplified === true,
    },
    end.result,
    last,
  )
  return { end, used: sessionUsed(use, last, end.result, state.prepared.configHash) }
}

/** The next turn begins a new session, for this reason. */
export function leaveSession(state: TestFixState, why: SessionEnd): void {
  if (state.session !== undefined) state.session.ended ??= why
}
