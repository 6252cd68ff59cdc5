import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IterationSummary } from '../../../../src/contract/result.js'
import { TaskEntry } from '../../../../src/contract/test-fix/task.js'
import {
  compareIds,
  insertFix,
  iterationLimit,
  lastKeptFix,
  nextTask,
  ordered,
  pruned,
  queueProblem,
  setStatus,
  spend,
  spendIteration,
  unreachable,
  withTestTask,
  withWritten,
} from '../../../../src/core/test-fix/queue.js'

const task = (id: string, rest: Partial<TaskEntry> = {}): TaskEntry => ({
  id,
  title: id,
  type: 'work',
  role: 'code-developer',
  status: 'pending',
  dependsOn: [],
  attempts: 0,
  ...rest,
})
const test002 = task('IMPL-002', {
  type: 'test-fix',
  role: 'test-fix-agent',
  status: 'in_progress',
})
const ids = (tasks: readonly TaskEntry[]): string[] => tasks.map(({ id }) => id)
const fix = (iteration: number, rest = {}) => ({
  iteration,
  parent: 'IMPL-002',
  title: 'fix it',
  file: `IMPL-fix-${iteration}.json`,
  dependsOn: [],
  maxIterations: 5,
  ...rest,
})

test.each([
  {
    why: 'the last test task is due again',
    tests: ['completed', 'completed'],
    now: ['completed', 'pending'],
  },
  {
    why: 'one that is open judges it',
    tests: ['completed', 'in_progress'],
    now: ['completed', 'in_progress'],
  },
  { why: 'a blocked one stays', tests: ['blocked'], now: ['blocked'] },
  { why: 'there is none', tests: [], now: [] },
] as const)('work after the tests: $why', ({ tests, now }) => {
  const queue = tests.map((status, n) => ({ ...test002, id: `IMPL-00${n + 2}`, status }))
  const work = task('IMPL-010', { status: 'completed' })
  expect(withTestTask([...queue, work]).map(({ status }) => status)).toEqual([...now, 'completed'])
})

test.each([
  { why: 'the first turn wrote none', isFirst: true, before: {}, now: true },
  {
    why: 'a repair wrote some',
    isFirst: false,
    before: { noTests: true as const },
    wrote: true,
    now: undefined,
  },
  {
    why: 'a repair wrote none either',
    isFirst: false,
    before: { noTests: true as const },
    now: true,
  },
  {
    why: 'a repair changes nothing about those that there are',
    isFirst: false,
    before: {},
    now: undefined,
  },
])('written tests: $why', ({ isFirst, before, wrote = false, now }) => {
  const result = wrote ? {} : { noTests: true as const }
  const [one] = withWritten([task('IMPL-001', before)], 'IMPL-001', result, isFirst)
  expect(one?.noTests).toBe(now)
})

describe('ids', () => {
  test('are in natural and dotted order', () => {
    const order = [
      'IMPL-001',
      'IMPL-001.3',
      'IMPL-001.3-validation',
      'IMPL-001.5',
      'IMPL-001.10',
      'IMPL-002',
      'IMPL-002-retest-1',
      'IMPL-002-retest-10',
      'IMPL-010',
      'IMPL-fix-2',
      'IMPL-fix-10',
      'IMPL-supplement-1',
      'TEST-001',
    ]
    expect([...order].reverse().sort(compareIds)).toEqual(order)
  })

  test('are in a total order: any shuffle sorts the same, 0 only for equal ones', () => {
    const part = fc.constantFrom(
      '1',
      '01',
      '001',
      '2',
      '10',
      'fix',
      'fix2',
      'a',
      '99999999999999999999',
      '99999999999999999998',
    )
    const id = fc
      .tuple(part, fc.array(fc.tuple(fc.constantFrom('.', '-'), part), { maxLength: 3 }))
      .map(([first, rest]) => `IMPL-${first}${rest.flat().join('')}`)
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b))).toBe(-Math.sign(compareIds(b, a)) || 0)
        expect(compareIds(a, b) === 0).toBe(a === b)
        if (compareIds(a, b) < 0 && compareIds(b, c) < 0) expect(compareIds(a, c)).toBeLessThan(0)
      }),
    )
  })
})

