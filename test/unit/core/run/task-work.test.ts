import { expect, test } from 'vitest'
import {
  afterCommit,
  differing,
  followed,
  isTakenBack,
  livesOn,
  TASK_COMMITS,
  unfollowed,
  withCommits,
} from '../../../../src/core/run/task-work.js'

test.each(
  // prettier-ignore
  [
  { why: 'every path is as it was',                      commits: [[['a', 'b'], []]],                          moved: [],    gone: true },
  { why: 'one path has its content, or another one',     commits: [[['a', 'b'], ['b']]],                       moved: [],    gone: false },
  { why: 'a path that others changed too',               commits: [[['a'], ['c']]],                            moved: [],    gone: true },
  { why: 'one of two commits is there',                  commits: [[['a'], []], [['b'], ['b']]],               moved: [],    gone: false },
  { why: 'as before the first, not as before the second', commits: [[['a'], []], [['a'], ['a']]],              moved: [],    gone: true },
  { why: 'as before the second, not as before the first', commits: [[['a'], ['a']], [['a'], []]],              moved: [],    gone: false },
  { why: 'a path is moved',                              commits: [[['a', 'b'], []]],                          moved: ['b'], gone: false },
  { why: 'nothing was changed',                          commits: [[[], []]],                                  moved: [],    gone: false },
  { why: 'there is no commit',                           commits: [],                                          moved: [],    gone: false },
],
)('taken back: $why -> $gone', ({ commits, moved, gone }) =>
  expect(
    isTakenBack(
      commits.map(([changed = [], differs = []]) => ({
        changed,
        differs: new Set(differs),
      })),
      new Set(moved),
    ),
  ).toBe(gone),
)

test.each(
  // prettier-ignore
  [
  { why: 'as before it',                             sinceBefore: [],    sinceStart: ['a'], made: ['a'], differs: [] },
  { why: 'as at the start',                          sinceBefore: ['a'], sinceStart: [],    made: ['a'], differs: [] },
  { why: 'as at the start, as the commit made it',   sinceBefore: ['a'], sinceStart: [],    made: [],    differs: ['a'] },
  { why: 'neither',                                  sinceBefore: ['a'], sinceStart: ['a'], made: ['a'], differs: ['a'] },
],
)('a path is now $why', ({ sinceBefore, sinceStart, made, differs }) =>
  expect([...differing(sinceBefore, new Set(sinceStart), new Set(made))]).toEqual(differs),
)

type Task = {
  id: string
  is: string
  commits?: string[]
  takenBack?: true
  undoneBy?: string[]
  contradicts?: string
}
const isDone = ({ is }: Task): boolean => is === 'done'

test.each<{ why: string; task: Task; own: string[]; asked: object[] }>(
  // prettier-ignore
  [
  { why: 'one that is done',                 task: { id: 'A', is: 'done', commits: ['c1'] },                   own: [],    asked: [{ id: 'A', commits: ['c1'] }] },
  { why: 'the next commit is its own',       task: { id: 'A', is: 'done', commits: ['c1'] },                   own: ['A'], asked: [{ id: 'A', commits: ['c1'], own: true }] },
  { why: 'the next is made for others too',  task: { id: 'A', is: 'done', commits: ['c1'] },                   own: ['A', 'B'], asked: [{ id: 'A', commits: ['c1'] }] },
  { why: 'open, and for others too',         task: { id: 'A', is: 'open', commits: ['c1'] },                   own: ['A', 'B'], asked: [{ id: 'A', commits: ['c1'], own: true }] },
  { why: 'one that is open',                 task: { id: 'A', is: 'open', commits: ['c1'] },                   own: ['B'], asked: [] },
  { why: 'open, and worked on',              task: { id: 'A', is: 'open', commits: ['c1'] },                   own: ['A'], asked: [{ id: 'A', commits: ['c1'], own: true }] },
  { why: 'one that was taken back',          task: { id: 'A', is: 'open', commits: ['c1'], takenBack: true },  own: [],    asked: [{ id: 'A', commits: ['c1'] }] },
  { why: 'not followed any more',            task: { id: 'A', is: 'done', commits: [] },                       own: ['A'], asked: [] },
  { why: 'without a commit',                 task: { id: 'A', is: 'done' },                                    own: ['A'], asked: [] },
],
)('followed: $why', ({ task, own, asked }) => expect(followed([task], isDone, own)).toEqual(asked))

