import { expect, test } from 'vitest'
import { DESCRIPTION_CHARS, TASK_CHARS } from '../../../../src/contract/dev-cycle/cycle-input.js'
import type { LoopTask } from '../../../../src/contract/dev-loop/action-reading.js'
import type { LoopState, WorkerEnd } from '../../../../src/contract/dev-loop/loop-state.js'
import { loopDescription, titleOf } from '../../../../src/core/dev-loop/prompts/brief.js'
import {
  completedTasks,
  furtherTask,
  furtherTaskProblem,
  pendingTasks,
  taskFor,
  tasksAfter,
  tasksFollowed,
  withGiven,
  withLost,
  withTakenBack,
} from '../../../../src/core/dev-loop/loop-tasks.js'
import { ended, late, loopState, task } from './loop-state.js'
import { present } from '../../../support/present.js'

test.each(
  // prettier-ignore
  [
  { why: 'by priority',                             tasks: [task('T1'), task('T2', 'pending', { priority: 'high' }), task('T3', 'pending', { priority: 'low' })],  next: 'T2' },
  { why: 'then in the order of the plan',           tasks: [task('T10'), task('T9')],                                                                              next: 'T9' },
  { why: 'one that was cut off is to be done',      tasks: [task('T1', 'in_progress'), task('T2')],                                                                next: 'T1' },
  { why: 'a blocked one last',                      tasks: [task('T1', 'blocked', { priority: 'high' }), task('T2', 'pending', { priority: 'low' })],                next: 'T2' },
  { why: 'a blocked one, where no other is left',   tasks: [task('T1', 'completed'), task('T2', 'blocked')],                                                       next: 'T2' },
  { why: 'one that was set aside last',             tasks: [task('T1', 'pending', { aside: { times: 1, why: 'no key' } }), task('T2')],                            next: 'T2' },
  { why: 'none that was tried twice',               tasks: [task('T1', 'pending', { aside: { times: 2, why: 'no key' } }), task('T2', 'completed')],               next: undefined },
],
)('one task a develop: $why -> $next', ({ tasks, next }) => {
  const before = [...tasks]
  expect(taskFor({ tasks })?.id).toBe(next)
  expect(tasks).toEqual(before)
})

test.each(
  // prettier-ignore
  [
  { why: 'one that was tried twice',       tasks: [task('T1', 'blocked', { aside: { times: 2, why: 'no key' } })],                                                                                   next: 'T1' },
  { why: 'of several that with fewest tries', tasks: [task('T1', 'blocked', { priority: 'high', aside: { times: 2, why: 'no key' } }), task('T2', 'pending', { aside: { times: 1, why: 'no idea' } })], next: 'T2' },
],
)('a person may have tried as often as wanted: $why', ({ tasks, next }) =>
  expect(taskFor({ tasks, mode: 'interactive' })?.id).toBe(next),
)

test('pending and completed', () => {
  const tasks = [
    task('T1', 'completed'),
    task('T2', 'in_progress'),
    task('T3'),
    task('T4', 'blocked'),
  ]
  expect(
    [pendingTasks(tasks), completedTasks(tasks)].map((some) => some.map(({ id }) => id)),
  ).toEqual([['T2', 'T3'], ['T1']])
})

type Row = { why: string; state: Partial<LoopState>; end: WorkerEnd; then: string[] }

function check({ state, end, then }: Row): void {
  expect(
    tasksAfter(loopState(state), end).map(
      ({ id, status, description }) =>
        `${id} ${status}${description === `build ${id}` ? '' : `: ${description}`}`,
    ),
  ).toEqual(then)
}

