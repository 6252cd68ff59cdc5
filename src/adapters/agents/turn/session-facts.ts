// What is known of the session of a turn, from the ledger and the transcripts on disk.
import { statSync } from 'node:fs'
import type { SessionFacts } from '../../../contract/test-fix/agent-session.js'
import type { TurnSpec } from '../../../contract/turn.js'
import { layout, type Dirs } from '../../state-dir.js'
import type { Ledger } from './usage-ledger.js'
import { turnFiles, type Claim } from './turn-store.js'

/** Facts of the session that a turn ended in; `undefined` if it has none. */
export function sessionFacts(
  { dirs, ledger }: { dirs: Dirs; ledger: Ledger },
  { run, key, sessionId, context }: Claim,
  hasMovedOn: boolean,
): SessionFacts | undefined {
  if (sessionId === undefined) return undefined
  const keys = new Set([...ledger.turnsIn(run, sessionId), key])
  const transcripts = [...keys].map((one) => turnFiles(layout.turn(dirs, one)).transcript)
  return {
    turns: keys.size,
    bytes: transcripts.reduce((sum, file) => sum + sizeOf(file), 0),
    ...context,
    ...(hasMovedOn && { movedOn: true as const }),
  }
}

/**
 * A turn without the session that it was to continue, if other turns have used that session since,
 * as after a reset: what the session knows is then not what the run knows.
 */
export function withoutMovedSession(ledger: Ledger, spec: TurnSpec): TurnSpec {
  const { sessionId, continued, key, header } = spec
  if (sessionId === undefined || continued === undefined) return spec
  const others = ledger.turnsIn(header.run, sessionId).filter((one) => one !== key)
  if (others.length <= continued.turns) return spec
  const { sessionId: _, ...rest } = spec
  return rest
}

/** Whether a turn was to continue a session that has moved on. */
export function hasMovedOn({ sessionId, continued }: TurnSpec): boolean {
  return continued !== undefined && sessionId === undefined
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
