// What a signature is good for.
import { expect, test } from 'vitest'
import {
  activityPurpose,
  CONTINUED,
  FRESH_MS,
  SCHEDULED,
  signedId,
  signedValue,
  startProblem,
  startPurpose,
  updateProblem,
  updatePurpose,
} from '../../../../src/core/signing/signed-purpose.js'

const AT = 1_764_000_000_000
const UPDATE = { name: 'answer', id: 'u 1' }
const COPY = /copy/

test.each<{ why: string; purpose: string | undefined; isContinued?: boolean; says?: RegExp }>(
  // prettier-ignore
  [
  { why: 'signed just before', purpose: startPurpose(AT - 1_000) },
  { why: 'signed by a clock that is a little ahead', purpose: startPurpose(AT + 1_000) },
  { why: 'signed long ago', purpose: startPurpose(AT - FRESH_MS - 1), says: COPY },
  { why: 'continued by the workflow worker', purpose: CONTINUED, isContinued: true },
  { why: 'begun by hand with the input of a continued run', purpose: CONTINUED, says: COPY },
  { why: 'of a schedule', purpose: SCHEDULED },
  { why: 'with the input of an activity', purpose: activityPurpose('1'), says: COPY },
  { why: 'with the argument of an update', purpose: updatePurpose('extend', 'x', AT), says: COPY },
  { why: 'not signed', purpose: undefined, says: /^not signed$/ },
],
)('a start that is $why', ({ purpose, isContinued = false, says }) => {
  const problem = startProblem(purpose, { at: AT, isContinued })
  if (says === undefined) expect(problem).toBeUndefined()
  else expect(problem).toMatch(says)
})

test.each<{ why: string; purpose: string | undefined; says?: RegExp }>(
  // prettier-ignore
  [
  { why: 'signed for it', purpose: updatePurpose('answer', 'u 1', AT) },
  { why: 'signed too long ago', purpose: updatePurpose('answer', 'u 1', AT - FRESH_MS - 1), says: COPY },
  { why: 'signed for another id', purpose: updatePurpose('answer', 'u 2', AT), says: COPY },
  { why: 'signed for another update', purpose: updatePurpose('extend', 'u 1', AT), says: COPY },
  { why: 'signed as a start', purpose: startPurpose(AT), says: COPY },
  { why: 'not signed', purpose: undefined, says: /^not signed$/ },
],
)('an update that is $why', ({ purpose, says }) => {
  const problem = updateProblem(purpose, UPDATE, AT)
  if (says === undefined) expect(problem).toBeUndefined()
  else expect(problem).toMatch(says)
})

test('runs of a schedule have its id and the time', () => {
  expect(signedId(SCHEDULED, 'nightly-2026-11-20T12:02:00Z')).toBe('nightly')
  expect(signedId(startPurpose(AT), 'nightly-2026-11-20T12:02:00Z')).toBe(
    'nightly-2026-11-20T12:02:00Z',
  )
})

test('a value without a signature is the value', () => {
  for (const value of [undefined, null, 'x', 1, {}, []])
    expect(signedValue(value)).toEqual({ value, purpose: undefined })
})