describe('Queue Priority Rules', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'no task',                     tasks: [],                                                                                        problem: 'there is no task' },
    { why: 'an id twice',                 tasks: [task('IMPL-001'), task('IMPL-001')],                                                      problem: 'two tasks have the id IMPL-001' },
    { why: 'an unknown dependency',       tasks: [task('IMPL-002', { dependsOn: ['IMPL-009'] })],                                           problem: 'IMPL-002 depends on IMPL-009, which is not there' },
    { why: 'a task that waits for itself', tasks: [task('IMPL-001', { dependsOn: ['IMPL-001'] })],                                          problem: 'tasks depend on each other: IMPL-001 -> IMPL-001' },
    { why: 'a cycle, named by its ids',   tasks: [task('IMPL-000', { dependsOn: ['IMPL-001'] }), task('IMPL-001', { dependsOn: ['IMPL-002'] }), task('IMPL-002', { dependsOn: ['IMPL-003'] }), task('IMPL-003', { dependsOn: ['IMPL-001'] })], problem: 'tasks depend on each other: IMPL-001 -> IMPL-002 -> IMPL-003 -> IMPL-001' },
    { why: 'a chain of dotted ids',       tasks: [task('IMPL-001'), task('IMPL-001.3', { dependsOn: ['IMPL-001'] }), task('IMPL-002', { dependsOn: ['IMPL-001.3'] })], problem: undefined },
  ],
  )('refuses $why', ({ tasks, problem }) => expect(queueProblem(tasks)).toBe(problem))

  test('orders by dependencies, then by id', () => {
    const tasks = [
      task('IMPL-010'),
      task('IMPL-002', { dependsOn: ['IMPL-001.5'] }),
      task('IMPL-001', { dependsOn: ['IMPL-003'] }),
      task('IMPL-001.5', { dependsOn: ['IMPL-001.3'] }),
      task('IMPL-001.3', { dependsOn: ['IMPL-001'] }),
      task('IMPL-003'),
    ]
    expect(ids(ordered(tasks))).toEqual([
      'IMPL-003',
      'IMPL-001',
      'IMPL-001.3',
      'IMPL-001.5',
      'IMPL-002',
      'IMPL-010',
    ])
  })

  test('any tasks: the order loses none, does not depend on the input, and has dependencies first where they have no cycle', () => {
    const graph = fc.array(fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(graph, (edges) => {
        const known = edges.map((_, n) => `IMPL-${n + 1}`)
        const tasks = edges.map((to, n) =>
          task(`IMPL-${n + 1}`, {
            dependsOn: [...new Set(to)]
              .map((other) => `IMPL-${other}`)
              .filter((id) => known.includes(id)),
          }),
        )
        const order = ids(ordered(tasks))
        expect([...order].sort()).toEqual([...known].sort())
        expect(ids(ordered([...tasks].reverse()))).toEqual(order)
        const isAfterAll = tasks.every(({ id, dependsOn }) =>
          dependsOn.every((other) => order.indexOf(other) < order.indexOf(id)),
        )
        expect(isAfterAll).toBe(queueProblem(tasks) === undefined)
      }),
    )
  })

  test.each(
    // prettier-ignore
    [
    { why: 'the first pending one',                        queue: [task('IMPL-001'), task('IMPL-002')],                                                                  next: 'IMPL-001' },
    { why: 'the one in progress before a later one',       queue: [test002, task('IMPL-003')],                                                                           next: 'IMPL-002' },
    { why: 'one whose dependency is completed',            queue: [task('IMPL-001', { status: 'completed' }), task('IMPL-002', { dependsOn: ['IMPL-001'] })],            next: 'IMPL-002' },
    { why: 'one whose dependency was rolled back',         queue: [task('IMPL-fix-1', { status: 'rolled_back' }), task('IMPL-fix-2', { dependsOn: ['IMPL-fix-1'] })],    next: 'IMPL-fix-2' },
    { why: 'one whose dependency was pruned',              queue: [task('IMPL-fix-2', { dependsOn: ['IMPL-fix-1'] })],                                                   next: 'IMPL-fix-2' },
    { why: 'past one that waits',                          queue: [task('IMPL-002', { dependsOn: ['IMPL-003'] }), task('IMPL-003')],                                     next: 'IMPL-003' },
    { why: 'past one whose dependency is blocked',         queue: [task('IMPL-001', { status: 'blocked' }), task('IMPL-002', { dependsOn: ['IMPL-001'] }), task('IMPL-003')], next: 'IMPL-003' },
    { why: 'none where all are closed',                    queue: [task('IMPL-001', { status: 'completed' }), task('IMPL-002', { status: 'blocked' })],                  next: undefined },
    { why: 'none of none',                                 queue: [],                                                                                                    next: undefined },
  ],
  )('next is $why', ({ queue, next }) => expect(nextTask(queue)?.id).toBe(next))

  test('a task that waits for a blocked one, directly or not, is unreachable', () => {
    const queue = [
      task('IMPL-004', { dependsOn: ['IMPL-003'] }),
      task('IMPL-003', { dependsOn: ['IMPL-001'] }),
      task('IMPL-001', { status: 'blocked' }),
      task('IMPL-005'),
      task('IMPL-006', { status: 'completed', dependsOn: ['IMPL-001'] }),
    ]
    expect(ids(unreachable(queue))).toEqual(['IMPL-004', 'IMPL-003'])
    expect(unreachable([task('IMPL-001'), task('IMPL-002', { dependsOn: ['IMPL-001'] })])).toEqual(
      [],
    )
  })
})

