import { expect, test } from 'vitest'
import type {
  LoopBack,
  LoopState,
  WorkerEnd,
} from '../../../../src/contract/dev-loop/loop-state.js'
import { loopBacksAfter, stuckLoopBack, wayBack } from '../../../../src/core/dev-loop/loop-backs.js'
import { wentHow } from '../../../../src/core/dev-loop/action-went.js'
import { measured } from '../../../support/test-runs.js'
import { HEAD, ended, late, loopState, quality, task } from './loop-state.js'

test.each(
  // prettier-ignore
  [
  { why: 'success',                                     end: ended('develop'),                                              how: 'done' },
  { why: 'success at the last moment',                  end: ended('develop', { timedOut: true }),                          how: 'done' },
  { why: 'partial',                                     end: ended('debug', { status: 'partial' }),                         how: 'partial' },
  { why: 'out of time: what is there is used',          end: late('develop'),                                               how: 'partial' },
  { why: 'no answer, but work',                         end: ended('develop', { status: 'unknown', commit: 'c1' }),         how: 'partial' },
  { why: 'neither answer nor work',                     end: ended('develop', { status: 'unknown' }),                       how: 'failed' },
  { why: 'a debug without an answer has looked',        end: ended('debug', { status: 'unknown' }),                         how: 'partial' },
  { why: 'failed, with work',                           end: ended('develop', { status: 'failed', commit: 'c1' }),          how: 'failed' },
  { why: 'it asked and got nowhere',                    end: ended('debug', { status: 'needs_input' }),                     how: 'failed' },
],
)('how it went: $why -> $how', ({ end, how }) => expect(wentHow(end)).toBe(how))

test.each(
  // prettier-ignore
  [
  { why: 'its own word',                                end: ended('develop', { loopBack: { to: 'init', said: 'init' }, blocked: true, status: 'failed' }), to: 'init' },
  { why: 'a success continues',                         end: ended('develop', { next: 'debug' }),                           to: undefined },
  { why: 'blocked',                                     end: ended('develop', { status: 'partial', blocked: true }),        to: 'debug' },
  { why: 'unsuccessful, with a suggestion',             end: ended('develop', { status: 'failed', next: 'Debug it' }),      to: 'debug' },
  { why: 'a suggestion that only begins like it',       end: ended('develop', { status: 'partial', next: 'debugger' }),     to: 'develop' },
  { why: 'partial',                                     end: ended('develop', { status: 'partial' }),                       to: 'develop' },
  { why: 'failed',                                      end: ended('develop', { status: 'failed' }),                        to: undefined },
  { why: 'another worker suggests, and decides nothing', end: ended('validate', { status: 'failed', next: 'debug' }),       to: undefined },
] as const,
)('the way back: $why -> $to', ({ end, to }) => expect(wayBack(end)).toBe(to))

type Row = {
  why: string
  from?: Partial<LoopState>
  then?: Partial<LoopState>
  end?: Partial<WorkerEnd>
  times: number
}

const back = { loopBack: { to: 'develop', said: 'develop' } } as const

test.each<Row>(
  // prettier-ignore
  [
  { why: 'nothing has changed',                         times: 2 },
  { why: 'a task was completed',                        then: { tasks: [task('T1', 'completed')] },                         times: 1 },
  { why: 'more tests pass',                             then: { lastRun: measured(4, 5) },                                  times: 1 },
  { why: 'a check passes again',                        from: { quality: quality({ name: 'lint' }) }, then: { quality: quality({ name: 'lint', result: 'passed' }) }, times: 1 },
  { why: 'a check still fails',                         from: { quality: quality({ name: 'lint' }) }, then: { quality: quality({ name: 'lint' }) }, times: 2 },
  { why: 'a new commit of a validate is no progress',   then: { head: 'd'.repeat(40) }, end: { commit: 'd'.repeat(40) },    times: 2 },
  { why: 'another target',                              end: { loopBack: { to: 'debug', said: 'debug' } },                  times: 1 },
],
)('the same loop-back of a validate: $why -> $times', ({ from, then, end, times }) => {
  const state = loopState({ lastRun: measured(3, 5), ...from })
  const loopBacks = loopBacksAfter(state, ended('validate', back))
  const last = ended('validate', { ...back, ...end })
  expect(loopBacksAfter(loopState({ ...state, ...then, loopBacks }), last).at(-1)).toMatchObject({
    from: 'validate',
    to: last.loopBack?.to,
    times,
  })
})

test.each([
  { why: 'a new commit is progress', commit: 'd'.repeat(40), times: 1 },
  { why: 'none is not', commit: null, times: 2 },
])('the same loop-back of a develop: $why -> $times', ({ commit, times }) => {
  const partial = ended('develop', { status: 'partial' })
  const loopBacks = loopBacksAfter(loopState({ head: HEAD }), partial)
  expect(
    loopBacksAfter(loopState({ head: commit ?? HEAD, loopBacks }), { ...partial, commit })[0]
      ?.times,
  ).toBe(times)
})

test('a worker that continues keeps the loop-backs and is not stopped by them', () => {
  const loopBacks: LoopBack[] = [{ from: 'develop', to: 'develop', times: 3, mark: 'm' }]
  expect(loopBacksAfter(loopState({ loopBacks }), ended('develop'))).toEqual(loopBacks)
  expect(stuckLoopBack({ last: ended('develop'), loopBacks })).toBeUndefined()
  expect(stuckLoopBack({ last: ended('develop', { status: 'partial' }), loopBacks })).toEqual(
    loopBacks[0],
  )
  expect(stuckLoopBack({ loopBacks })).toBeUndefined()
})
