import { expect, test } from 'vitest'
import { DESCRIPTION_CHARS, TASK_CHARS } from '../../../../src/contract/dev-cycle/cycle-input.js'
import { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import { LoopInput } from '../../../../src/contract/dev-loop/loop-input.js'
import { carriedInput, forNext, forRecord } from '../../../../src/core/dev-loop/loop-carried.js'
import { nextAction } from '../../../../src/core/dev-loop/loop-next-action.js'
import { jsonBytes } from '../../../../src/core/text/test-text.js'
import { measured } from '../../../support/test-runs.js'
import { fullState } from './full-state.js'
import { ended, loopState, validation } from './loop-state.js'

test.each(
  // prettier-ignore
  [
  { why: 'a short task',                                      chars: 100,               bytes: 16_000 },
  { why: 'the longest task',                                  chars: TASK_CHARS,        bytes: 16_000 },
  { why: 'the longest task with every further one: complete', chars: DESCRIPTION_CHARS, bytes: 20_000 },
],
)('a state is small, with everything at its bound: $why', ({ chars, bytes }) => {
  const state = fullState(chars)
  for (const carried of [forNext(state), forRecord(state)]) {
    expect(LoopState.parse(carried).texts).toEqual(state.texts)
    expect(jsonBytes(carried)).toBeLessThan(bytes)
    expect(carried.tasks.map(({ id, status }) => [id, status])).toEqual(
      state.tasks.map(({ id, status }) => [id, status]),
    )
    expect(carried.last).toMatchObject({
      action: 'complete',
      status: 'success',
      commit: 'c'.repeat(40),
    })
    expect(carried.last?.suggestion?.message.slice(0, 100)).toBe('m'.repeat(100))
    expect(carried).toMatchObject({
      validation: { passed: false, commit: state.head },
      baseline: state.baseline,
      head: state.head,
    })
  }
})

test('a loop of the usual size travels complete, without the prose of the last worker', () => {
  const state = loopState({
    lastRun: measured(4, 5),
    validation: validation(false),
    last: ended('debug', { findings: ['a leak'], summary: 'found' }),
  })
  expect(forNext(state)).toEqual({ ...state, last: ended('debug', { summary: 'found' }) })
})

test.each(
  // prettier-ignore
  [
  { why: 'in the order of auto mode',   rest: { last: ended('debug', { loopBack: { to: 'develop' as const, said: 'develop' } }) } },
  { why: 'the limit',                   rest: { iteration: 10 } },
  { why: 'stuck',                       rest: { last: ended('complete', { loopBack: { to: 'develop' as const, said: 'develop' } }), loopBacks: [...fullState(1).loopBacks.slice(0, -1), { from: 'complete' as const, to: 'develop' as const, times: 3, mark: 'm' }] } },
  { why: 'after complete',              rest: { tasks: [], validation: validation(true) } },
],
)('the next decision is the same before and after the boundary: $why', ({ rest }) => {
  const state = fullState(TASK_CHARS, rest)
  const chosen = (one: LoopState): string => {
    const next = nextAction(one)
    return 'end' in next ? next.end : next.action
  }
  expect(chosen(forNext(state))).toBe(chosen(state))
})

test('the newest entries stay', () => {
  const { history, findings, loopBacks } = forNext(fullState(100))
  expect(loopBacks.at(-1)).toMatchObject({ from: 'complete', to: 'develop' })
  expect(history.at(-1)?.iteration).toBe(29)
  expect(findings.every(({ status }) => status === 'open')).toBe(true)
})

test('the record needs no request ids, and few of the failures', () => {
  expect(
    forRecord(
      loopState({
        requestIds: ['r'],
        lastRun: measured(0, 50, {
          failures: measured(0, 5).failures.concat(measured(0, 5).failures),
        }),
      }),
    ),
  ).toMatchObject({ requestIds: [], lastRun: { failures: { length: 5 }, failuresTotal: 50 } })
})

test.each(
  // prettier-ignore
  [
  { why: 'a new loop',                  input: { project: '/repo', task: 'x', base: 'main', auto: true, maxIterations: 4 },       carried: { project: '/repo', loopId: 'run-1', maxIterations: 4 } },
  { why: 'a resumed one',               input: { project: '/repo', loopId: 'loop-1', extend: 'y', mode: 'parallel' as const },    carried: { project: '/repo', loopId: 'loop-1' } },
],
)('the texts and options of the start travel once, in the state: $why', ({ input, carried }) => {
  expect(carriedInput(input, 'run-1')).toEqual(carried)
  expect(LoopInput.safeParse(carried).success).toBe(true)
})
