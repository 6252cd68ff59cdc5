// Agent processes that outlive their turn, because a follow-up in their session may come: at most
// for a minute, and never in the way of another turn. Each keeps its host-wide slot while it lives.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { AgentDefinition } from '../../contract/config/agent-config.js'
import type { Release } from '../process/claims.js'
import { isAlive } from '../process/identity.js'
import type { OpenAgent } from './agent-port.js'

export type Kept = {
  agent: OpenAgent
  /** Name in the config, directory it works in, run it works for. */
  name: string
  /** What it was started with. */
  definition: AgentDefinition
  /** Of the run, when it was started. */
  env: Readonly<Record<string, string>>
  cwd: string
  run: string
  /** Turns of this group may run at the same time. */
  group?: string | undefined
  release: Release
  /** Called when the pool keeps it no longer: it has been closed, or taken. */
  onLeft(): void
}

export class AgentPool {
  private readonly kept = new Map<string, Kept & { timer: AbortController }>()
  private readonly closing = new Map<string, Promise<void>>()

  /** Keeps an agent for `keepMs`. Ids of sessions may repeat in other directories. */
  put(kept: Kept, keepMs: number): void {
    const id = keyOf(kept.cwd, kept.agent.sessionId)
    const timer = new AbortController()
    this.kept.set(id, { ...kept, timer })
    const over = sleep(keepMs, undefined, { signal: timer.signal, ref: false })
    void Promise.race([over, kept.agent.exited]).then(
      () => this.close(id),
      () => undefined, // taken or closed before
    )
  }

  /**
   * The living agent of a session in a directory, which is the caller's from now on. One of another
   * configuration or environment is not taken.
   */
  take(
    cwd: string,
    sessionId: string,
    { name, definition, env }: Pick<Kept, 'name' | 'definition' | 'env'>,
  ): Kept | undefined {
    const id = keyOf(cwd, sessionId)
    const kept = this.kept.get(id)
    if (kept?.name !== name || !isDeepStrictEqual([kept.definition, kept.env], [definition, env]))
      return undefined
    if (!isAlive(kept.agent.identity)) return undefined // it is being closed
    this.kept.delete(id)
    kept.timer.abort()
    kept.onLeft()
    return kept
  }

  /** Closes all, or those that are meant; returns when they have let go of their sessions. */
  async closeAll(which: (kept: Kept) => boolean = () => true): Promise<void> {
    const ids = [...this.kept].filter(([, kept]) => which(kept)).map(([id]) => id)
    await Promise.all(ids.map((id) => this.close(id)))
  }

  /**
   * Closes the agent of a session, or waits for its end where it is being closed: its history is
   * one process's.
   */
  async free(cwd: string, sessionId: string): Promise<void> {
    const id = keyOf(cwd, sessionId)
    await this.close(id)
    await this.closing.get(id)
  }

  private async close(id: string): Promise<void> {
    const kept = this.kept.get(id)
    if (kept === undefined) return
    this.kept.delete(id)
    kept.timer.abort()
    const closed = this.end(kept)
    this.closing.set(id, closed)
    await closed.finally(() => this.closing.delete(id))
  }

  private async end(kept: Kept): Promise<void> {
    await kept.agent.close()
    await kept.release()
    kept.onLeft()
  }
}

function keyOf(cwd: string, sessionId: string): string {
  return `${cwd}\n${sessionId}`
}