describe('Dynamic Queue Operations', () => {
  const queue = [test002, task('IMPL-003', { dependsOn: ['IMPL-002'] })]

  test('a fix goes to the front, its retest right after it, the rest is unchanged', () => {
    const inserted = insertFix(queue, fix(1, { dependsOn: [] }))
    expect(ids(inserted)).toEqual(['IMPL-fix-1', 'IMPL-002-retest-1', 'IMPL-002', 'IMPL-003'])
    expect(inserted.slice(2)).toEqual(queue)
    expect(inserted[0]).toEqual({
      id: 'IMPL-fix-1',
      title: 'fix it',
      type: 'test-fix-iteration',
      role: 'test-fix-agent',
      status: 'pending',
      dependsOn: [],
      file: 'IMPL-fix-1.json',
      parent: 'IMPL-002',
      iteration: 1,
      maxIterations: 5,
      attempts: 0,
    })
    expect(inserted[1]).toEqual({
      id: 'IMPL-002-retest-1',
      title: 'Retest after IMPL-fix-1',
      type: 'test-fix',
      role: 'test-fix-agent',
      status: 'pending',
      dependsOn: ['IMPL-fix-1'],
      parent: 'IMPL-002',
      iteration: 1,
      maxIterations: 5,
      attempts: 0,
    })
    expect(TaskEntry.array().parse(inserted)).toEqual(inserted)
  })

  test('the next fix is in front again, and the fix runs before its retest before the test task', () => {
    const second = insertFix(
      pruned(
        setStatus(
          setStatus(insertFix(queue, fix(1)), 'IMPL-fix-1', 'rolled_back'),
          'IMPL-002-retest-1',
          'completed',
        ),
      ),
      fix(2, { dependsOn: ['IMPL-fix-1'] }),
    )
    expect(ids(second)).toEqual(['IMPL-fix-2', 'IMPL-002-retest-2', 'IMPL-002', 'IMPL-003'])
    const order: string[] = []
    for (let left = second, next = nextTask(left); next !== undefined; next = nextTask(left)) {
      order.push(next.id)
      left = setStatus(left, next.id, 'completed')
    }
    expect(order).toEqual(ids(second))
  })

  test('a long title is cut to 120 characters', () => {
    expect(insertFix(queue, fix(1, { title: 'x'.repeat(500) }))[0]?.title).toHaveLength(120)
  })

  test.each([['IMPL-fix-1'], ['IMPL-002-retest-1']])('ids are never used again, %s', (id) => {
    expect(() => insertFix([...queue, task(id)], fix(1))).toThrow(
      `a task ${id} is in the queue already`,
    )
  })

  test('a status and an attempt change one task, and an unknown id is an error', () => {
    const changed = spend(setStatus(queue, 'IMPL-002', 'blocked'), 'IMPL-002')
    expect(changed).toEqual([{ ...test002, status: 'blocked', attempts: 1 }, queue[1]])
    expect(() => setStatus(queue, 'IMPL-9', 'completed')).toThrow('no task IMPL-9')
    expect(() => spend(queue, 'IMPL-9')).toThrow('no task IMPL-9')
  })

  test('a spent iteration counts one attempt, and its fix and open retest leave the queue', () => {
    const made = setStatus(insertFix(queue, fix(1)), 'IMPL-fix-1', 'rolled_back')
    const spent = spendIteration(made, { parent: 'IMPL-002', iteration: 1 })
    expect(spent).toEqual([{ ...test002, attempts: 1 }, queue[1]])
  })

  test('closed fixes and retests leave the queue, everything else stays', () => {
    const all = insertFix(
      insertFix(
        [task('IMPL-001', { status: 'completed' }), { ...test002, status: 'completed' }],
        fix(1),
      ),
      fix(2),
    )
    const closed = setStatus(
      setStatus(setStatus(all, 'IMPL-fix-1', 'rolled_back'), 'IMPL-002-retest-1', 'completed'),
      'IMPL-fix-2',
      'blocked',
    )
    expect(ids(pruned(closed))).toEqual(['IMPL-fix-2', 'IMPL-002-retest-2', 'IMPL-001', 'IMPL-002'])
  })
})

