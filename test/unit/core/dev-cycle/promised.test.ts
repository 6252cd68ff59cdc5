import { taskEntry } from '../../../../src/core/answers/named-tasks.js'
import { expect, test } from 'vitest'
import type { CyclePromise } from '../../../../src/contract/dev-cycle/cycle-state.js'
import {
  namedTasks,
  namesTasks,
  planned,
  tasksFollowed,
  withTakenBack,
  worked,
} from '../../../../src/core/dev-cycle/promised.js'

const IDS = ['TASK-001', 'TASK-002']
const open = (id: string, text = 'a'): CyclePromise => ({ id, text, state: 'open' })

test.each([
  [['TASK-001'], ['TASK-001']],
  [['task-002.'], ['TASK-002']],
  [['TASK-001: the form', 'the token (TASK-002)'], IDS],
  [['TASK-0010'], []],
  [['2'], []],
  [[], []],
  [['TASK-001', 'TASK-002 is not done'], ['TASK-001']],
  [['all but TASK-002'], []],
  [['TASK-002 (partial)'], []],
])('%j names %j', (said, ids) => expect(namedTasks(said, IDS)).toEqual(ids))

test('whether the developer names the state of any task of the plan', () => {
  expect(namesTasks([open('TASK-001')], { tasksNamed: ['TASK-001'] })).toBe(true)
  expect(namesTasks([open('TASK-001')], { noChange: [{ id: 'task-001', why: '' }] })).toBe(true)
  expect(namesTasks([open('TASK-001')], { tasksNamed: ['T9'] })).toBe(false)
  expect(namesTasks([], { tasksNamed: ['TASK-001'] })).toBe(false)
})

test('a new plan keeps the state of a task of the same id and text', () => {
  const before: CyclePromise[] = [
    { id: 'A', text: 'the form', state: 'done' },
    { id: 'B', text: 'the token', state: 'done' },
  ]
  expect(
    planned(before, [
      { id: 'A', text: 'The form.' },
      { id: 'B', text: 'another thing' },
      { id: 'C', text: 'mail' },
    ]),
  ).toEqual([
    { id: 'A', text: 'The form.', state: 'done' },
    open('B', 'another thing'),
    open('C', 'mail'),
  ])
})

test('a task that the plan calls done keeps its state under new words, and is not done by that alone', () => {
  expect(
    planned(
      [{ id: 'A', text: 'the form', state: 'done' }],
      [
        { id: 'A', text: 'build the form', done: true },
        { id: 'B', text: 'the token', done: true },
      ],
    ),
  ).toEqual([{ id: 'A', text: 'build the form', state: 'done' }, open('B', 'the token')])
})

test.each(['Task 1', 'FE/1', 'auth:login', 'Phase 1: T2'])(
  'an object that names %s as done names it',
  (id) => {
    const entry = taskEntry({ id, status: 'done' }) ?? ''
    expect(namedTasks([entry], [id, 'T2'])).toEqual([id])
    const left = taskEntry({ id, status: 'skipped' }) ?? ''
    expect(namedTasks([left], [id])).toEqual([])
  },
)

test.each(
  // prettier-ignore
  [
  { why: 'named, with a commit', cd: { status: 'success' as const, tasksNamed: ['A'] }, commits: ['c1'], states: ['done', 'open'] },
  { why: 'named, and this iteration committed nothing', cd: { status: 'success' as const, tasksNamed: ['A'] }, commits: [], states: ['open', 'open'] },
  { why: 'named by a turn that did half of it', cd: { status: 'partial' as const, tasksNamed: ['A'] }, commits: ['c1'], states: ['done', 'open'] },
  { why: 'named by a turn that failed', cd: { status: 'failed' as const, tasksNamed: ['A'] }, commits: ['c1'], states: ['open', 'open'] },
  { why: 'in need of no change', cd: { status: 'success' as const, noChange: [{ id: 'b', why: 'it is there' }] }, commits: [], states: ['open', 'no_change'] },
  { why: 'not named', cd: { status: 'success' as const }, commits: ['c1'], states: ['open', 'open'] },
  { why: 'without a turn of CD', cd: undefined, commits: ['c1'], states: ['open', 'open'] },
],
)('a task that is $why', ({ cd, commits, states }) =>
  expect(worked([open('A'), open('B')], cd, commits).map(({ state }) => state)).toEqual(states),
)

test('one that is named without a commit is remembered as claimed, until a commit or no_change is there', () => {
  const claimed = worked([open('A')], { status: 'success', tasksNamed: ['A'] }, [])
  expect(claimed).toEqual([{ ...open('A'), claimed: true }])
  expect(worked(claimed, { status: 'success', tasksNamed: ['A'] }, ['c1'])).toEqual([
    { id: 'A', text: 'a', state: 'done', commits: ['c1'] },
  ])
  expect(
    worked(claimed, { status: 'success', noChange: [{ id: 'A', why: 'it is there' }] }, []),
  ).toMatchObject([{ state: 'no_change', why: 'it is there' }])
  expect(
    worked([{ ...open('A'), state: 'done' }], { status: 'success', tasksNamed: ['A'] }, []),
  ).toEqual([{ ...open('A'), state: 'done' }])
})

