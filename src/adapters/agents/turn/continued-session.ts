// A turn that continues a session of an earlier one, with an agent that may not serve a second
// prompt there. Where the agent has done nothing, a new session loses nothing.
import type { TurnSpec } from '../../../contract/turn.js'
import { MessageTooLongError } from '../acp/stdio-stream.js'
import { AgentGoneError, AgentRefusedError, NotAcpError } from '../errors.js'
import type { TurnEndings } from './turn-endings.js'
import type { Claim } from './turn-store.js'

/** Session to open: of the last attempt, or of the turn before; `undefined` for a new one. */
export function earlierSession(spec: TurnSpec, claim: Claim): string | undefined {
  if (hasBegun(claim)) return claim.sessionId
  return claim.inVain === undefined ? spec.sessionId : undefined
}

/** Whether an earlier prompt may have done some of the turn's work. */
export function hasBegun(claim: Claim): boolean {
  return claim.attempts.length > (claim.inVain ?? 0)
}

/**
 * Whether the turn may begin again in a new session: it continues one, and its agent has done
 * nothing. Once in a turn.
 *
 * @param sessionId that is open, or being resumed
 */
export function mayStartOver(spec: TurnSpec, claim: Claim, sessionId: string | undefined): boolean {
  return (
    spec.continued !== undefined &&
    sessionId !== undefined &&
    sessionId === spec.sessionId &&
    claim.inVain === undefined &&
    claim.acted !== true
  )
}

/** Whether an error may come of the session: a limit, a login or an outage does not. */
export function mayComeOfSession(error: unknown, endings: TurnEndings): error is Error {
  if (error instanceof NotAcpError || error instanceof MessageTooLongError) return true
  if (error instanceof AgentGoneError) return endings.judged(error) === undefined
  if (!(error instanceof AgentRefusedError)) return false
  const ending = endings.judged(error)
  return ending?.outcome === 'failed' && ending.cause === undefined
}