const summary = (
  iteration: number,
  result: IterationSummary['result'],
  task?: string,
): IterationSummary => ({
  iteration,
  passRate: 50,
  result,
  commit: null,
  turns: 2,
  ...(task === undefined ? {} : { task }),
})

test.each(
  // prettier-ignore
  [
  { why: 'none before the first',     history: [summary(0, 'baseline')],                                                                                       kept: undefined },
  { why: 'the last kept one',         history: [summary(1, 'kept', 'IMPL-fix-1'), summary(2, 'kept', 'IMPL-fix-2')],                                           kept: 'IMPL-fix-2' },
  { why: 'not a rolled back one',     history: [summary(1, 'kept', 'IMPL-fix-1'), summary(2, 'rolled_back', 'IMPL-fix-2')],                                    kept: 'IMPL-fix-1' },
  { why: 'not one without a change',  history: [summary(1, 'no_change', 'IMPL-fix-1')],                                                                        kept: undefined },
  { why: 'none of an older history',  history: [summary(1, 'kept')],                                                                                           kept: undefined },
],
)('depends_on of a fix: $why', ({ history, kept }) => expect(lastKeptFix(history)).toBe(kept))

test.each(
  // prettier-ignore
  [
  { why: 'the flag over all',              limits: { flag: 10, task: 7, config: 5, extended: undefined },        limit: 10 },
  { why: 'the task over the config',       limits: { flag: undefined, task: 7, config: 5, extended: undefined }, limit: 7 },
  { why: 'the config or its default',      limits: { flag: undefined, task: undefined, config: 5, extended: 0 }, limit: 5 },
  { why: 'what was granted comes on top',  limits: { flag: 2, task: 7, config: 5, extended: 3 },                 limit: 5 },
],
)('iteration limit: $why', ({ limits, limit }) => expect(iterationLimit(limits)).toBe(limit))
