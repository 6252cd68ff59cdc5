// Decides what of a run counts in `ratchet stats`: its turns, and what they are divided by.
import type { RunResult } from '../../contract/result.js'
import type { ReportTurn } from './model.js'

/** One run with its turns. */
export type CountedRun = {
  id: string
  /** Absent while it is open, and if its record has no result. */
  outcome?: string
  /** `null` if it has none, as a preparation, or only a part of the run counts. */
  iterations: number | null
  /**
   * Tests that pass at its end and did not at its start; `null` if that was not measured, or only a
   * part of the run counts.
   */
  gained: number | null
  /** Only a part of its turns counts: the others began before the period. */
  partial?: true
  turns: ReportTurn[]
}

/** A record of a run. `beganAt` is epoch milliseconds, absent if it does not say. */
export type BegunRecord = { id: string; beganAt?: number | undefined }

/** The record is written a moment after its first turn may have begun. */
const LATE_MS = 60_000

/**
 * Returns what of a run counts; `undefined` if none of its turns began in the period.
 *
 * @param since start of the period, in epoch milliseconds
 */
export function countedRun(
  {
    id,
    result,
    iterates,
    turns,
  }: {
    id: string
    result?: RunResult | undefined
    /** Whether runs of its kind have iterations. */
    iterates: boolean
    turns: readonly ReportTurn[]
  },
  since: number,
): CountedRun | undefined {
  const own = turns.filter(({ startedAt }) => startedAt >= since)
  if (own.length === 0) return undefined
  const known = {
    id,
    ...(result === undefined ? {} : { outcome: result.outcome }),
    turns: own,
  }
  // Iterations and tests of the whole run cannot be divided into those of a part.
  if (own.length < turns.length) return { ...known, iterations: null, gained: null, partial: true }
  return {
    ...known,
    iterations: iterates
      ? (result?.iterations ?? Math.max(...own.map(({ iteration }) => iteration)))
      : null,
    gained: result === undefined ? null : gainedIn(result),
  }
}

/**
 * Returns how many tests pass at the end of a run that did not at its start; `null` if that was not
 * measured. A test-fix run ends at its best state, a cycle or loop at its last one.
 */
export function gainedIn({ best, history }: Pick<RunResult, 'best' | 'history'>): number | null {
  const measured = history.filter(({ passed }) => passed !== undefined)
  const last = best ?? measured.findLast(({ result }) => result !== 'rolled_back')
  const start = measured.find(({ iteration }) => iteration === 0)?.passed
  const end = measured.findLast(({ iteration }) => iteration === last?.iteration)?.passed
  return start === undefined || end === undefined ? null : end - start
}

/**
 * Returns the turns of each record. An id may be used again once its record is archived: a turn
 * belongs to the last record of its id that had begun.
 */
export function turnsByRecord<R extends BegunRecord>(
  records: readonly R[],
  turns: ReadonlyMap<string, readonly ReportTurn[]>,
): { record: R; turns: ReportTurn[] }[] {
  const byStart = records.toSorted((a, b) => startOf(a) - startOf(b))
  return byStart.map((record, n) => {
    const isFirst = byStart.findIndex(({ id }) => id === record.id) === n
    const next = byStart.slice(n + 1).find(({ id }) => id === record.id)
    const [from, to] = [
      isFirst ? 0 : startOf(record),
      next === undefined ? Infinity : startOf(next),
    ]
    return {
      record,
      turns: (turns.get(record.id) ?? []).filter(
        ({ startedAt }) => startedAt >= from && startedAt < to,
      ),
    }
  })
}

function startOf({ beganAt }: BegunRecord): number {
  return beganAt === undefined ? 0 : beganAt - LATE_MS
}
