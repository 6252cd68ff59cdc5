// What the turns of a run have cost so far, on disk while they run: one small file a turn, so that
// turns side by side, also those of another worker, draw on one budget. A number that a killed
// worker had written is not lost with it.
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { BUDGET_PARTS, type Spent } from '../../../contract/budget.js'
import { Usage } from '../../../contract/turn.js'
import { spentOf } from '../../../core/agents/budget.js'
import { replaceFileSync } from '../../files/replace-file.js'
import { readableJson } from '../../files/stored-json.js'
import { layout, type Dirs } from '../../state-dir.js'
import type { Counted } from './session-counts.js'

const Entry = z.object({
  key: z.string(),
  agent: z.string(),
  /** Prompts sent; `live` is what the last one has used so far. */
  attempts: z.number().int(),
  live: Usage,
  /** Of the whole turn. */
  usage: Usage,
  /** Counted by the turn's clock. */
  ms: z.number(),
  /** Whether the turn has no result yet. */
  open: z.boolean(),
  /** Its session, with what the agent has counted of it by now. */
  session: z
    .object({
      id: z.string(),
      /** The session of an earlier turn that it continues, under its id then. */
      from: z.string().optional(),
      costUsd: z.number().optional(),
      tokens: z
        .object({ input: z.number(), output: z.number(), cached: z.number().optional() })
        .optional(),
    })
    .optional(),
})
export type LedgerEntry = z.infer<typeof Entry>

const NOTHING: Spent = { turns: 0, tokens: 0, costUsd: 0, minutes: 0 }

export class Ledger {
  private readonly seen = new Map<string, { mtimeMs: number; entry: LedgerEntry | undefined }>()

  constructor(private readonly dirs: Dirs) {}

  write(run: string, entry: LedgerEntry): void {
    mkdirSync(layout.ledger(this.dirs, run), { recursive: true, mode: 0o700 })
    // Not synced: after a power cut a number may be old, which is what the claim's estimate is for.
    replaceFileSync(this.file(run, entry.key), JSON.stringify(entry), { mode: 0o600, fsync: false })
  }

  read(run: string, key: string): LedgerEntry | undefined {
    return this.entryOf(this.file(run, key))?.entry
  }

  /** What an agent had counted of a session, as the turn of the run that wrote last says. */
  counted(run: string, sessionId: string): Counted {
    const { session } = this.entries(run)
      .filter(({ entry }) => entry.session?.id === sessionId)
      .reduce<{ mtimeMs: number; session?: Counted | undefined }>(
        (last, { entry, mtimeMs }) =>
          mtimeMs >= last.mtimeMs ? { mtimeMs, session: entry.session } : last,
        { mtimeMs: 0 },
      )
    return { costUsd: session?.costUsd, tokens: session?.tokens }
  }

  /**
   * The turns of a run that used a session last, also under ids that it had before. `from`: the id
   * under which a turn continued it.
   */
  turnsIn(run: string, sessionId: string): { key: string; from?: string | undefined }[] {
    const turns = this.entries(run).flatMap(({ entry: { key, attempts, session } }) =>
      session === undefined || attempts === 0 ? [] : [{ key, ...session }],
    )
    const ids = new Set([sessionId])
    for (const id of ids)
      for (const turn of turns) if (turn.id === id && turn.from !== undefined) ids.add(turn.from)
    return turns.flatMap(({ key, id, from }) => (ids.has(id) ? [{ key, from }] : []))
  }

  /**
   * What the run has spent by now, without the turn that asks, whose own is added to it.
   *
   * `before` is what the run knew when the turn was scheduled; the other turns that were open
   * since `since` (epoch milliseconds) are not in it. Only turns of the same execution are looked
   * at: a run that uses an id again begins at nothing.
   */
  spentByOthers(run: string, key: string, before: Spent, since: number): Spent {
    const others = this.entries(run).filter(
      ({ entry }) =>
        entry.key !== key && scope(run, entry.key) === scope(run, key) && entry.attempts > 0,
    )
    const sums = (entries: typeof others) =>
      entries.map(({ entry }) => spentIn(entry)).reduce(addSpent, NOTHING)
    const known = addSpent(
      before,
      sums(others.filter(({ entry, mtimeMs }) => entry.open || mtimeMs >= since)),
    )
    // The ledger wins over the sum that the run was given: its entries were spent.
    const all = sums(others)
    return mapParts((part) => Math.max(known[part], all[part]))
  }

  private entries(run: string): { entry: LedgerEntry; mtimeMs: number }[] {
    const dir = layout.ledger(this.dirs, run)
    return list(dir).flatMap((name) => this.entryOf(path.join(dir, name)) ?? [])
  }

  private entryOf(file: string): { entry: LedgerEntry; mtimeMs: number } | undefined {
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (mtimeMs === undefined) return undefined
    if (this.seen.get(file)?.mtimeMs !== mtimeMs)
      this.seen.set(file, { mtimeMs, entry: readEntry(file) })
    const entry = this.seen.get(file)?.entry
    return entry && { entry, mtimeMs }
  }

  private file(run: string, key: string): string {
    return path.join(
      layout.ledger(this.dirs, run),
      `${path.basename(layout.turn(this.dirs, key))}.json`,
    )
  }
}

/** Tokens, cost and minutes of one turn; and the turn itself. */
export function spentIn({ usage, ms }: Pick<LedgerEntry, 'usage' | 'ms'>): Spent {
  return spentOf({ ...usage, turns: 1, agentMs: ms })
}

export function addSpent(a: Spent, b: Spent): Spent {
  return mapParts((part) => a[part] + b[part])
}

function mapParts(value: (part: keyof Spent) => number): Spent {
  return Object.fromEntries(BUDGET_PARTS.map((part) => [part, value(part)])) as Spent
}

// The execution within the run: keys are `<run>/<execution>/<step>`.
function scope(run: string, key: string): string {
  return key.startsWith(`${run}/`) ? (key.slice(run.length + 1).split('/')[0] ?? '') : ''
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return [] // as in readEntry
    throw error
  }
}

// One that is broken, or cannot be read, counts nothing: a budget must not stop a run by an
// accident of its disk.
function readEntry(file: string): LedgerEntry | undefined {
  return readableJson(file, Entry)
}
