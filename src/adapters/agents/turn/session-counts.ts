// What is known of a session: which turns have used it, and what its agent has counted by its last
// report, which is subtracted from the next one if it counts on. Kept in memory and, for the worker
// that comes next, in the ledger.
import { statSync } from 'node:fs'
import type { SessionFacts } from '../../../contract/test-fix/agent-session.js'
import type { TurnSpec } from '../../../contract/turn.js'
import type { Tokens } from '../../../core/agents/tokens.js'
import { layout, type Dirs } from '../../state-dir.js'
import { turnFiles, type Claim } from './turn-store.js'
import type { Ledger } from './usage-ledger.js'

export type Counted = { costUsd?: number | undefined; tokens?: Tokens | undefined }

export class SessionCounts {
  private readonly known = new Map<string, Counted>()

  constructor(private readonly ledger: Ledger) {}

  /** Nothing of a session that no turn of the run has written down. */
  of(run: string, sessionId: string): Counted {
    return this.known.get(sessionId) ?? this.ledger.counted(run, sessionId)
  }

  set(run: string, sessionId: string, counted: Counted): void {
    this.known.set(sessionId, { ...this.of(run, sessionId), ...counted })
  }
}

/** Facts of the session that a turn ended in; `undefined` if it has none. */
export function sessionFacts(
  { dirs, ledger }: { dirs: Dirs; ledger: Ledger },
  { run, key, sessionId, from, context, inVain }: Claim,
  hasMovedOn: boolean,
): SessionFacts | undefined {
  if (sessionId === undefined) return undefined
  const turns = [sessionId, ...(from === undefined ? [] : [from])].flatMap((id) =>
    ledger.turnsIn(run, id),
  )
  const keys = new Set([...turns.map((turn) => turn.key), key])
  const transcripts = [...keys].map((one) => turnFiles(layout.turn(dirs, one)).transcript)
  return {
    turns: keys.size,
    bytes: transcripts.reduce((sum, file) => sum + sizeOf(file), 0),
    ...context,
    ...(from !== undefined && from !== sessionId && { continues: from }),
    ...(hasMovedOn && { movedOn: true as const }),
    ...(inVain !== undefined && { needsNew: true as const }),
  }
}

/**
 * A turn without the session that it was to continue, if other turns have used that session since,
 * as after a reset: what the session knows is then not what the run knows.
 */
export function withoutMovedSession(ledger: Ledger, spec: TurnSpec): TurnSpec {
  const { sessionId, continued, key, header } = spec
  if (sessionId === undefined || continued === undefined) return spec
  const others = ledger.turnsIn(header.run, sessionId).filter((one) => one.key !== key)
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
