// The pure rules for events, end and usage of a turn.
import { expect, test } from 'vitest'
import { eventLabel, readTokens, readUpdate } from '../../../src/core/agents/agent-events.js'
import { endingOf, endingOfError } from '../../../src/core/agents/agent-outcome.js'
import { addUsage, costSince, promptUsage } from '../../../src/core/agents/agent-usage.js'

test.each(
  // prettier-ignore
  [
  { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } }, event: { kind: 'text', text: 'hi' } },
  { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'image' } }, event: { kind: 'text', text: '' } },
  { update: { sessionUpdate: 'agent_thought_chunk', content: { text: 'hm' } }, event: { kind: 'thought', text: 'hm' } },
  { update: { sessionUpdate: 'tool_call', toolCallId: '1', title: 'run', status: 'pending' }, event: { kind: 'tool', id: '1', title: 'run', running: true } },
  { update: { sessionUpdate: 'tool_call', toolCallId: '1', title: 'run' }, event: { kind: 'tool', id: '1', title: 'run', running: true } },
  { update: { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'failed' }, event: { kind: 'tool', id: '1', title: '1', running: false } },
  { update: { sessionUpdate: 'tool_call_update', toolCallId: '1', content: [] }, event: { kind: 'other', name: 'tool_call_update' } },
  { update: { sessionUpdate: 'usage_update', cost: { amount: 2, currency: 'USD' } }, event: { kind: 'cost', usd: 2 } },
  { update: { sessionUpdate: 'usage_update', cost: { amount: 2, currency: 'EUR' } }, event: { kind: 'other', name: 'usage_update' } },
  { update: { sessionUpdate: 'plan' }, event: { kind: 'other', name: 'plan' } },
  { update: null, event: { kind: 'other', name: 'unknown' } },
  { update: [1], event: { kind: 'other', name: 'unknown' } },
],
)('update $update is read as $event', ({ update, event }) =>
  expect(readUpdate(update)).toEqual(event),
)

test('a heartbeat label is short', () => {
  expect(
    eventLabel(readUpdate({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'x'.repeat(500) })),
  ).toHaveLength(80)
})

test.each(
  // prettier-ignore
  [
  { raw: { inputTokens: 10, outputTokens: 2, cachedReadTokens: 5, cachedWriteTokens: 1, thoughtTokens: 3 }, tokens: { input: 16, output: 5, cached: 5 } },
  { raw: { input_tokens: 1, output_tokens: 2 }, tokens: { input: 1, output: 2 } },
  { raw: { outputTokens: 2 }, tokens: { input: 0, output: 2 } },
  { raw: { inputTokens: -1, outputTokens: Number.NaN }, tokens: undefined },
  { raw: null, tokens: undefined },
],
)('tokens $raw are read as $tokens', ({ raw, tokens }) => expect(readTokens(raw)).toEqual(tokens))

const chars = { promptChars: 400, answerChars: 41 }
test.each(
  // prettier-ignore
  [
  { why: "the answer's usage first", p: { response: { usage: { inputTokens: 1, outputTokens: 1 }, _meta: { quota: { token_count: { input_tokens: 9, output_tokens: 9 } } } }, chunkTokens: { input: 7, output: 7 } }, want: [1, 1, false] },
  { why: 'then the quota', p: { response: { _meta: { quota: { token_count: { input_tokens: 9, output_tokens: 8 } } } }, chunkTokens: { input: 7, output: 7 } }, want: [9, 8, false] },
  { why: 'then the chunks', p: { response: { usage: null }, chunkTokens: { input: 7, output: 6 } }, want: [7, 6, false] },
  { why: 'else characters / 4, marked', p: {}, want: [100, 11, true] },
],
)('usage: $why', ({ p, want }) => {
  const { inputTokens, outputTokens, estimated } = promptUsage({ ...chars, ...p })
  expect([inputTokens, outputTokens, estimated]).toEqual(want)
})

