// Which agents are not served by their providers, for all runs and projects of this host: they
// limit them, or are away. One small file an agent. Every turn looks at it before it starts
// anything, so that a limit or an outage is met once and not by everybody. A second file says that
// an agent has answered here before: then its address is right.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { AgentDefinition } from '../../contract/config/agent-config.js'
import { TurnOutage } from '../../contract/outage.js'
import { limitNotice, resetIn, type LimitNotice } from '../../core/agents/agent-limit.js'
import type { Outage } from '../../core/agents/agent-outage.js'
import {
  awayUntil,
  FURTHEST_RESET_MS,
  limitedUntil,
  RESET_MARGIN_MS,
} from '../../core/agents/rate-limit.js'
import { replaceFileSync } from '../files/replace-file.js'
import { digest, layout, type Dirs } from '../state-dir.js'
import { SideWrites } from './turn/side-writes.js'

/**
 * `nth`: of the refusals in a row. Times are epoch milliseconds. With `outage` the provider is
 * away, else it limits the agent.
 */
const Row = z.object({
  agent: z.string(),
  until: z.number(),
  nth: z.number().int().min(1),
  outage: TurnOutage.optional(),
})
type Row = z.infer<typeof Row>

/** A limit that is over for so long says nothing of the next one, and an outage. */
const FORGOTTEN_MS = 24 * 60 * 60_000
const OUTAGE_FORGOTTEN_MS = 60 * 60_000

/** Why an agent may not be asked now, and until when. */
export type Held = { until: number; outage?: TurnOutage }

/** Files that are about one agent. */
export type LimitFiles = { limit: string; answered: string }

/**
 * Where the limit of an agent is kept: the same for every run of this host that has it by this
 * definition with this account.
 *
 * @param definition as the config has it; what it may do in a session, and its sandbox, are no part
 * of it
 * @param env of the worker: a key or a folder of another account that the agent gets from there has
 * a limit of its own
 */
export function limitFiles(
  dirs: Dirs,
  definition: AgentDefinition,
  project: string,
  env: NodeJS.ProcessEnv,
): LimitFiles {
  const { protocol, passEnv, mayPassEnv = [] } = definition
  const given = [...passEnv, ...mayPassEnv].map((name) => [name, env[name]])
  const program =
    definition.protocol === 'playbook'
      ? path.resolve(project, definition.file)
      : [definition.command, ...definition.args]
  const model = definition.protocol === 'acp' ? definition.model : undefined
  const id = digest(JSON.stringify({ protocol, program, model, env: definition.env, given })).slice(
    0,
    24,
  )
  return { limit: layout.limit(dirs, id), answered: layout.answered(dirs, id) }
}

/** The limit of an agent as one turn meets it. Times are epoch milliseconds. */
export class TurnLimit {
  /** What the agent last said of it in this prompt. */
  private notice: LimitNotice | undefined

  constructor(
    private readonly files: LimitFiles,
    private readonly agent: string,
    private readonly now: () => number,
    private readonly side = new SideWrites(),
  ) {}

  /** What is in force, whichever turn has met it. */
  inForce(): Held | undefined {
    const now = this.now()
    const row = read(this.files.limit, now)
    return row !== undefined && now < row.until
      ? { until: row.until, outage: row.outage }
      : undefined
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
   * Notes for everybody that the agent is limited, and returns until when. Turns side by side that
   * hit the same limit count as one.
   *
   * @param error the agent's answer, which may name a reset time
   */
  hit(error?: unknown): number {
    const now = this.now()
    const resetsAt = resetIn(error, now) ?? this.notice?.resetsAt
    return this.note(resetsAt, (nth) => limitedUntil({ resetsAt, now, nth }))
  }

  /**
   * Notes for everybody that the agent's provider is away.
   *
   * @param error the agent's answer, which may name a time
   * @param proven a model has answered this agent in this very turn
   */
  away(
    { error: what, address, reached }: Outage,
    { error, proven }: { error?: unknown; proven: boolean },
  ): Held {
    const now = this.now()
    const resetsAt = resetIn(error, now)
    const isKnown = reached || proven || existsSync(this.files.answered)
    const outage: TurnOutage = {
      error: what,
      address,
      ...(isKnown ? {} : { unproven: true }),
    }
    return {
      until: this.note(resetsAt, (nth) => awayUntil({ resetsAt, now, nth }), outage),
      outage,
    }
  }

  /**
   * The agent has completed a turn: its next limit is the first of its row. One in force stays, as
   * the turn had begun before it.
   */
  clear(): void {
    const { limit, answered } = this.files
    if (this.inForce() === undefined) this.side.try(() => rmSync(limit, { force: true }))
    this.side.try(() => {
      if (existsSync(answered)) return
      mkdirSync(path.dirname(answered), { recursive: true, mode: 0o700 })
      replaceFileSync(answered, `${this.agent}\n`, { mode: 0o600 })
    })
  }

  private note(
    resetsAt: number | undefined,
    wait: (nth: number) => number,
    outage?: TurnOutage,
  ): number {
    const now = this.now()
    const row = read(this.files.limit, now)
    const before =
      row !== undefined && (row.outage === undefined) === (outage === undefined) ? row : undefined
    const same = before !== undefined && now < before.until
    const nth = before === undefined ? 1 : same ? before.nth : before.nth + 1
    const waited = wait(nth)
    const until = same && resetsAt === undefined ? Math.max(before.until, waited) : waited
    this.side.try(() => {
      mkdirSync(path.dirname(this.files.limit), { recursive: true, mode: 0o700 })
      replaceFileSync(
        this.files.limit,
        JSON.stringify({
          agent: this.agent,
          until,
          nth,
          outage,
        } satisfies Row),
        { mode: 0o600 },
      )
    })
    return until
  }
}

// A file that is half written, cannot be read, or is dated as only a clock that was wrong can date
// it, is none.
function read(file: string, now: number): Row | undefined {
  let raw: unknown
  try {
    raw = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || typeof (error as NodeJS.ErrnoException).code === 'string')
      return undefined
    throw error
  }
  const { data } = Row.safeParse(raw)
  if (data === undefined || data.until - now > FURTHEST_RESET_MS + RESET_MARGIN_MS) return undefined
  return now - data.until <= (data.outage === undefined ? FORGOTTEN_MS : OUTAGE_FORGOTTEN_MS)
    ? data
    : undefined
}
