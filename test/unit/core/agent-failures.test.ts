// Failures as the five agents report them.
import { expect, test } from 'vitest'
import { endingOfError, failureIn } from '../../../src/core/agents/agent-outcome.js'
import { readTokens } from '../../../src/core/agents/agent-events.js'

const answer = (failure: object) => ({
  stopReason: 'end_turn',
  _meta: { jetbrains: { air: { version: 1, sessionFailure: failure } } },
})

test.each(
  // prettier-ignore
  [
  { why: 'a quota that is used up', failure: { severity: 'error', category: 'limit', actions: [], title: 'used up' }, outcome: 'rate_limited' },
  { why: 'a rate that is too high', failure: { severity: 'error', category: 'limit', actions: ['retry'], title: 'slower' }, outcome: 'rate_limited' },
  { why: 'a context that is full, which waiting does not help', failure: { severity: 'error', category: 'limit', actions: ['new_session'], title: 'full' }, outcome: 'failed' },
  { why: 'no login', failure: { severity: 'error', category: 'access', actions: ['login'], title: 'no key' }, outcome: 'failed', reason: 'not logged in' },
  { why: 'a bad request', failure: { severity: 'error', category: 'request', actions: [], title: '{"error":{"message":"no such thing"}}' }, outcome: 'failed', reason: 'no such thing' },
  { why: 'a warning is none', failure: { severity: 'warning', category: 'service', actions: [], title: 'again' }, outcome: undefined },
  { why: 'a field of another shape is none', failure: 'limit' as unknown as object, outcome: undefined },
],
)(
  'agents.md P6: codex answers end_turn, and its field reports $why -> $outcome',
  ({ failure, outcome, reason }) => {
    const error = failureIn(answer(failure))
    const ending = error === undefined ? undefined : endingOfError(error)
    expect(ending?.outcome).toBe(outcome)
    if (reason !== undefined) expect(ending?.reason).toContain(reason)
  },
)

test.each(
  // prettier-ignore
  [
  { why: 'claude names the kind', error: { code: -32603, message: 'API Error', data: { errorKind: 'rate_limit' } }, outcome: 'rate_limited' },
  { why: 'gemini uses the HTTP status', error: { code: 429, message: 'Rate limit exceeded' }, outcome: 'rate_limited' },
  { why: 'gemini, a key that is refused', error: { code: 401, message: '{"error":{"message":"bad key"}}' }, outcome: 'failed', reason: 'not logged in or has no key: bad key' },
  { why: 'words alone are no limit', error: { code: -32603, message: 'Rate limit exceeded (429)' }, outcome: 'failed' },
  { why: 'what is no JSON is shown as it is', error: { code: 400, message: '{oops' }, outcome: 'failed', reason: '{oops' },
],
)('$why -> $outcome', ({ error, outcome, reason }) => {
  const ending = endingOfError(error)
  expect(ending.outcome).toBe(outcome)
  if (reason !== undefined) expect(ending.reason).toContain(reason)
})

test.each(
  // prettier-ignore
  [
  { why: 'qwen counts cached tokens inside of the input', raw: { inputTokens: 120, outputTokens: 7, cachedReadTokens: 20, totalTokens: 127 }, tokens: { input: 120, output: 7, cached: 20 } },
  { why: 'codex counts them apart', raw: { inputTokens: 100, outputTokens: 7, cachedReadTokens: 20, totalTokens: 127 }, tokens: { input: 120, output: 7, cached: 20 } },
  { why: 'thought apart, cached inside', raw: { inputTokens: 120, outputTokens: 7, cachedReadTokens: 20, thoughtTokens: 5, totalTokens: 132 }, tokens: { input: 120, output: 12, cached: 20 } },
],
)('$why', ({ raw, tokens }) => expect(readTokens(raw)).toEqual(tokens))
