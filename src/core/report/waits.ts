// The times in which a turn waited for a person, during which no agent worked.
import type { ReportTurn } from './model.js'

/** A time span in epoch milliseconds. */
export type Span = { from: number; to: number }

/**
 * Returns when a turn waited, in order and within the turn. `end` closes a turn or a wait that is
 * still open.
 */
export function waitsOf(
  { startedAt, endedAt, waits = [] }: ReportTurn,
  end = endedAt ?? startedAt,
): Span[] {
  const known = waits.map(({ from, to = end }) => ({
    from: Math.max(from, startedAt),
    to: Math.min(to, end),
  }))
  return joined(known.filter((span) => span.to > span.from))
}

/** Returns how long a finished turn waited, in milliseconds; 0 if it has no end. */
export function waitedMs(turn: ReportTurn): number {
  return turn.endedAt === undefined
    ? 0
    : waitsOf(turn).reduce((sum, span) => sum + span.to - span.from, 0)
}

/**
 * Returns what is left of a span without others, which are sorted and disjoint. The result always
 * has both ends of the span.
 */
export function without(span: Span, others: readonly Span[]): Span[] {
  const starts = [span.from, ...others.map(({ to }) => to)]
  const ends = [...others.map(({ from }) => from), span.to]
  return starts.map((from, n) => ({ from, to: ends[n] ?? from }))
}

/** Joins touching spans, in order. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}
