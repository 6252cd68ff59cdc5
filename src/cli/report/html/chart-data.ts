// The data of the two charts of a report.
import { markOf, verdictOf } from '../../../core/report/iterations.js'
import type { Report } from '../../../core/report/model.js'
import { clock, duration, turnWaitNote } from './format.js'

const LABEL_CHARS = 80

/** Embedded in the page; report-page/page.js reads it. */
export type ChartData = {
  rates: {
    label: string
    rate: number | null
    claimed: number | null
    result: string
    text: string
    anchor: string
  }[]
  timeline: {
    lanes: string[]
    bars: {
      lane: number
      from: number
      to: number
      outcome: string
      text: string
      anchor: string
    }[]
    waits: { lane: number; from: number; to: number; text: string; anchor: string }[]
    marks: Report['timeline']['marks']
    breaks: { at: number; text: string }[]
  }
}

export function chartData({ iterations, timeline, turns, kind }: Report): ChartData {
  return {
    rates: iterations.map((one) => ({
      label: one.iteration === 0 ? 'start' : String(one.iteration),
      rate: one.passRate,
      claimed: one.claimed ?? null,
      result: markOf(one),
      text: `${verdictOf(one, kind)}: ${one.title}`.slice(0, LABEL_CHARS),
      anchor: `iteration-${one.iteration}`,
    })),
    timeline: {
      lanes: timeline.lanes,
      marks: timeline.marks,
      breaks: timeline.breaks.map(({ at, ms }) => ({ at, text: duration(ms) })),
      bars: timeline.bars.map(({ lane, turn, from, to }) => {
        const one = turns[turn]
        const text =
          one === undefined
            ? ''
            : `${one.agent}, iteration ${one.iteration}, ${clock(one.startedAt)}, ${one.endedAt === undefined ? 'no end' : duration(one.endedAt - one.startedAt)}: ${one.outcome.replaceAll('_', ' ')}${turnWaitNote(one) === '' ? '' : `, ${turnWaitNote(one)}`}`
        return { lane, from, to, outcome: one?.outcome ?? 'open', text, anchor: `turn-${turn}` }
      }),
      waits: timeline.bars.flatMap(({ lane, turn, waits = [] }) =>
        waits.map(({ from, to }) => ({
          lane,
          from,
          to,
          text: turns[turn] === undefined ? '' : turnWaitNote(turns[turn]),
          anchor: `turn-${turn}`,
        })),
      ),
    },
  }
}