test.each<Row>(
  // prettier-ignore
  [
  { why: 'the breakdown',                                  state: { tasks: [] },                                                end: ended('init', { tasks: [task('T1'), task('T2')] }),              then: ['T1 pending', 'T2 pending'] },
  { why: 'none: one task that is the description',         state: { tasks: [] },                                                end: ended('init'),                                                   then: ['T1 pending: Add login'] },
  { why: 'failed: the same',                               state: { tasks: [] },                                                end: late('init'),                                                    then: ['T1 pending: Add login'] },
  { why: 'again: what is done stays, by its id',           state: { tasks: [task('T1', 'completed'), task('T2')] },             end: ended('init', { tasks: [task('T1'), task('T2', 'pending', { description: 'another way' })] }), then: ['T1 completed', 'T2 pending: another way'] },
  { why: 'again: an id that is taken is not given twice',  state: { tasks: [task('T1', 'completed'), task('T2')] },             end: ended('init', { tasks: [task('T1', 'pending', { description: 'new' })] }), then: ['T1 completed', 'T3 pending: new'] },
  { why: 'again: nothing: nothing changes',                state: { tasks: [task('T1', 'completed'), task('T2', 'blocked')] },  end: ended('init', { status: 'failed' }),                             then: ['T1 completed', 'T2 blocked'] },
  { why: 'again: what the user has added is kept',         state: { texts: ['Add login', 'Also MFA'], tasks: [task('T1'), task('T2', 'pending', { description: 'Also MFA' })] }, end: ended('init', { tasks: [task('T1'), task('T2', 'pending', { description: 'sessions' })] }), then: ['T2 pending: Also MFA', 'T1 pending', 'T3 pending: sessions'] },
],
)('tasks after init: $why', check)

const two = [task('T1', 'in_progress'), task('T2')]

test.each<Row>(
  // prettier-ignore
  [
  { why: 'success: its own',                               state: { tasks: two },                       end: ended('develop', { task: 'T1', commit: 'c1' }),                                                then: ['T1 completed', 'T2 pending'] },
  { why: 'success without a change',                   state: { tasks: two },                       end: ended('develop', { task: 'T1', tasksCompleted: ['T1', 'T2'] }),                                then: ['T1 pending', 'T2 pending'] },
  { why: 'no change is needed',                        state: { tasks: two },                       end: ended('develop', { task: 'T1', noChange: [{ id: 'T1', why: 'x' }, { id: 'T2', why: 'y' }] }),  then: ['T1 completed', 'T2 completed'] },
  { why: 'its own among those that remain',            state: { tasks: two },                       end: ended('develop', { task: 'T1', commit: 'c1', tasksCompleted: ['T1'], tasksRemaining: ['T1'] }), then: ['T1 pending', 'T2 pending'] },
  { why: 'success: its own and what it names',             state: { tasks: two },                       end: ended('develop', { task: 'T1', commit: 'c1', tasksCompleted: ['T2', 'T9'] }),                                then: ['T1 completed', 'T2 completed'] },
  { why: 'success without a task: none',                   state: { tasks: two },                       end: ended('develop'),                                                                              then: ['T1 in_progress', 'T2 pending'] },
  { why: 'partial: its own is pending again',              state: { tasks: two },                       end: ended('develop', { task: 'T1', status: 'partial', tasksRemaining: ['T1', 'T7'] }),             then: ['T1 pending', 'T2 pending'] },
  { why: 'partial, it names another one as done',          state: { tasks: two },                       end: ended('develop', { task: 'T1', commit: 'c1', status: 'partial', tasksCompleted: ['T2'] }),                   then: ['T1 pending', 'T2 completed'] },
  { why: 'blocked',                                        state: { tasks: two },                       end: ended('develop', { task: 'T1', status: 'failed', blocked: true, tasksCompleted: ['T2'] }),     then: ['T1 blocked', 'T2 pending'] },
  { why: 'failed: its claims do not count',                state: { tasks: two },                       end: ended('develop', { task: 'T1', status: 'failed', tasksCompleted: ['T1', 'T2'] }),              then: ['T1 pending', 'T2 pending'] },
  { why: 'out of time',                                    state: { tasks: two },                       end: late('develop', { task: 'T1' }),                                                               then: ['T1 pending', 'T2 pending'] },
],
)('tasks after develop: $why', check)

test.each<{ why: string; end: WorkerEnd; then: string[] | undefined }>(
  // prettier-ignore
  [
  { why: 'all that it was given',                          end: ended('develop'),                                                        then: ['T1', 'T2'] },
  { why: 'not what it says is left',                       end: ended('develop', { tasksRemaining: ['T2'] }),                            then: ['T1'] },
  { why: 'what it names',                                  end: ended('develop', { tasksCompleted: ['T2'] }),                            then: ['T2'] },
  { why: 'partial: only what it names',                    end: ended('develop', { status: 'partial' }),                                 then: undefined },
  { why: 'another worker has none',                        end: ended('validate'),                                                       then: undefined },
],
)('tasks done by a develop in parallel mode: $why', ({ end, then }) =>
  expect(withGiven(end, two).tasksCompleted).toEqual(then),
)

