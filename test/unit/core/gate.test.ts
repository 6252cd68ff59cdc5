import { expect, test } from 'vitest'
import { gate } from '../../../src/core/gate.js'

test.each([
  { why: 'all passed',                      passed: 20,  total: 20,  flaky: 0, verdict: 'success' },
  { why: 'a flaky test caps the outcome',   passed: 20,  total: 20,  flaky: 1, verdict: 'partial_success' },
  { why: 'one failure, which counts high',  passed: 99,  total: 100, flaky: 0, verdict: 'fix' },
  { why: '95 % with failures counted high', passed: 19,  total: 20,  flaky: 0, verdict: 'fix' },
  { why: 'a failure beside a flaky test',   passed: 19,  total: 20,  flaky: 1, verdict: 'fix' },
  { why: 'nothing passed',                  passed: 0,   total: 1,   flaky: 0, verdict: 'fix' },
])('004 gate: $why -> $verdict', ({ why: _, verdict, ...run }) => expect(gate(run)).toBe(verdict))
