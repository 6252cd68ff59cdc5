// The part of the status that every kind of run has.
import { expect, test } from 'vitest'
import { StatusReply } from '../../../../src/contract/result.js'
import { statusReply } from '../../../../src/core/run/status-reply.js'

const LIVE = {
  id: 'c',
  kind: 'dev-cycle',
  project: '/repo',
  status: 'running',
  phase: 'cd',
  waitingFor: 'agent: cd',
  questions: 0,
} as const

test('before the workspace is ready', () => {
  expect(StatusReply.parse(statusReply(LIVE, undefined))).toEqual({
    ...LIVE,
    iteration: 0,
    maxIterations: 0,
    passRate: null,
    branch: null,
    history: [],
  })
})

test('with a state', () => {
  const state = {
    iteration: 2,
    maxIterations: 5,
    prepared: { workspace: { branch: 'ratchet/cycle-v1-x' } },
    history: [],
  }
  expect(StatusReply.parse(statusReply(LIVE, state))).toEqual({
    ...LIVE,
    iteration: 2,
    maxIterations: 5,
    passRate: null,
    branch: 'ratchet/cycle-v1-x',
    history: [],
  })
})
