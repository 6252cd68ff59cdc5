// Decides which directories below `.workflow/` are test sessions, and which of them can continue.
//
// Three generations of tools mark them in three ways; all are accepted.

/** Where a session stands. `unknown`: a status that no tool of the sources writes. */
export type Standing = 'unfinished' | 'failed' | 'completed' | 'unknown'

const STANDING: Readonly<Record<string, Standing>> = {
  planning: 'unfinished',
  active: 'unfinished',
  paused: 'unfinished',
  created: 'unfinished',
  running: 'unfinished',
  failed: 'failed',
  completed: 'completed',
}

/** Statuses of a session that is known to Ratchet, for messages. */
export const SESSION_STATUSES = Object.keys(STANDING)

/**
 * Returns whether a session of this status can continue: an unfinished one can, a failed one if it
 * is named, a completed one never.
 */
export function standing(status: unknown): Standing {
  return typeof status === 'string' && Object.hasOwn(STANDING, status)
    ? (STANDING[status] as Standing)
    : 'unknown'
}

/**
 * Returns whether the content of `workflow-session.json`, or of one of its context packages, marks
 * a test session.
 */
export function isTestSession(session: unknown, contextPackages: readonly unknown[] = []): boolean {
  if (at(session, 'workflow_type') === 'test_session' || at(session, 'type') === 'test') return true
  return [session, ...contextPackages].some((one) =>
    [at(one, 'meta'), at(one, 'metadata'), one].some(
      (meta) => at(meta, 'session_type') === 'test-gen',
    ),
  )
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