test.each<Row>(
  // prettier-ignore
  [
  { why: 'debug: blocked ones wait for their turn',        state: { tasks: [task('T1', 'blocked'), task('T2', 'completed')] },  end: ended('debug', { status: 'partial' }),  then: ['T1 blocked', 'T2 completed'] },
  { why: 'debug that failed: they stay blocked',           state: { tasks: [task('T1', 'blocked')] },                           end: ended('debug', { status: 'failed' }),   then: ['T1 blocked'] },
  { why: 'debug that ran out of time',                     state: { tasks: [task('T1', 'blocked')] },                           end: late('debug'),                          then: ['T1 blocked'] },
  { why: 'validate changes none',                          state: { tasks: two },                                               end: ended('validate', { tasksCompleted: ['T2'] }), then: ['T1 in_progress', 'T2 pending'] },
],
)('tasks: $why', check)

test('a develop that names all tasks hides no task whose work it took back', () => {
  const tasks = [task('T1', 'completed', { commits: ['c1'] }), task('T2')]
  const end = ended('develop', { tasksCompleted: ['T1', 'T2'], commit: 'c2', task: 'T2' })
  expect(tasksFollowed(tasks, end)).toEqual([{ id: 'T1', commits: ['c1'] }])
  const gone = withTakenBack(tasks, tasksFollowed(tasks, end), ['T1'], end)
  const after = tasksAfter(loopState({ tasks: gone, namesTasks: true }), end)
  expect(after).toMatchObject([
    { id: 'T1', status: 'pending', takenBack: true, undoneBy: ['T2'], commits: ['c1'] },
    { id: 'T2', status: 'completed', commits: ['c2'] },
  ])
  const kept = tasksAfter(loopState({ tasks, namesTasks: true }), end)
  expect(kept[0]).toMatchObject({ status: 'completed', commits: ['c1'] })
})

test('a further task has the next free id, and is one line', () => {
  expect(furtherTask({ tasks: [task('T1'), task('T10', 'completed')] }, ' Also\nMFA ')).toEqual({
    id: 'T11',
    description: 'Also MFA',
    priority: 'medium',
    status: 'pending',
    files: [],
  })
  expect(furtherTask({ tasks: [] }, 'x'.repeat(500)).description).toHaveLength(200)
})

test('the description has every further task whole, below a line of its own', () => {
  expect(loopDescription(['Add login', 'Also\nMFA', 'And logout'])).toBe(
    'Add login\n\n--- FURTHER TASK 1 ---\nAlso\nMFA\n\n--- FURTHER TASK 2 ---\nAnd logout',
  )
  expect(loopDescription([])).toBe('')
})

test('title: at most 100 characters of one line', () => {
  expect(titleOf('Add\nlogin')).toBe('Add login')
  expect(titleOf('x'.repeat(300))).toHaveLength(100)
})

