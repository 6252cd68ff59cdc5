// Lays out turns on an axis. Long silences are shortened and marked, as a run that waits overnight
// for an answer would otherwise be two thin lines; this includes a wait within a turn.
import type { ReportTurn, Timeline } from './model.js'
import { roleWords } from './roles.js'
import { joined, waitsOf, without } from './waits.js'

/** Silences longer than this share of the working time are shortened; none below a minute is. */
const LONG_SHARE = 0.25
const SHORTEST_MS = 60_000
/** Length of a shortened silence, as a share of the working time. */
const SHOWN_SHARE = 0.06
/** Minimum length of turns without an end. */
const OPEN_MS = 1_000

/** Lays out turns that are sorted by their start; those without an end run until `now`. */
export function timelineOf(turns: readonly ReportTurn[], now: number): Timeline {
  const spans = turns.map((turn) => ({
    from: turn.startedAt,
    to: Math.max(turn.startedAt, turn.endedAt ?? lastSeen(turn, now)),
  }))
  const waits = turns.map((turn, n) => waitsOf(turn, spans[n]?.to))
  const lanes = [...new Set(turns.map(laneOf))]
  const busy = joined(spans.flatMap((span, n) => without(span, waits[n] ?? [])))
  const worked = Math.max(
    OPEN_MS,
    busy.reduce((sum, span) => sum + span.to - span.from, 0),
  )
  const marks: Timeline['marks'] = []
  const breaks: Timeline['breaks'] = []
  let [at, end] = [0, busy[0]?.from ?? 0]
  for (const span of busy) {
    const silence = span.from - end
    const isLong = silence > Math.max(SHORTEST_MS, worked * LONG_SHARE)
    const shown = isLong ? worked * SHOWN_SHARE : silence
    if (isLong) breaks.push({ at: at + shown / 2, ms: silence })
    at += shown
    marks.push({ at, time: span.from })
    at += span.to - span.from
    end = span.to
    marks.push({ at, time: end })
  }
  const place = placer(marks)
  const placed = ({ from, to } = { from: 0, to: 0 }): { from: number; to: number } => ({
    from: place(from),
    to: place(to),
  })
  return {
    lanes,
    marks,
    breaks,
    bars: turns.map((turn, n) => ({
      lane: lanes.indexOf(laneOf(turn)),
      turn: n,
      ...placed(spans[n]),
      ...(waits[n]?.length ? { waits: waits[n].map(placed) } : {}),
    })),
  }
}

/** Returns the lane of a turn: one for each role. */
export function laneOf({ role }: Pick<ReportTurn, 'role'>): string {
  return roleWords(role)
}

// A turn that was cut off in a finished run has no recorded end.
function lastSeen(turn: ReportTurn, now: number): number {
  return turn.outcome === 'open'
    ? Math.min(now, Math.max(turn.startedAt + OPEN_MS, now))
    : turn.startedAt
}

function placer(marks: Timeline['marks']): (time: number) => number {
  return (time) => {
    const after = marks.findIndex((mark) => mark.time >= time)
    const [a, b] = [marks[after - 1], marks[after]]
    if (b === undefined) return marks.at(-1)?.at ?? 0
    if (a === undefined || b.time === a.time) return b.at
    return a.at + ((time - a.time) / (b.time - a.time)) * (b.at - a.at)
  }
}
