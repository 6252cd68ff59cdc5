import { expect, test } from 'vitest'
import { describeError, isUnanswered } from '../../../src/cli/output/errors.js'
import { isServerUnavailable } from '../../../src/core/grpc.js'

const grpc = (code: number): Error => Object.assign(new Error(`gRPC ${code}`), { code })

test.each([
  { why: 'a call cut off as its deadline passed', code: 1, away: true, unanswered: true },
  { why: 'a deadline', code: 4, away: true, unanswered: true },
  { why: 'no server', code: 14, away: true, unanswered: true },
  { why: 'no worker for a query', code: 9, away: false, unanswered: true },
  { why: 'a wrong argument', code: 3, away: false, unanswered: false },
])('$why (gRPC $code) is away: $away, unanswered: $unanswered', ({ code, away, unanswered }) => {
  // The client wraps the server's error.
  const error = new Error('Failed to query Workflow', { cause: grpc(code) })
  expect(isServerUnavailable(error)).toBe(away)
  expect(isUnanswered(error)).toBe(unanswered)
})

test('a server that is away is no bug: exit code 3', () => {
  expect(describeError(grpc(1)).exitCode).toBe(3)
})
