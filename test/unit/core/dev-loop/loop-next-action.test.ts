import { expect, test } from 'vitest'
import {
  LoopState as Schema,
  type LoopState,
} from '../../../../src/contract/dev-loop/loop-state.js'
import { nextAction } from '../../../../src/core/dev-loop/loop-next-action.js'
import { measured } from '../../../support/test-runs.js'
import { ended, finding, late, loopState, summary, task, validation } from './loop-state.js'

const done = [task('T1', 'completed')]
const to = (
  action: 'init' | 'develop' | 'debug' | 'validate' | 'complete',
  word: string = action,
) => ({ loopBack: { to: action, said: word } })

test('the state of these tables is one', () =>
  expect(() =>
    Schema.parse(
      loopState({
        last: ended('develop'),
        validation: validation(true),
        findings: [finding('F-001')],
        workers: [summary('init')],
      }),
    ),
  ).not.toThrow())

type Row = { why: string; state: Partial<LoopState>; then: string; reason?: RegExp }

function check({ state, then, reason }: Row): void {
  const next = nextAction(loopState(state))
  expect('end' in next ? `end ${next.end}` : next.action).toBe(then)
  const text = 'end' in next ? (next.reason ?? '') : next.because
  if (reason !== undefined) expect(text).toMatch(reason)
  expect(text).not.toMatch(/[\n]|undefined/)
}

