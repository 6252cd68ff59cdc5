import { describe, expect, test } from 'vitest'
import { limitNotice, resetIn } from '../../../../src/core/agents/agent-limit.js'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const IN = (seconds: number) => NOW + seconds * 1_000

describe('the reset time is read in fields', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'retry-after in seconds', raw: { data: { retry_after: 30 } }, at: IN(30) },
    { why: 'retry-after as a header, a text', raw: { data: { headers: { 'Retry-After': '30' } } }, at: IN(30) },
    { why: 'retry-after as an HTTP date', raw: { headers: { 'retry-after': 'Sun, 22 Nov 2026 12:01:00 GMT' } }, at: IN(60) },
    { why: 'headers as pairs', raw: { data: { headers: [['content-type', 'x'], ['retry-after', '7']] } }, at: IN(7) },
    { why: 'a header that is a list', raw: { data: { headers: { 'retry-after': ['9'] } } }, at: IN(9) },
    { why: 'milliseconds where the name says so', raw: { retryAfterMs: 1_500 }, at: NOW + 1_500 },
    { why: 'a header in milliseconds', raw: { headers: { 'retry-after-ms': '250' } }, at: NOW + 250 },
    { why: 'Claude: epoch seconds', raw: { resetsAt: NOW / 1_000 + 90 }, at: IN(90) },
    { why: 'epoch milliseconds', raw: { error: { reset: NOW + 4_000 } }, at: IN(4) },
    { why: 'an ISO time', raw: { error: { resets_at: '2026-11-22T12:10:00Z' } }, at: IN(600) },
    { why: 'Codex: seconds until then', raw: { data: { error: { type: 'usage_limit_reached', resets_in_seconds: 120 } } }, at: IN(120) },
    { why: 'Gemini: RetryInfo in the details', raw: { data: { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] }, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }] } } }, at: IN(12) },
    { why: 'a protobuf duration', raw: { retryDelay: { seconds: '3', nanos: 500_000_000 } }, at: NOW + 3_500 },
    { why: 'a duration in parts', raw: { headers: { 'x-ratelimit-reset-requests': '6m0s' } }, at: IN(360) },
    { why: 'a duration in milliseconds', raw: { headers: { 'x-ratelimit-reset-tokens': '120ms' } }, at: NOW + 120 },
    { why: 'a whole answer as JSON in a text', raw: { message: '{"error":{"code":429,"details":[{"retryDelay":"5s"}]}}' }, at: IN(5) },
    { why: 'the wait of this request before the windows', raw: { headers: { 'anthropic-ratelimit-tokens-reset': '2026-11-22T12:00:05Z', 'retry-after': '40' } }, at: IN(40) },
    { why: 'of several windows the first to come', raw: { primary: { resets_at: NOW / 1_000 + 18_000 }, secondary: { resets_at: NOW / 1_000 + 500_000 } }, at: IN(18_000) },
    { why: 'a time that is over, where there is no other', raw: { resetsAt: NOW / 1_000 - 10 }, at: IN(-10) },
  ],
  )('$why', ({ raw, at }) => expect(resetIn(raw, NOW)).toBe(at))
})

describe('ignores prose and odd shapes', () => {
  const round: Record<string, unknown> = {}
  round['self'] = round
  test.each(
    // prettier-ignore
    [
    { why: 'a sentence', raw: { message: 'Rate limited. Please retry after 30 seconds; resets at 3pm.' } },
    { why: 'a sentence under a name that is read', raw: { reset: 'in about 20 minutes', resetsAt: 'tomorrow 5', retryAfter: 'Retry in 30s.' } },
    { why: 'nothing', raw: undefined },
    { why: 'null', raw: null },
    { why: 'unusable values', raw: { resetsAt: NaN, retry_after: -5, reset: true, retryDelay: {}, reset_at: [] } },
    { why: 'broken JSON', raw: '{"retryDelay":"5s"' },
    { why: 'a cycle', raw: round },
    { why: 'deeper than any answer', raw: { a: { b: { c: { d: { e: { f: { g: { retry_after: 5 } } } } } } } } },
  ],
  )('$why names no time', ({ raw }) => expect(resetIn(raw, NOW)).toBeUndefined())
})

describe('Claude tells its limit in an update', () => {
  const update = (info: unknown) => ({
    sessionUpdate: 'usage_update',
    used: 1,
    size: 2,
    _meta: { '_claude/rateLimit': info },
  })
  test.each(
    // prettier-ignore
    [
    { why: 'rejected is limited', raw: update({ status: 'rejected', resetsAt: NOW / 1_000 + 60 }), notice: { limited: true, resetsAt: IN(60) } },
    { why: 'without a time too', raw: update({ status: 'rejected' }), notice: { limited: true } },
    { why: 'a warning is none', raw: update({ status: 'allowed_warning', resetsAt: NOW / 1_000 + 60, utilization: 0.9 }), notice: { limited: false } },
    { why: 'allowed ends it', raw: update({ status: 'allowed' }), notice: { limited: false } },
    { why: 'rejected, but allowed at extra cost', raw: update({ status: 'rejected', overageStatus: 'allowed', isUsingOverage: true }), notice: { limited: false } },
    { why: 'rejected, and so is the extra', raw: update({ status: 'rejected', overageStatus: 'rejected' }), notice: { limited: true } },
    { why: 'the event itself', raw: { sessionUpdate: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: NOW / 1_000 + 60 } }, notice: { limited: true, resetsAt: IN(60) } },
    { why: 'another update', raw: { sessionUpdate: 'usage_update', used: 1 }, notice: undefined },
    { why: 'text about it', raw: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'rate_limit_info {"status":"rejected"}' } }, notice: undefined },
    { why: 'another shape', raw: update('rejected'), notice: undefined },
    { why: 'no update', raw: undefined, notice: undefined },
  ],
  )('$why', ({ raw, notice }) => expect(limitNotice(raw, NOW)).toEqual(notice))
})
