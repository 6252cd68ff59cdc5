// The time in which a turn waited for a person: nobody worked in it.
import type { ReportTurn } from './model.js'

/** A piece of time, in epoch milliseconds. */
export type Span = { from: number; to: number }

/**
 * When a turn waited, in order and within the turn. `end` is that of a turn that goes on, and of a
 * wait that does.
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

/** Milliseconds in which a turn that has ended waited; 0 where it has no end. */
export function waitedMs(turn: ReportTurn): number {
  return turn.endedAt === undefined
    ? 0
    : waitsOf(turn).reduce((sum, span) => sum + span.to - span.from, 0)
}

/**
 * What is left of a span without others, which are in order and do not touch. Both of its ends are
 * always told.
 */
export function without(span: Span, others: readonly Span[]): Span[] {
  const starts = [span.from, ...others.map(({ to }) => to)]
  const ends = [...others.map(({ from }) => from), span.to]
  return starts.map((from, n) => ({ from, to: ends[n] ?? from }))
}

/** Spans as one each where they touch, in order. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}