test.each<Row>(
  // prettier-ignore
  [
  { why: 'nothing is planned',                            state: { initialised: false, tasks: [] },                                            then: 'init' },
  { why: 'init succeeded',                                state: { last: ended('init') },                                                      then: 'develop', reason: /T1/ },
  { why: 'init failed: there is one generic task',        state: { last: ended('init', { status: 'failed' }) },                                then: 'develop' },
  { why: 'init gave no usable answer',                    state: { last: ended('init', { status: 'unknown' }) },                               then: 'develop' },
  { why: 'init asked and got nowhere',                    state: { last: ended('init', { status: 'needs_input' }) },                           then: 'develop' },
  { why: 'init ran out of time',                          state: { last: late('init'), timeouts: 1 },                                          then: 'develop' },
  { why: 'a later init found nothing more to do',         state: { last: ended('init'), tasks: done },                                         then: 'validate' },
],
)('after init: $why -> $then', check)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'tasks are pending',                  state: { last: ended('develop'), tasks: [...done, task('T2')] },                                 then: 'develop', reason: /T2/ },
  { why: 'the last task is done',                               state: { last: ended('develop'), tasks: done },                                                  then: 'validate' },
  { why: 'it claims to be done and suggests debug',             state: { last: ended('develop', { next: 'debug' }), tasks: done },                               then: 'validate' },
  { why: 'blocked',                                             state: { last: ended('develop', { status: 'failed', blocked: true }), tasks: [task('T1', 'blocked')] }, then: 'debug', reason: /blocked/ },
  { why: 'blocked again since the last debug: it asks for it',  state: { last: ended('develop', { status: 'failed', blocked: true }), debugged: true },          then: 'debug' },
  { why: 'failed, and suggests debug',                          state: { last: ended('develop', { status: 'failed', next: 'debug the parser first' }) },         then: 'debug' },
  { why: 'partial, and suggests debug',                         state: { last: ended('develop', { status: 'partial', next: 'debug' }), debugged: true },         then: 'debug' },
  { why: 'failed, and suggests develop',                        state: { last: ended('develop', { status: 'failed', next: 'develop', summary: 'no compiler' }) }, then: 'end failed', reason: /^Worker develop failed: no compiler$/ },
  { why: 'failed without a word',                               state: { last: ended('develop', { status: 'failed', summary: '', note: 'exit code 1' }) },       then: 'end failed', reason: /^Worker develop failed: exit code 1$/ },
  { why: 'failed, although it left a commit',                   state: { last: ended('develop', { status: 'failed', commit: 'c1' }) },                           then: 'end failed' },
  { why: 'asked and got nowhere',                               state: { last: ended('develop', { status: 'needs_input' }) },                                    then: 'end failed' },
  { why: 'partial: there is more of the task',                  state: { last: ended('develop', { status: 'partial', commit: 'c1' }) },                          then: 'develop', reason: /partial/ },
  { why: 'unknown, its work is committed',                      state: { last: ended('develop', { status: 'unknown', commit: 'c1' }) },                          then: 'develop' },
  { why: 'unknown, nothing is committed',                       state: { last: ended('develop', { status: 'unknown', summary: '' }) },                           then: 'end failed', reason: /no usable answer/ },
  { why: 'it ran out of time once',            state: { last: late('develop'), timeouts: 1 },                                                   then: 'develop', reason: /out of time/ },
  { why: 'twice in a row',                  state: { last: late('develop'), timeouts: 2 },                                                   then: 'end failed', reason: /ran out of time twice in a row/ },
  { why: 'a blocked task is left, without a debug',             state: { last: ended('develop'), tasks: [...done, task('T2', 'blocked')] },                      then: 'debug', reason: /T2 is blocked/ },
  { why: 'a blocked task is left, debug had its turn',          state: { last: ended('develop'), tasks: [...done, task('T2', 'blocked')], debugged: true },      then: 'develop', reason: /T2 is blocked/ },
  { why: 'a blocked task is left that was tried twice',         state: { last: ended('develop'), tasks: [...done, task('T2', 'blocked', { aside: { times: 2, why: 'no key' } })] }, then: 'validate' },
  { why: 'nothing but a task that was tried twice, and nothing is committed', state: { last: ended('develop'), tasks: [task('T2', 'blocked', { aside: { times: 2, why: 'no key' } })], commits: [] }, then: 'end failed', reason: /^T2 is blocked after 2 tries: no key; .*nothing was committed/ },
],
)('after develop: $why -> $then', check)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'it found the cause',                     state: { last: ended('debug'), debugged: true, tasks: done, validation: validation(false) },                        then: 'develop' },
  { why: 'it is not sure',                         state: { last: ended('debug', { status: 'partial' }), debugged: true, tasks: done },                                then: 'develop' },
  { why: 'no usable answer',                       state: { last: ended('debug', { status: 'unknown' }), debugged: true, tasks: done },                                then: 'develop' },
  { why: 'it ran out of time',                     state: { last: late('debug'), timeouts: 1, debugged: true, tasks: done },                                           then: 'develop' },
  { why: 'it failed',                              state: { last: ended('debug', { status: 'failed', summary: 'cannot reproduce' }), debugged: true },                 then: 'end failed', reason: /^Worker debug failed: cannot reproduce$/ },
],
)('after debug: $why -> $then', check)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'passed, nothing pending',                            state: { last: ended('validate'), tasks: done, validation: validation(true) },                                              then: 'complete' },
  { why: 'passed, a finding is open',                          state: { last: ended('validate', { findings: ['slow'] }), findings: [finding('F-001', 'open', { source: 'validate' })], tasks: done, validation: validation(true) }, then: 'debug' },
  { why: 'passed, a remark of low severity is open',           state: { last: ended('validate'), findings: [finding('F-001', 'open', { source: 'validate', description: '[low] a name' })], tasks: done, validation: validation(true) }, then: 'complete' },
  { why: 'it gave no answer',                                  state: { last: late('validate'), tasks: done, validation: validation(false, { word: 'silent', status: 'unknown' }) },        then: 'validate' },
  { why: 'it gave no answer, and tests fail',                  state: { last: late('validate'), tasks: done, lastRun: measured(4, 5), validation: validation(false, { word: 'silent', status: 'unknown' }) }, then: 'debug' },
  { why: 'passed, the worker ran out of time',                 state: { last: late('validate'), timeouts: 1, tasks: done, validation: validation(true) },                                  then: 'complete' },
  { why: 'passed, a task came in meanwhile',                   state: { last: ended('validate'), tasks: [...done, task('T2')], validation: validation(true) },                             then: 'develop' },
  { why: 'passed, a task is blocked',                          state: { last: ended('validate'), tasks: [...done, task('T2', 'blocked')], validation: validation(true) },                  then: 'debug' },
  { why: 'failed, despite the worker',                         state: { last: ended('validate'), tasks: done, validation: validation(false) },                                             then: 'debug', reason: /4 of 5/ },
  { why: 'failed, a task is pending',                          state: { last: ended('validate'), tasks: [...done, task('T2')], validation: validation(false) },                            then: 'develop', reason: /T2/ },
  { why: 'it is about an older commit',                        state: { last: ended('validate'), tasks: done, validation: validation(true, { commit: 'b'.repeat(40) }) },                  then: 'validate' },
],
)('after validate: $why -> $then', check)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'the last validation passed',                         state: { last: ended('complete'), tasks: done, lastRun: measured(5, 5), validation: validation(true) },                     then: 'end completed', reason: /^$/ },
  { why: 'complete says it is partial',                        state: { last: ended('complete', { status: 'partial' }), tasks: done, lastRun: measured(5, 5), validation: validation(true) },                       then: 'end completed', reason: /^$/ },
  { why: 'complete failed',                                    state: { last: ended('complete', { status: 'failed', summary: 'no log' }), tasks: done, validation: validation(true) },     then: 'end completed', reason: /complete did not finish: no log/ },
  { why: 'complete ran out of time, the worker before it too', state: { last: late('complete'), timeouts: 2, tasks: done, validation: validation(true) },                                  then: 'end completed', reason: /complete did not finish/ },
  { why: 'nothing can be measured',                            state: { last: ended('complete'), tasks: done, unmeasured: 'there are no tests', validation: validation(true, { passRate: null }) }, then: 'end completed', reason: /no test ran: there are no tests/ },
  { why: 'nothing was measured, and it is known why',          state: { last: ended('complete'), tasks: done, unmeasured: 'there are no tests' },                                          then: 'validate' },
  { why: 'a task stayed blocked',                              state: { last: ended('complete'), tasks: [...done, task('T2', 'blocked')], validation: validation(true) },                  then: 'debug', reason: /T2 is blocked/ },
  { why: 'a task stayed blocked, and was tried twice',         state: { last: ended('complete'), tasks: [...done, task('T2', 'blocked', { aside: { times: 2, why: 'no key' } })], validation: validation(true) }, then: 'end failed', reason: /^T2 is blocked after 2 tries: no key; 1 item is open: T2 is not done/ },
  { why: 'nothing was committed',                              state: { last: ended('complete'), tasks: done, commits: [], validation: validation(true) },                                   then: 'end failed', reason: /nothing was committed/ },
  { why: 'the last validation failed',                         state: { last: ended('complete'), tasks: done, validation: validation(false) },                                             then: 'debug', reason: /tests fail/ },
  { why: 'a task that needs no change, said after the validation', state: { last: ended('develop'), tasks: [task('T1', 'completed', { noChange: 'x', unseen: true })], validation: validation(true) }, then: 'validate', reason: /no validation has looked at T1/ },
  { why: 'it was never validated',                             state: { last: ended('complete'), tasks: done },                                                                            then: 'validate', reason: /not been validated/ },
  { why: 'a further task came in meanwhile',                   state: { last: ended('complete'), tasks: [...done, task('T2')], validation: validation(true) },                             then: 'develop', reason: /T2/ },
  { why: 'it sends the loop back',                             state: { last: ended('complete', to('develop')), tasks: done, validation: validation(true) },                               then: 'develop', reason: /complete sends it to develop/ },
  { why: 'the iterations are spent: the end stands',           state: { last: ended('complete'), tasks: done, validation: validation(true), iteration: 10 },                               then: 'end completed' },
],
)('after complete: $why -> $then', check)

