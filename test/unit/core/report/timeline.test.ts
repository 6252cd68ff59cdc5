import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timelineOf } from '../../../../src/core/report/timeline.js'
import { AT, turnAt } from '../../../support/report-sources.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test.each(
  // prettier-ignore
  [
  { why: 'one after the other', at: [0, 1], bars: [[0, 1], [1, 2]], breaks: 0 },
  { why: 'side by side', at: [0, 0], bars: [[0, 1], [0, 1]], breaks: 0 },
  { why: 'a short silence stays as long as it is', at: [0, 1.4], bars: [[0, 1], [1.4, 2.4]], breaks: 0 },
  { why: 'a night is a sixteenth of the work', at: [0, 600], bars: [[0, 1], [1.12, 2.12]], breaks: 1 },
],
)('timeline: $why', ({ at, bars, breaks }) => {
  const line = timelineOf(
    at.map((n) => turnAt(n)),
    AT + 24 * HOUR,
  )
  expect(line.bars.map(({ from, to }) => [from / MINUTE, to / MINUTE])).toEqual(
    bars.map((pair) => pair.map((n) => expect.closeTo(n, 6) as number)),
  )
  expect(line.breaks).toHaveLength(breaks)
})

test.each(
  // prettier-ignore
  [
  { why: 'a short wait is drawn as long as it is', waits: [[0.2, 0.4]], bars: [[0, 1]], shown: [[0.2, 0.4]], breaks: 0 },
  { why: 'a night within a turn is a sixteenth of the work', minutes: 601, waits: [[0.5, 600.5]], bars: [[0, 1.06]], shown: [[0.5, 0.56]], breaks: 1 },
  { why: 'another agent works meanwhile: nothing is shortened', minutes: 3, waits: [[1, 3]], beside: true, bars: [[0, 3], [1, 3]], shown: [[1, 3]], breaks: 0 },
  { why: 'it has waited for half a minute', open: 1, waits: [[0.5]], bars: [[0, 1]], shown: [[0.5, 1]], breaks: 0 },
],
)(
  'a turn that waits for a person: $why',
  ({ minutes = 1, open, waits, beside, bars, shown, breaks }) => {
    const { endedAt: _endedAt, ...begun } = turnAt(0, {
      waits: waits.map(([from = 0, to]) => ({
        from: AT + from * MINUTE,
        ...(to === undefined ? {} : { to: AT + to * MINUTE }),
      })),
    })
    const asking =
      open === undefined
        ? { ...begun, endedAt: AT + minutes * MINUTE }
        : { ...begun, outcome: 'open' as const }
    const line = timelineOf(
      [asking, ...(beside === true ? [turnAt(1, { endedAt: AT + 3 * MINUTE })] : [])],
      AT + (open ?? minutes) * MINUTE,
    )
    const pairs = (spans: readonly { from: number; to: number }[] = []) =>
      spans.map(({ from, to }) => [from / MINUTE, to / MINUTE])
    const close = (wanted: number[][]) =>
      wanted.map((pair) => pair.map((n) => expect.closeTo(n, 6) as number))
    expect(pairs(line.bars)).toEqual(close(bars))
    expect(pairs(line.bars[0]?.waits)).toEqual(close(shown))
    expect(line.breaks).toHaveLength(breaks)
  },
)

test('a shortened silence shows its length', () => {
  expect(timelineOf([turnAt(0), turnAt(600)], AT).breaks).toMatchObject([{ ms: 599 * MINUTE }])
})

test('an open turn ends now', () => {
  const { endedAt: _endedAt, ...open } = turnAt(0, { outcome: 'open' })
  expect(timelineOf([open], AT + 3 * MINUTE).bars).toMatchObject([{ from: 0, to: 3 * MINUTE }])
})

test('roles are lanes, in the order in which they began', () => {
  expect(
    timelineOf(
      [
        turnAt(0, { role: 'cli-planning-agent' }),
        turnAt(1),
        turnAt(2, { role: 'cli-planning-agent' }),
      ],
      AT,
    ).lanes,
  ).toEqual(['analysis', 'fix'])
})

test('no turns: an empty picture', () =>
  expect(timelineOf([], AT)).toEqual({ lanes: [], bars: [], marks: [], breaks: [] }))

test('any turns: no bar ends before its start, and none is outside', () => {
  const turn = fc.record({
    at: fc.integer({ min: 0, max: 10_000 }),
    minutes: fc.integer({ min: 0, max: 300 }),
  })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30 }), (turns) => {
      const sorted = turns
        .map(({ at, minutes }) => turnAt(at, { endedAt: AT + (at + minutes) * MINUTE }))
        .sort((a, b) => a.startedAt - b.startedAt)
      const { bars, marks } = timelineOf(sorted, AT + 20_000 * MINUTE)
      const end = marks.at(-1)?.at ?? 0
      for (const { from, to } of bars)
        expect(from >= 0 && to >= from && to <= end + 1e-6).toBe(true)
      for (const [n, { at, time }] of marks.entries())
        expect(
          n === 0 || (at >= (marks[n - 1]?.at ?? 0) && time >= (marks[n - 1]?.time ?? 0)),
        ).toBe(true)
    }),
    { seed: 4711 },
  )
})
