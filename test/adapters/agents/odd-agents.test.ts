// Foreign agents with one oddity each: the turn always ends with a result that can be stored and
// that fits into the history of its run.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Bench } from '../../support/agents/bench.js'

/** The result of a turn, without its paths. */
const RESULT_CHARS = 4_000
let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

const tail = (text: string) => ({
  outcome: 'completed',
  tail: expect.stringContaining(text) as string,
})
const failed = (reason: string) => ({
  outcome: 'failed',
  reason: expect.stringContaining(reason) as string,
})
const used = (inputTokens: number, more = {}) => ({
  outcome: 'completed',
  usage: expect.objectContaining({ inputTokens, ...more }) as unknown,
})

test.each(
  // prettier-ignore
  [
  { odd: 'chunks', why: 'a message that comes byte by byte', is: tail('grüße 🦊') },
  { odd: 'invalid-utf8', why: 'bytes that are no text', is: tail('a\uFFFD') },
  { odd: 'lone-surrogate', why: 'half a character', is: tail('a') },
  { odd: 'garbage', why: 'lines that are no messages, or answers to nothing', is: tail('done garbage') },
  { odd: 'batch', why: 'several messages in one array', is: tail('first second') },
  { odd: 'wrong-id', why: 'an answer to a request that was never made', is: tail('done wrong-id') },
  { odd: 'other-session', why: 'text in another session', is: { outcome: 'completed', tail: 'done other-session' } },
  { odd: 'late-update', why: 'text after its answer', is: { outcome: 'completed', tail: 'done late-update' } },
  { odd: 'unknown-request', why: 'a request for what was not offered', is: tail('-32601') },
  { odd: 'permission-no-options', why: 'a permission without options', is: tail('-32602') },
  { odd: 'permission-null', why: 'a permission without anything', is: tail('-32602') },
  { odd: 'permission-always', why: 'a permission that can only be given permanently', is: tail('"optionId":"aa"') },
  { odd: 'permission-huge', why: 'a very long permission', is: tail('"optionId":"aa"') },
  { odd: 'tool-odd', why: 'updates of other shapes', is: tail('done tool-odd') },
  { odd: 'deep', why: 'an update nested a hundred thousand deep', is: tail('done deep') },
  { odd: 'modes-odd', why: 'modes, options and models of other shapes', is: tail('done modes-odd') },
  { odd: 'caps-null', why: 'no capabilities', is: tail('done caps-null') },
  { odd: 'stderr-flood', why: '40 MB of standard error', is: tail('done stderr-flood') },
  { odd: 'odd-id', why: 'a session id of odd characters', is: { outcome: 'completed', sessionId: expect.stringContaining('\u0000') as string } },
  { odd: 'long-id', why: 'a session id of 3 MB', is: failed('session id of 3145728 characters') },
  { odd: 'no-id', why: 'no session id', is: failed('without a session id') },
  { odd: 'version-long', why: 'a version of 3 MB', is: failed('the agent speaks version "vvv') },
  { odd: 'no-newline', why: 'a line without an end', is: failed('more than 16 MB') },
  { odd: 'answer-null', why: 'an empty answer', is: failed('no stop reason') },
  { odd: 'long-stop-reason', why: 'a stop reason of 3 MB', is: failed('ended the turn with "xxx') },
  { odd: 'error-no-data', why: 'an error without data', is: failed('error -32603: x') },
  { odd: 'error-object-message', why: 'an error whose message is none', is: failed('error') },
  { odd: 'error-long', why: 'an error of 5 MB', is: failed('error -32603: mmm') },
  { odd: 'exits-zero', why: 'an exit that says all is well', is: failed('exited with code 0') },
  { odd: 'cost-negative', why: 'a negative cost and negative tokens count as not reported', is: used(64, { estimated: true }) },
  { odd: 'cost-infinite', why: 'an infinite cost counts as not reported', is: used(64) },
  { odd: 'cost-absurd', why: 'an absurd cost counts as not reported', is: used(64) },
  { odd: 'tokens-zero', why: 'zero tokens count as not reported', is: used(64, { estimated: true }) },
  { odd: 'tokens-absurd', why: 'tokens beyond any session count as not reported', is: used(64, { estimated: true }) },
],
)('$why', async ({ odd, is }) => {
  const {
    answer: _,
    transcript: __,
    ...result
  } = await bench.call(
    bench.driver(),
    bench.config(bench.foreign('odd.mjs', odd), { permissions: 'allow' }),
  ).result
  expect(result).toMatchObject(is)
  expect(result.usage.costUsd).toBeUndefined()
  expect(JSON.stringify(result).length).toBeLessThan(RESULT_CHARS)
  expect(bench.claim()?.attempts).toHaveLength(result.attempts) // it can be read again
})

test.each([
  { odd: 'limit-never', why: 'in thirty thousand years' },
  { odd: 'limit-past', why: 'in 2001' },
  { odd: 'limit-negative', why: 'five seconds ago' },
  { odd: 'limit-zero', why: 'now' },
  { odd: 'limit-text', why: 'soon' },
  { odd: 'error-null-data', why: 'at an unknown time' },
])('a limit that ends $why is waited for some seconds, up to a minute', async ({ odd }) => {
  const { outcome, limitedUntil = 0 } = await bench.call(
    bench.driver(),
    bench.config(bench.foreign('odd.mjs', odd)),
  ).result
  expect(outcome).toBe('rate_limited')
  expect(limitedUntil - Date.now()).toBeGreaterThan(1_000)
  expect(limitedUntil - Date.now()).toBeLessThanOrEqual(60_000)
})
