// Which agents their providers limit, for all runs and projects of this host: one small file an agent. Every
// turn looks at it before it starts anything, so that a limit is hit once and not by everybody.
// Source: field.md §3.4; architecture §3.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { AgentDefinition } from '../../contract/config.js'
import { limitNotice, resetIn } from '../../core/agent-limit.js'
import type { LimitNotice } from '../../core/agent-limit.js'
import { FURTHEST_RESET_MS, limitedUntil, RESET_MARGIN_MS } from '../../core/rate-limit.js'
import { replaceFileSync } from '../replace-file.js'
import type { Dirs } from '../state-dir.js'
import { digest, layout } from '../state-dir.js'
import { SideWrites } from './side-writes.js'

/** `nth`: of the limits in a row. Times are epoch milliseconds. */
const Row = z.object({ agent: z.string(), until: z.number(), nth: z.number().int().min(1) })
type Row = z.infer<typeof Row>

/** A limit that is over for so long says nothing of the next one. */
const FORGOTTEN_MS = 24 * 60 * 60_000

/**
 * Where the limit of an agent is kept: the same for every run of this host that has it by this definition
 * with this account.
 *
 * @param definition as the config has it; what it may do in a session, and its sandbox, are no part of it
 * @param env of the worker: a key or a folder of another account that the agent gets from there has a limit of its own
 */
export function limitFile(dirs: Dirs, definition: AgentDefinition, project: string, env: NodeJS.ProcessEnv): string {
  const { protocol, passEnv, mayPassEnv = [] } = definition
  const given = [...passEnv, ...mayPassEnv].map((name) => [name, env[name]])
  const program = definition.protocol === 'playbook' ? path.resolve(project, definition.file) : [definition.command, ...definition.args]
  const model = definition.protocol === 'acp' ? definition.model : undefined
  return layout.limit(dirs, digest(JSON.stringify({ protocol, program, model, env: definition.env, given })).slice(0, 24))
}

/** The limit of an agent as one turn meets it. Times are epoch milliseconds. */
export class TurnLimit {
  /** What the agent last said of it in this prompt. */
  private notice: LimitNotice | undefined

  constructor(private readonly file: string, private readonly agent: string, private readonly now: () => number, private readonly side = new SideWrites()) {}

  /** Until when it is in force, whichever turn has met it. */
  inForce(): number | undefined {
    const now = this.now()
    const row = read(this.file, now)
    return row !== undefined && now < row.until ? row.until : undefined
  }

  /** A prompt is sent. */
  begin(): void {
    this.notice = undefined
  }

  /** Takes an update of the agent, which may be about its limit. */
  heard(update: unknown): void {
    this.notice = limitNotice(update, this.now()) ?? this.notice
  }

  /** Whether the agent has said that it is limited, and not that it is served again. */
  get standing(): boolean {
    return this.notice?.limited === true
  }

  /**
   * Notes for everybody that the agent is limited, and returns until when. Turns side by side that hit the
   * same limit count as one.
   *
   * @param error the agent's answer, which may name a reset time
   */
  hit(error?: unknown): number {
    const now = this.now()
    const resetsAt = resetIn(error, now) ?? this.notice?.resetsAt
    const row = read(this.file, now)
    const same = row !== undefined && now < row.until
    const nth = row === undefined ? 1 : same ? row.nth : row.nth + 1
    const waited = limitedUntil({ resetsAt, now, nth })
    const until = same && resetsAt === undefined ? Math.max(row.until, waited) : waited
    this.side.try(() => {
      mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 })
      replaceFileSync(this.file, JSON.stringify({ agent: this.agent, until, nth } satisfies Row), { mode: 0o600 })
    })
    return until
  }

  /** The agent has completed a turn: its next limit is the first of its row. One in force stays, as the turn had begun before it. */
  clear(): void {
    if (this.inForce() === undefined) this.side.try(() => rmSync(this.file, { force: true }))
  }
}

// A file that is half written, cannot be read, or is dated as only a clock that was wrong can date it, is none.
function read(file: string, now: number): Row | undefined {
  let raw: unknown
  try {
    raw = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || typeof (error as NodeJS.ErrnoException).code === 'string') return undefined
    throw error
  }
  const { data } = Row.safeParse(raw)
  return data !== undefined && data.until - now <= FURTHEST_RESET_MS + RESET_MARGIN_MS && now - data.until <= FORGOTTEN_MS ? data : undefined
}
