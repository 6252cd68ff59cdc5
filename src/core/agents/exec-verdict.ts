// What the end of a one-shot command means: its last words count more than its exit code, as some
// end well after an error and some badly after an answer.
import type { AgentError } from './agent-outcome.js'
import { outageIn } from './agent-outage.js'
import type { ExecOutput, ExecSummary } from './exec-output.js'

export type ExecVerdict =
  | { kind: 'answered'; stopReason: string }
  | { kind: 'refused'; error: AgentError }
  /** It died before it had answered. */
  | { kind: 'gone' }
  /** It ended well, and wrote nothing in the form that was promised: of plain text not a word. */
  | { kind: 'unreadable' }

/**
 * Judges how a command ended.
 *
 * @param code null where a signal ended it
 */
export function execVerdict({
  output,
  summary,
  code,
  cancelled,
}: {
  output: ExecOutput
  summary: ExecSummary
  code: number | null
  cancelled: boolean
}): ExecVerdict {
  if (cancelled) return { kind: 'answered', stopReason: 'cancelled' }
  if (summary.error !== undefined)
    return { kind: 'refused', error: withStatus(summary.error, code) }
  if (summary.whole) return { kind: 'answered', stopReason: summary.stopReason ?? 'end_turn' }
  if (code === 0)
    return summary.readable ? { kind: 'answered', stopReason: 'end_turn' } : { kind: 'unreadable' }
  // Of plain text only the exit code tells an answer from an error.
  if (code !== null && output === 'text' && summary.active)
    return {
      kind: 'refused',
      error: {
        code,
        message: `it ended with this code, after: ${summary.tail.trim()}`,
        spoken: true,
      },
    }
  return { kind: 'gone' }
}

// Gemini ends with the last byte of the provider's status, and names that status nowhere else.
function withStatus(error: AgentError, code: number | null): AgentError {
  const status =
    error.code === NOT_SAID && code !== null
      ? SERVER_STATUSES.find((one) => (one & 0xff) === code)
      : undefined
  return status === undefined
    ? error
    : { ...error, data: { ...(error.data as object | undefined), status } }
}

/**
 * Answers of a provider that is away; their last bytes, 244 to 248, are no exit statuses in use.
 */
const SERVER_STATUSES = [500, 502, 503, 504] as const

/**
 * Returns whether a call that should resume a session failed because the session is gone, and did
 * nothing at all. A rate limit, an outage or a missing login does not count.
 */
export function isSessionLost(
  verdict: ExecVerdict,
  { summary, code, stderr = '' }: { summary: ExecSummary; code: number | null; stderr?: string },
): boolean {
  if (summary.active || code === null || code === 0) return false
  if (
    outageIn({
      error: verdict.kind === 'refused' ? verdict.error : undefined,
      exitCode: code,
      stderr,
    }) !== undefined
  )
    return false
  if (verdict.kind === 'gone') return true
  return verdict.kind === 'refused' && verdict.error.code === NOT_SAID
}

/** Code of an error for which the agent gave neither a status nor a login as its cause. */
const NOT_SAID = -32603