test('a task has its commits once each, and one with too many is not followed', () => {
  const task: Task = { id: 'A', is: 'open' }
  expect(withCommits(task, [])).toEqual(task)
  expect(withCommits({ ...task, commits: ['c1'] }, ['c1', 'c2']).commits).toEqual(['c1', 'c2'])
  const many = Array.from({ length: TASK_COMMITS + 1 }, (_, n) => `c${n}`)
  expect(withCommits(task, many).commits).toEqual([])
  expect(withCommits({ ...task, commits: [] }, ['c1']).commits).toEqual([])
})

test('after a commit: what is taken back is open, and what is there again was not', () => {
  const done: Task = { id: 'A', is: 'done', commits: ['c1'] }
  const asked = [{ id: 'A', commits: ['c1'] }]
  const after = (task: Task, ids: string[], about = asked) =>
    afterCommit([task], about, { ids, own: ['B'] }, (one) => ({ ...one, is: 'open' }))
  const gone: Task = { ...done, is: 'open', takenBack: true, undoneBy: ['B'] }
  expect(after(done, ['A'])).toEqual([gone])
  expect(after(done, [])).toEqual([done])
  expect(after(gone, [])).toEqual([{ ...done, is: 'open' }])
  expect(after(gone, [], []), 'not asked about').toEqual([gone])
  const unasked: Task = { ...done, commits: [] }
  expect(after(unasked, ['A']), 'a further task came since it was asked').toEqual([unasked])
})

test('two tasks that take each other back end that after one round', () => {
  const reopened = (one: Task): Task => ({ ...one, is: 'open' })
  const [A, B]: Task[] = [
    { id: 'A', is: 'open', commits: ['c1'], takenBack: true, undoneBy: ['B'] },
    { id: 'B', is: 'done', commits: ['c2'] },
  ]
  const asked = [
    { id: 'A', commits: ['c1'], own: true as const },
    { id: 'B', commits: ['c2'] },
  ]
  const after = (own: string[], undoneBy = ['B']) =>
    afterCommit([{ ...A, undoneBy }, B] as Task[], asked, { ids: ['B'], own }, reopened)
  expect(after(['A'])).toEqual([
    { id: 'A', is: 'open', commits: [] },
    { id: 'B', is: 'done', commits: [], contradicts: 'A' },
  ])
  expect(after(['A'], ['C'])[1], 'another one had taken it back').toMatchObject({
    is: 'open',
    undoneBy: ['A'],
  })
  expect(after(['C'])[1], 'another one takes it back').toMatchObject({ is: 'open' })
})

test('a further task ends the following of what was done before', () => {
  expect(
    unfollowed<Task>([
      { id: 'A', is: 'done', commits: ['c1'] },
      { id: 'B', is: 'open' },
      { id: 'C', is: 'open', commits: ['c2'], takenBack: true, undoneBy: ['A'] },
    ]),
  ).toEqual([
    { id: 'A', is: 'done', commits: [] },
    { id: 'B', is: 'open' },
    { id: 'C', is: 'open', commits: [] },
  ])
})

test.each([
  { why: 'all moved', own: ['function a() {', '}'], later: ['  function a() {', '}'], lives: true },
  { why: 'half of it', own: ['const a = 1', 'const b = 2'], later: ['const b = 2'], lives: true },
  {
    why: 'less',
    own: ['const a = 1', 'const b = 2', 'const c = 3'],
    later: ['const b = 2'],
    lives: false,
  },
  { why: 'only braces', own: ['}', ')'], later: ['}', ')'], lives: false },
])('lines of a task live on: $why', ({ own, later, lives }) =>
  expect(livesOn(new Set(own), new Set(later))).toBe(lives),
)
