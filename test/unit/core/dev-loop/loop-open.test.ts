// Open items of a loop by its state. The rule itself: test/unit/core/run/open-items.test.ts.
import { expect, test } from 'vitest'
import type { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import { openIn, openLine } from '../../../../src/core/dev-loop/loop-open.js'
import { measured } from '../../../support/test-runs.js'
import { finding, loopState, quality, task, validation } from './loop-state.js'

const DONE: Partial<LoopState> = {
  tasks: [task('T1', 'completed')],
  lastRun: measured(5, 5),
  validation: validation(true),
}

test.each<{ why: string; state: Partial<LoopState>; open: string[] }>(
  // prettier-ignore
  [
  { why: 'nothing',                                          state: {},                                                                              open: [] },
  { why: 'a task that is pending',                           state: { tasks: [task('T1')] },                                                         open: ['T1 is not done: build T1'] },
  { why: 'a task that is blocked',                           state: { tasks: [task('T1', 'blocked')] },                                              open: ['T1 is not done: build T1'] },
  { why: 'a blocked one, where another was claimed',         state: { tasks: [task('T1', 'blocked'), task('T2', 'completed', { claimed: true })] },  open: ['T1 is not done: build T1', 'T2 is not done: build T2'] },
  { why: 'a claimed one, if only another worker has committed', state: { tasks: [task('T1', 'pending', { claimed: true })] },                         open: ['T1 is not done: build T1'] },
  { why: 'claimed ones: the validation closes them',         state: { developed: true, tasks: [task('T1', 'completed', { claimed: true }), task('T2', 'pending', { claimed: true })] }, open: [] },
  { why: 'a claimed one of a developer that names tasks',    state: { namesTasks: true, tasks: [task('T1', 'completed', { claimed: true })] },       open: ['T1 is not done: build T1'] },
  { why: 'a task whose work was taken back',                 state: { tasks: [task('T1', 'pending', { takenBack: true })] },                         open: ['a later commit reverted the work on T1: every file that it changed is as it was before'] },
  { why: 'a task whose work was lost',                       state: { tasks: [task('T1', 'pending', { lost: 'a.ts' })] },                            open: ['T1 was lost in the merge of a.ts'] },
  { why: 'a task without a change, and no validation',       state: { tasks: [task('T1', 'completed', { noChange: 'x' })], validation: undefined }, open: ['T1 needs no change according to the developer, but no validation agrees', 'no validation has checked the work'] },
  { why: 'a task without a change that no validation has seen', state: { tasks: [task('T1', 'completed', { noChange: 'x', unseen: true })] },       open: ['T1 needs no change according to the developer, but no validation agrees'] },
  { why: 'nothing is committed',                             state: { commits: [] },                                                                 open: ['nothing was committed: no file of the project has changed'] },
  { why: 'nothing is committed, and no task needs it',       state: { commits: [], tasks: [task('T1', 'completed', { noChange: 'x' })] },            open: [] },
  { why: 'the validation is of another commit',              state: { validation: validation(true, { commit: 'b'.repeat(40) }) },                    open: ['the last validation checked bbbbbbbbbb, and the branch is at cccccccccc'] },
  { why: 'its worker refuses green tests',                   state: { validation: validation(false, { status: 'failed', why: 'wrong' }) },           open: ['the validation does not agree: its status is failed (wrong)'] },
  { why: 'one of a record of before, that did not pass',     state: { lastRun: undefined, validation: validation(false, { why: 'wrong' }) }, open: ['the validation does not agree: its status is failed (wrong)'] },
  { why: 'a finding',                                        state: { findings: [finding('F1')] },                                                   open: ['debug: wrong in F1'] },
  { why: 'a finding that is closed, and a remark',           state: { findings: [finding('F1', 'closed'), finding('F2', 'open', { description: 'low: a name' })] }, open: [] },
  { why: 'a test',                                           state: { lastRun: measured(4, 5) },                                                     open: ['a.test.ts > test 1: expected 1'] },
  { why: 'a check',                                          state: { quality: quality({ name: 'lint' }) },                                          open: ['lint fails and did not before the run'] },
  { why: 'a check with more errors than before',             state: { quality: quality({ name: 'lint', before: 'failed', errors: { now: 4, before: 1 } }) }, open: ['lint reports 4 errors, before the run 1'] },
  { why: 'a check that is gone',                             state: { quality: quality({ name: 'lint', result: 'not_run', before: 'passed', gone: true }) }, open: [] },
  { why: 'a check that never ran',                           state: { quality: quality({ name: 'lint', result: 'not_run' }) },                       open: [] },
  { why: 'coverage that nothing measures any more',          state: { quality: { ...quality(), coverage: null, coverageBefore: 80 } },                 open: ['line coverage was 80 % before the run and is not measured now'] },
  { why: 'coverage that fell',                               state: { quality: { ...quality(), coverage: 70, coverageBefore: 80 } },                   open: ['line coverage fell from 80 % to 70 %'] },
],
)('open: $why', ({ state, open }) =>
  expect(openIn(loopState({ ...DONE, ...state })).items.map(({ text }) => text)).toEqual(open),
)

test('what ran before and does not now is looked at by a person', () => {
  const { items, review } = openIn(
    loopState({
      ...DONE,
      quality: {
        ...quality(
          { name: 'lint', result: 'not_run', before: 'passed', tail: 'it is gone\nand more' },
          { name: 'types', result: 'not_run', before: 'failed', tail: 'it is gone' },
        ),
        coverageBefore: 80,
        coverageLost: 'it is gone',
      },
    }),
  )
  expect(items).toEqual([])
  expect(review).toEqual([
    'lint ran before the run and does not now: it is gone',
    'line coverage was 80 % before the run and could not be measured now: it is gone',
  ])
})

test('a line names the first of many', () => {
  expect(openLine([])).toBeUndefined()
  const { items } = openIn(
    loopState({ ...DONE, tasks: Array.from({ length: 7 }, (_, n) => task(`T${n + 1}`)) }),
  )
  expect(openLine(items)).toMatch(/^7 items are open: T1 is not done: build T1; .*; and 2 more$/)
})
