import { describe, expect, test } from 'vitest'
import {
  afterDeath,
  mayRevive,
  NO_DEATHS,
  staysUpFor,
  type Deaths,
} from '../../../src/core/supervise.js'

describe('a process that dies', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the first death waits half a second', deaths: NO_DEATHS, livedMs: 5_000, next: { step: 'restart', afterMs: 500, deaths: { row: 1, fast: 1 } } },
    { why: 'the second one doubles it', deaths: { row: 1, fast: 1 }, livedMs: 5_000, next: { step: 'restart', afterMs: 1_000, deaths: { row: 2, fast: 2 } } },
    { why: 'the fifth fast one is given up', deaths: { row: 4, fast: 4 }, livedMs: 9_999, next: { step: 'give_up', deaths: { row: 5, fast: 5 } } },
    { why: 'ten seconds of life are not fast', deaths: { row: 4, fast: 4 }, livedMs: 10_000, next: { step: 'restart', afterMs: 8_000, deaths: { row: 5, fast: 0 } } },
    { why: 'the wait ends at 30 seconds', deaths: { row: 40, fast: 0 }, livedMs: 20_000, next: { step: 'restart', afterMs: 30_000, deaths: { row: 41, fast: 0 } } },
    { why: 'a healthy minute begins a new row', deaths: { row: 9, fast: 0 }, livedMs: 60_000, next: { step: 'restart', afterMs: 500, deaths: { row: 1, fast: 0 } } },
  ],
  )('$why', ({ deaths, livedMs, next }) => expect(afterDeath(deaths, livedMs)).toEqual(next))

  test('deaths while the server is away are excused, however many', () => {
    let deaths: Deaths = { row: 4, fast: 4 }
    for (let i = 0; i < 10; i++) {
      const next = afterDeath(deaths, 10, true)
      expect(next).toEqual({ step: 'restart', afterMs: 500, deaths: { row: 4, fast: 4 } })
      deaths = next.deaths
    }
  })
})

test.each([
  { why: 'a person revives it at once', givenUpMs: 0, askedBy: 'person', may: true },
  { why: 'a waiting run does not within a minute', givenUpMs: 59_999, askedBy: 'run', may: false },
  { why: 'a waiting run does after a minute', givenUpMs: 60_000, askedBy: 'run', may: true },
] as const)('given up: $why', ({ givenUpMs, askedBy, may }) =>
  expect(mayRevive(givenUpMs, askedBy)).toBe(may),
)

test.each(
  // prettier-ignore
  [
  { why: 'quiet for long enough', activity: {}, stays: undefined },
  { why: 'quiet for too short', activity: { quietMs: 1_799_999 }, stays: 'recent use' },
  { why: 'an open run', activity: { openRuns: 1 }, stays: 'open runs' },
  { why: 'an unpaused schedule', activity: { unpausedSchedules: 1 }, stays: 'a schedule that is not paused' },
  { why: 'held in the foreground', activity: { held: true }, stays: 'a process in the foreground' },
],
)('idle stop: $why -> $stays', ({ activity, stays }) =>
  expect(
    staysUpFor(
      { openRuns: 0, unpausedSchedules: 0, held: false, quietMs: 1_800_000, ...activity },
      1_800_000,
    ),
  ).toBe(stays),
)
