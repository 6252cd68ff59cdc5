// What an agent has counted of a session by its last report, where it counts on: the next report is
// told less by that much. Kept in memory and, for the worker that comes next, in the ledger.
import type { Tokens } from '../../../core/agents/tokens.js'
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