test('one that is done needs no change only where its work was taken back', () => {
  const done = [{ ...open('A'), state: 'done' as const }]
  const cd = { status: 'success' as const, noChange: [{ id: 'A', why: 'it is there' }] }
  const unchanged = [{ ...open('A'), state: 'no_change', why: 'it is there' }]
  expect(worked(done, cd, ['c1'], [], false)).toEqual(done)
  expect(worked(done, cd, ['c1'], [], true)).toEqual(unchanged)
  expect(worked(done, { ...cd, noChange: [] }, ['c1'], [], true)).toEqual(done)
})

/** The tasks after a commit of CD, which takes back the work of some. */
function committed(
  before: readonly CyclePromise[],
  commit: string,
  { tasksNamed, takesBack = [] }: { tasksNamed: string[]; takesBack?: string[] },
): CyclePromise[] {
  const cd = { status: 'success' as const, tasksNamed }
  const asked = tasksFollowed(before, cd)
  return worked(withTakenBack(before, asked, takesBack, cd), cd, [commit])
}

test('a commit that names all tasks hides no task whose work it took back', () => {
  const first = committed([open('A'), open('B')], 'c1', { tasksNamed: ['A'] })
  expect(tasksFollowed(first, { tasksNamed: ['A', 'B'] })).toEqual([{ id: 'A', commits: ['c1'] }])
  const second = committed(first, 'c2', { tasksNamed: ['A', 'B'], takesBack: ['A'] })
  expect(second).toMatchObject([
    { id: 'A', state: 'open', takenBack: true, commits: ['c1'] },
    { id: 'B', state: 'done', commits: ['c2'] },
  ])
  const third = committed(second, 'c3', { tasksNamed: ['A', 'B'] })
  expect(third).toMatchObject([
    { id: 'A', state: 'done', commits: ['c1', 'c3'] },
    { id: 'B', state: 'done', commits: ['c2'] },
  ])
  expect(third[0]).not.toHaveProperty('takenBack')
})

test('two tasks whose texts undo each other end that after one round', () => {
  const added = committed([open('A'), open('B')], 'c1', { tasksNamed: ['A'] })
  const removed = committed(added, 'c2', { tasksNamed: ['B'], takesBack: ['A'] })
  expect(removed.map(({ state }) => state)).toEqual(['open', 'done'])
  const again = committed(removed, 'c3', { tasksNamed: ['A'], takesBack: ['B'] })
  expect(again).toEqual([
    { id: 'A', text: 'a', state: 'done', commits: [] },
    { id: 'B', text: 'a', state: 'done', commits: [], contradicts: 'A' },
  ])
  expect(tasksFollowed(again, { tasksNamed: ['A'] })).toEqual([])
})

test('one whose work was taken back is open until a commit of its own is there', () => {
  const cd = { status: 'success' as const, tasksNamed: ['A'] }
  const done = worked([open('A'), open('B')], cd, ['c1'])
  const asked = tasksFollowed(done, { tasksNamed: ['B'] })
  expect(asked).toEqual([{ id: 'A', commits: ['c1'] }])
  const gone = withTakenBack(done, asked, ['A'], { tasksNamed: ['B'] })
  expect(gone[0]).toMatchObject({ state: 'open', takenBack: true })
  expect(worked(gone, cd, ['c2'])[0], 'what it commits leaves nothing').toMatchObject({
    state: 'open',
    claimed: true,
  })
  expect(tasksFollowed(gone, cd)).toEqual([{ id: 'A', commits: ['c1'], own: true }])
  const again = withTakenBack(gone, tasksFollowed(gone, cd), [], cd)
  expect(worked(again, cd, ['c3'])[0]).toEqual({
    id: 'A',
    text: 'a',
    state: 'done',
    commits: ['c1', 'c3'],
  })
  const why = [{ id: 'A', why: 'it is elsewhere' }]
  expect(worked(gone, { status: 'success', noChange: why }, [])[0]).toEqual({
    id: 'A',
    text: 'a',
    state: 'no_change',
    why: 'it is elsewhere',
  })
})

test('a task reworded after the turn of CD does not count as done', () => {
  const known = [open('A'), open('B')]
  const now = [open('A'), { ...open('B'), text: 'another part' }]
  expect(
    worked(now, { status: 'success', tasksNamed: ['A', 'B'] }, ['c1'], known).map(
      ({ state }) => state,
    ),
  ).toEqual(['done', 'open'])
  expect(
    worked(now, { status: 'success', tasksNamed: ['A', 'B'] }, ['c1'], []).map(
      ({ state }) => state,
    ),
  ).toEqual(['done', 'done'])
})