const thrice = (from: 'develop' | 'debug' | 'validate', target: 'develop' | 'debug') => [
  { from, to: target, times: 3, mark: 'm' },
]

test.each<Row>(
  // prettier-ignore
  [
  { why: 'trap 3: it wins over failed',                    state: { last: ended('develop', { status: 'failed', ...to('debug') }) },                                              then: 'debug' },
  { why: 'trap 3: an unknown target is develop',           state: { last: ended('validate', to('develop', 'implement')), tasks: done, validation: validation(true) },            then: 'develop', reason: /develop \("implement"\)/ },
  { why: 'trap 3: forward to validate',                    state: { last: ended('develop', to('validate')), tasks: [...done, task('T2')] },                                      then: 'validate' },
  { why: 'trap 3: forward to complete',                    state: { last: ended('validate', to('complete')), tasks: done, validation: validation(true) },                        then: 'complete' },
  { why: 'forward to complete, nothing is validated',      state: { last: ended('develop', to('complete')), tasks: done },                                                       then: 'validate', reason: /not been validated/ },
  { why: 'back to init',                                   state: { last: ended('develop', to('init')) },                                                                        then: 'init' },
  { why: 'it asks for itself',                             state: { last: ended('validate', to('validate')), tasks: done, validation: validation(false) },                       then: 'validate' },
  { why: 'twice without progress',                         state: { last: ended('validate', to('develop')), tasks: done, validation: validation(false), loopBacks: [{ from: 'validate', to: 'develop', times: 2, mark: 'm' }] }, then: 'develop' },
  { why: 'three times without progress',                   state: { last: ended('validate', { summary: 'still red', ...to('develop') }), tasks: done, validation: validation(false), loopBacks: thrice('validate', 'develop') }, then: 'end failed', reason: /validate went back to develop 3 times without progress \(still red\)/ },
  { why: 'another one was taken three times',              state: { last: ended('validate', to('develop')), tasks: done, validation: validation(false), loopBacks: thrice('debug', 'develop') }, then: 'develop' },
  { why: 'unsuccessful three times, without a word',       state: { last: ended('develop', { status: 'partial' }), loopBacks: thrice('develop', 'develop') },                    then: 'end failed', reason: /develop went back to develop 3 times/ },
  { why: 'blocked three times',                            state: { last: ended('develop', { status: 'failed', blocked: true }), loopBacks: thrice('develop', 'debug') },        then: 'end failed', reason: /develop went back to debug 3 times/ },
  { why: 'it was taken three times, and then succeeded',   state: { last: ended('develop'), tasks: done, loopBacks: thrice('develop', 'develop') },                              then: 'validate' },
  { why: 'out of time twice: the loop ends',               state: { last: late('develop', to('develop')), timeouts: 2 },                                                         then: 'end failed', reason: /twice in a row/ },
],
)('loop-back: $why -> $then', check)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'init is done',                                   state: {},                                                                                                            then: 'develop' },
  { why: 'a develop was cut off',                          state: { phase: 'develop', tasks: [...done, task('T2', 'in_progress')] },                                             then: 'develop', reason: /T2/ },
  { why: 'all developed, never validated',                 state: { phase: 'develop', tasks: done },                                                                             then: 'validate' },
  { why: 'validated before the last commit',               state: { phase: 'develop', tasks: done, validation: validation(true, { commit: 'b'.repeat(40) }) },                   then: 'validate' },
  { why: 'the validation failed',                          state: { phase: 'validate', tasks: done, validation: validation(false), workers: [summary('validate', { iteration: 2 })] }, then: 'debug' },
  { why: 'the validation failed, debug has been',          state: { phase: 'debug', tasks: done, validation: validation(false), workers: [summary('debug', { iteration: 3 })] }, then: 'develop' },
  { why: 'the validation failed after the debug',          state: { tasks: done, validation: validation(false), workers: [summary('debug', { iteration: 1 })] },                 then: 'debug' },
  { why: 'the validation passed',                          state: { phase: 'complete', tasks: done, validation: validation(true) },                                              then: 'complete' },
  { why: 'a further task was added to a completed one',    state: { phase: 'complete', tasks: [...done, task('T2')], validation: validation(true) },                             then: 'develop' },
  { why: 'its tasks are lost',                             state: { tasks: [] },                                                                                                 then: 'develop' },
  { why: 'it was stopped before init',                     state: { initialised: false, tasks: [] },                                                                             then: 'init' },
],
)('a loop resumed from its record: $why -> $then', check)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'one is left',                                    state: { iteration: 9 },                                                                                              then: 'develop' },
  { why: 'none is left',                                   state: { iteration: 10, tasks: [task('T3'), task('T4', 'blocked')] },                                                  then: 'end max_iterations', reason: /the 10 iterations are spent, and develop is next: T3 is pending; 3 items are open: T3 is not done.*; no validation has checked the work; T4 is not done/ },
  { why: 'none is left, only complete is open',            state: { iteration: 10, last: ended('validate'), tasks: done, validation: validation(true) },                         then: 'end max_iterations', reason: /complete is next/ },
  { why: 'none is left before init',                       state: { iteration: 10, initialised: false, tasks: [] },                                                              then: 'end max_iterations' },
  { why: 'the budget was lowered meanwhile',               state: { iteration: 12 },                                                                                             then: 'end max_iterations' },
  { why: 'a failure is a failure in the last one, too',    state: { iteration: 10, last: ended('develop', { status: 'failed' }) },                                               then: 'end failed' },
],
)('max iterations: $why -> $then', check)
