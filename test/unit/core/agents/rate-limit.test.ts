import { expect, test } from 'vitest'
import { FURTHEST_RESET_MS, limitedUntil } from '../../../../src/core/agents/rate-limit.js'

const MIN = 60_000
const NOW = 1_800_000_000_000

test.each(
  // prettier-ignore
  [
  { why: 'a named time, and 5 s for clocks that differ', resetsIn: 63_000, nth: 1, wait: 68_000 },
  { why: 'a named time, however many before', resetsIn: 63_000, nth: 9, wait: 68_000 },
  { why: 'a week is believed', resetsIn: 7 * 24 * 60 * MIN, nth: 1, wait: 7 * 24 * 60 * MIN + 5_000 },
  { why: 'more than eight days are not', resetsIn: FURTHEST_RESET_MS + 1, nth: 1, wait: MIN },
  { why: 'a time that is over: at once, the first time', resetsIn: -1, nth: 1, wait: 5_000 },
  { why: 'a time that is over: not for ever', resetsIn: -1, nth: 2, wait: 2 * MIN },
  { why: 'no named time: 1 min', resetsIn: undefined, nth: 1, wait: MIN },
  { why: 'then 2', resetsIn: undefined, nth: 2, wait: 2 * MIN },
  { why: 'then 5', resetsIn: undefined, nth: 3, wait: 5 * MIN },
  { why: 'then 10', resetsIn: undefined, nth: 4, wait: 10 * MIN },
  { why: 'then 20', resetsIn: undefined, nth: 5, wait: 20 * MIN },
  { why: 'then 30', resetsIn: undefined, nth: 6, wait: 30 * MIN },
  { why: 'and 30 from then on', resetsIn: undefined, nth: 60, wait: 30 * MIN },
],
)('$why', ({ resetsIn, nth, wait }) => {
  expect(
    limitedUntil({ resetsAt: resetsIn === undefined ? undefined : NOW + resetsIn, now: NOW, nth }) -
      NOW,
  ).toBe(wait)
})