test.each(
  // prettier-ignore
  [
  { why: 'fits',                               texts: ['a'],                         text: 'b',                            problem: undefined },
  { why: 'empty',                              texts: ['a'],                         text: ' \n',                          problem: /^the further task is empty$/ },
  { why: 'too long by itself',                 texts: ['a'],                         text: 'x'.repeat(TASK_CHARS + 1),     problem: /^the further task has 8001 characters, at most 8000/ },
  { why: 'too long with the others',           texts: ['x'.repeat(TASK_CHARS)],      text: 'x'.repeat(DESCRIPTION_CHARS - TASK_CHARS), problem: /all its further tasks would have \d+ characters, at most 12000 are allowed; begin a new loop/ },
],
)('a further task: $why', ({ texts, text, problem }) => {
  const said = furtherTaskProblem(texts, text)
  if (problem === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(problem)
})

const done = (id: string, files: string[] = []) => task(id, 'completed', { files })

test.each(
  // prettier-ignore
  [
  { why: 'every file was decided for debug',                  tasks: [done('T1')],                             files: ['a.ts', 'b.ts'], choices: { 'a.ts': 'debug', 'b.ts': 'base' },    lost: ['a.ts'] },
  { why: 'one file has what develop did',                     tasks: [done('T1')],                             files: ['a.ts', 'b.ts'], choices: { 'a.ts': 'debug', 'b.ts': 'develop' }, lost: [undefined] },
  { why: 'one file was merged without a conflict',            tasks: [done('T1')],                             files: ['a.ts', 'b.ts'], choices: { 'a.ts': 'debug' },                    lost: [undefined] },
  { why: 'each task by its own files, where it names some',   tasks: [done('T1', ['a.ts']), done('T2', ['b.ts'])], files: ['a.ts', 'b.ts'], choices: { 'a.ts': 'validate' },             lost: ['a.ts', undefined] },
  { why: 'no conflict',                                       tasks: [done('T1')],                             files: ['a.ts'],         choices: {},                                     lost: [undefined] },
  { why: 'develop changed nothing',                           tasks: [done('T1')],                             files: [],               choices: { 'a.ts': 'debug' },                    lost: [undefined] },
  { why: 'a task that needs no change',                       tasks: [{ ...done('T1'), noChange: 'it is there' }], files: ['a.ts'],     choices: { 'a.ts': 'debug' },                    lost: [undefined] },
],
)('lost in a merge: $why', ({ tasks, files, choices, lost }) => {
  const after = withLost(tasks, ['T1', 'T2'], { files, filesTotal: files.length }, present(choices))
  expect(after.map((one) => one.lost)).toEqual(lost)
  expect(after.map(({ status }) => status)).toEqual(
    lost.map((file) => (file === undefined ? 'completed' : 'pending')),
  )
})

test('a develop that names none of its tasks claims those it was given, unless an earlier one has named some', () => {
  const end = ended('develop', { tasksCompleted: ['T1'], unnamed: true, commit: 'c' })
  const after = (rest: Partial<LoopState>) =>
    tasksAfter(loopState({ tasks: [task('T1')], ...rest }), end).map(
      ({ status, claimed }) => `${status}${claimed === true ? ', claimed' : ''}`,
    )
  expect(after({})).toEqual(['completed, claimed'])
  expect(after({ namesTasks: true })).toEqual(['pending'])
})

test.each<{ why: string; end: Partial<WorkerEnd>; before?: Partial<LoopTask>; after: string }>(
  // prettier-ignore
  [
  { why: 'names it',                                end: { tasksCompleted: ['T1'] },                         after: 'completed' },
  { why: 'names nothing',                           end: {},                                                 after: 'completed, unnamed' },
  { why: 'names nothing in parallel mode',          end: { tasksCompleted: ['T1'], unnamed: true },          after: 'completed, unnamed' },
  { why: 'names another task',                      end: { tasksCompleted: ['T9'] },                         after: 'completed, unnamed' },
  { why: 'names it as done and as left',            end: { tasksCompleted: ['T1'], tasksRemaining: ['T1'] }, after: 'pending' },
  { why: 'names nothing and commits nothing',       end: { commit: null },                                   after: 'pending' },
  { why: 'names it, of another task',               end: { task: 'T2', tasksCompleted: ['T1'], commit: null }, before: { status: 'completed', unnamed: true }, after: 'completed' },
  { why: 'names nothing, of another task',          end: { task: 'T2' },                                     before: { status: 'completed', unnamed: true }, after: 'completed, unnamed' },
  { why: 'failed and names it, of another task',    end: { task: 'T2', status: 'failed', tasksCompleted: ['T1'] }, before: { status: 'completed', unnamed: true }, after: 'completed, unnamed' },
],
)('a develop that was given a task and $why -> $after', ({ end, before = {}, after }) => {
  const state = loopState({ tasks: [{ ...task('T1'), ...before }, task('T2')] })
  const [one] = tasksAfter(state, ended('develop', { task: 'T1', commit: 'c', ...end }))
  expect(`${one?.status}${one?.unnamed === true ? ', unnamed' : ''}`).toBe(after)
})