const before = { input: 100, output: 10 }
const answers = (inputTokens: number, outputTokens: number) => ({
  response: { usage: { inputTokens, outputTokens } },
})
const over = (isDeclared: boolean, known: typeof before | undefined = before) => ({
  session: { before: known, isDeclared },
})
const calls = { chunkTokens: { input: 30, output: 3 } }
test.each(
  // prettier-ignore
  [
  { why: 'declared: what was before is subtracted', p: { ...answers(130, 13), ...over(true) }, want: [30, 3, false] },
  { why: 'declared, in a new session', p: { ...answers(130, 13), ...over(true, { input: 0, output: 0 }) }, want: [130, 13, false] },
  { why: 'declared, and lower than before: a new count', p: { ...answers(30, 3), ...over(true) }, want: [30, 3, false] },
  { why: 'declared, and unknown before: an estimate', p: { ...answers(130, 13), session: { before: undefined, isDeclared: true } }, want: [100, 11, true] },
  { why: 'not declared: growing numbers show nothing', p: { ...answers(130, 13), ...over(false) }, want: [130, 13, false] },
  { why: 'shown by the calls of the prompt', p: { ...answers(130, 13), ...calls, ...over(false) }, want: [30, 3, false] },
  { why: 'not shown by calls that are other numbers', p: { ...answers(131, 13), ...calls, ...over(false) }, want: [131, 13, false] },
  { why: 'not shown in a new session', p: { ...answers(30, 3), ...calls, ...over(false, { input: 0, output: 0 }) }, want: [30, 3, false] },
],
)('tokens over a session: $why', ({ p, want }) => {
  const { inputTokens, outputTokens, estimated } = promptUsage({ ...chars, ...p })
  expect([inputTokens, outputTokens, estimated]).toEqual(want)
})

test('usage: a sum with an estimate is an estimate', () => {
  const a = { inputTokens: 1, outputTokens: 2, costUsd: 0.5, estimated: false }
  const b = { inputTokens: 3, outputTokens: 4, estimated: true }
  expect(addUsage(a, b)).toEqual({ inputTokens: 4, outputTokens: 6, costUsd: 0.5, estimated: true })
  expect(addUsage(b, b).costUsd).toBeUndefined()
})

test('usage: cached tokens are those that were reported', () => {
  const response = {
    usage: { inputTokens: 10, outputTokens: 1, cachedReadTokens: 8, totalTokens: 11 },
  }
  const cached = promptUsage({ ...chars, response })
  expect(cached).toEqual({ inputTokens: 10, outputTokens: 1, cachedTokens: 8, estimated: false })
  const without = promptUsage({
    ...chars,
    response: { usage: { inputTokens: 5, outputTokens: 1 } },
  })
  expect(without).not.toHaveProperty('cachedTokens')
  expect(addUsage(cached, without)).toMatchObject({ inputTokens: 15, cachedTokens: 8 })
})

test('cost: a number lower than before is a new count', () => {
  expect([costSince(1, 3), costSince(3, 1)]).toEqual([2, 1])
})

test.each([
  { stop: 'end_turn', outcome: 'completed' },
  { stop: 'max_tokens', outcome: 'completed' },
  { stop: 'refusal', outcome: 'failed' },
  { stop: 'cancelled', outcome: 'failed' },
  { stop: undefined, outcome: 'failed' },
])('stop reason $stop, unasked, is $outcome', ({ stop, outcome }) =>
  expect(endingOf(stop).outcome).toBe(outcome),
)

test.each(
  // prettier-ignore
  [
  { error: { code: 429, message: 'x' }, outcome: 'rate_limited' },
  { error: { code: -32603, message: 'x', data: { status: 429 } }, outcome: 'rate_limited' },
  { error: { code: -32603, message: 'x', data: { error: { code: '429' } } }, outcome: 'rate_limited' },
  { error: { code: -32603, message: 'x', data: { error: { type: 'rate_limit_error' } } }, outcome: 'rate_limited' },
  { error: { code: -32603, message: 'Error 429: rate limit exceeded' }, outcome: 'failed' },
  { error: { code: -32603, message: 'x', data: 'rate_limit_error' }, outcome: 'failed' },
  { error: { code: -32000, message: 'x', data: { status: 429 } }, outcome: 'failed' },
],
)('error $error is $outcome', ({ error, outcome }) =>
  expect(endingOfError(error).outcome).toBe(outcome),
)
