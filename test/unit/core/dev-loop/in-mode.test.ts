import { expect, test } from 'vitest'
import type { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import type { LoopMode } from '../../../../src/contract/dev-loop/loop-input.js'
import { inMode } from '../../../../src/core/dev-loop/in-mode.js'
import { loopState } from './loop-state.js'

const spent: Partial<LoopState> = {
  iteration: 12,
  maxIterations: 10,
  timeouts: 2,
  loopBacks: [{ from: 'debug', to: 'develop', times: 3, mark: 'm' }],
  stalled: 'two validations in a row found the same',
  validationMark: { mark: 'm', iteration: 11, cannotRun: false },
  roundMark: 'm',
}
/** The brakes of the mode before. */
const FREE = {
  timeouts: 0,
  loopBacks: [],
  stalled: undefined,
  validationMark: undefined,
  roundMark: undefined,
}

test.each<{ why: string; state: Partial<LoopState>; to: LoopMode; then: Partial<LoopState> }>(
  // prettier-ignore
  [
  { why: 'a person was not bound: the limit counts from here',  state: { ...spent, mode: 'interactive' },                                           to: 'auto',        then: { mode: 'auto', maxIterations: 22 } },
  { why: 'the limit that was asked for',                        state: { ...spent, mode: 'interactive', input: { project: '/r', maxIterations: 4 } }, to: 'parallel',    then: { mode: 'parallel', maxIterations: 16 } },
  { why: 'what is left of it is enough',                        state: { ...spent, mode: 'interactive', iteration: 9 },                             to: 'auto',        then: { mode: 'auto' } },
  { why: 'rounds are no workers: they count from here',         state: { ...spent, mode: 'auto', iteration: 7, maxIterations: 8 },                  to: 'parallel',    then: { mode: 'parallel', maxIterations: 17 } },
  { why: 'nor do workers count as rounds of a person',          state: { ...spent, mode: 'interactive', iteration: 3 },                             to: 'parallel',    then: { mode: 'parallel', maxIterations: 13 } },
  { why: 'workers are no rounds',                               state: { ...spent, mode: 'parallel', iteration: 3 },                                to: 'auto',        then: { mode: 'auto', maxIterations: 13 } },
  { why: 'a person is not bound',                               state: { ...spent, mode: 'auto' },                                                  to: 'interactive', then: { mode: 'interactive' } },
],
)('another mode: $why', ({ state, to, then }) =>
  expect(inMode(loopState(state), to)).toStrictEqual({ ...FREE, ...then }),
)
