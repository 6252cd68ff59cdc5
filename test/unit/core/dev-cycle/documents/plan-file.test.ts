import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readPlanFile,
  type ReadPlan,
} from '../../../../../src/core/dev-cycle/documents/plan-file.js'

const json = (value: unknown): string => JSON.stringify(value)
function plan(value: unknown): ReadPlan {
  const read = readPlanFile(typeof value === 'string' ? value : json(value))
  if (!read.ok) throw new Error(`expected a plan: ${read.problems.join('; ')}`)
  return read.plan
}
const task = (id: string, needs: string[] = []): Record<string, unknown> => ({
  id,
  description: `do ${id}`,
  depends_on: needs,
})

test('plan.json is read whole', () => {
  expect(
    plan({
      version: '1.0.0',
      total_tasks: 2,
      estimated_duration: '5 hours',
      // prettier-ignore
      tasks: [
      { id: 'TASK-001', title: 'Store', description: 'Keep tokens', effort: 'small', estimated_hours: 1, depends_on: [], files: ['src/store.ts'], success_criteria: 'kept' },
      { id: 'TASK-002', title: 'Login', description: 'Log in', effort: 'large', depends_on: ['TASK-001'], files: [], status: 'in_progress', assigned_to: 'cd' },
    ],
      critical_path: ['TASK-001', 'TASK-002'],
      parallel_opportunities: [['TASK-001']],
    }),
  ).toEqual({
    version: '1.0.0',
    totalEstimatedEffort: '5 hours',
    criticalPath: ['TASK-001', 'TASK-002'],
    // prettier-ignore
    tasks: [
      { id: 'TASK-001', title: 'Store', description: 'Keep tokens', effort: 'small', depends_on: [], status: 'pending', files: ['src/store.ts'] },
      { id: 'TASK-002', title: 'Login', description: 'Log in', effort: 'large', depends_on: ['TASK-001'], status: 'in_progress', assigned_to: 'cd', files: [] },
    ],
  })
})

describe('PlanTask: variants of agents', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'nothing but a title', task: { id: 'A', title: 'x' }, want: { description: 'x', effort: 'medium', depends_on: [], status: 'pending', files: [] } },
    { why: 'a number as id', task: { id: 7, title: 'x' }, want: { id: '7' } },
    { why: 'no id', task: { title: 'x' }, want: { id: 'TASK-001' } },
    { why: 'name and summary', task: { id: 'A', name: 'x', summary: 'y' }, want: { title: 'x', description: 'y' } },
    { why: '`dependencies`, empty in words', task: { id: 'A', title: 'x', dependencies: 'none' }, want: { depends_on: [] } },
    { why: 'null for lists', task: { id: 'A', title: 'x', depends_on: null, files: null }, want: { depends_on: [], files: [] } },
    { why: 'hours below one', task: { id: 'A', title: 'x', estimated_hours: 0.5 }, want: { effort: 'small' } },
    { why: 'four hours', task: { id: 'A', title: 'x', estimated_hours: 4 }, want: { effort: 'medium' } },
    { why: 'more than four hours, as text', task: { id: 'A', title: 'x', estimated_hours: '4.5h' }, want: { effort: 'large' } },
    { why: 'minutes', task: { id: 'A', title: 'x', estimate: '30 min' }, want: { effort: 'small' } },
    { why: 'hours in `effort`', task: { id: 'A', title: 'x', effort: '6h' }, want: { effort: 'large' } },
    { why: 'effort in capitals with its range', task: { id: 'A', title: 'x', effort: 'Small (<1h)' }, want: { effort: 'small' } },
    { why: 'an unknown effort', task: { id: 'A', title: 'x', effort: 'vast' }, want: { effort: 'medium' } },
    { why: 'files as objects', task: { id: 'A', title: 'x', files: [{ path: 'a.ts' }, { file: 'b.ts' }, 'a.ts'] }, want: { files: ['a.ts', 'b.ts'] } },
    { why: 'done', task: { id: 'A', title: 'x', status: 'Done' }, want: { status: 'completed' } },
    { why: 'in progress', task: { id: 'A', title: 'x', status: 'in-progress' }, want: { status: 'in_progress' } },
    { why: 'an unknown status', task: { id: 'A', title: 'x', status: 'todo' }, want: { status: 'pending' } },
  ],
  )('$why', ({ task: one, want }) => expect(plan({ tasks: [one] }).tasks[0]).toMatchObject(want))

  test.each([
    { why: 'a byte order mark', text: `\ufeff${json({ tasks: [task('A')] })}` },
    { why: 'a fence around it', text: `\`\`\`json\n${json({ tasks: [task('A')] })}\n\`\`\`\n` },
    { why: 'a list of tasks', text: json([task('A')]) },
    { why: 'a plan in `plan`', text: json({ version: 1, plan: { tasks: [task('A')] } }) },
    { why: 'tasks by id', text: json({ tasks: { A: { description: 'do A' } } }) },
  ])('$why', ({ text }) =>
    expect(plan(text).tasks).toMatchObject([{ id: 'A', description: 'do A' }]),
  )

  test.each(
    // prettier-ignore
    [
    { why: 'as said', value: { total_estimated_effort: '3 days', tasks: [task('A')] }, effort: '3 days' },
    { why: 'from the hours', value: { tasks: [{ ...task('A'), estimated_hours: 1.5 }, { ...task('B'), estimated_hours: '2h' }] }, effort: '3.5 h' },
    { why: 'from the sizes', value: { tasks: [task('A'), { ...task('B'), effort: 'large' }, task('C')] }, effort: '2 medium, 1 large' },
  ],
  )('the effort of all: $why', ({ value, effort }) =>
    expect(plan(value).totalEstimatedEffort).toBe(effort),
  )

  test.each([
    { path: 'A -> B' },
    { path: ['A', 'B'] },
    { path: [{ id: 'A' }, { task: 'B' }] },
    { path: 'A, B' },
  ])('the critical path $path is read', ({ path }) =>
    expect(
      plan({ tasks: [task('A'), task('B', ['A'])], critical_path: path }).criticalPath,
    ).toEqual(['A', 'B']),
  )
})

describe('a plan that cannot be worked through', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'an empty file', text: '', says: ['plan.json cannot be read: the file is empty'] },
    { why: 'Markdown', text: '# Plan', says: ['plan.json cannot be read: it is not JSON'] },
    { why: 'JSON that is cut, with its line', text: '{\n "tasks": [\n {"id": "A",}]', says: ['it is not JSON, line 3'] },
    { why: 'no tasks', text: '{"tasks": []}', says: ['plan.json has no tasks'] },
    { why: 'a number', text: '7', says: ['plan.json has no tasks'] },
    { why: 'a task without a word', text: json({ tasks: [{ id: 'A' }] }), says: ['A has neither a title nor a description'] },
    { why: 'an id twice', text: json({ tasks: [task('A'), task('B'), task('A'), task('A')] }), says: ['ids more than once: A'] },
    { why: 'an unknown id', text: json({ tasks: [task('A', ['Z'])] }), says: ['A depends on Z, which is no task'] },
    { why: 'a critical path outside of the tasks', text: json({ tasks: [task('A')], critical_path: ['A', 'Y'] }), says: ['critical_path names what is no task: Y'] },
    { why: 'a task that waits for itself', text: json({ tasks: [task('A', ['A'])] }), says: ['depends_on has a cycle: A -> A'] },
    { why: 'a cycle after other tasks', text: json({ tasks: [task('X'), task('A', ['X', 'B']), task('B', ['C']), task('C', ['A']), task('D', ['A'])] }), says: ['depends_on has a cycle: A -> B -> C -> A'] },
    { why: 'two things at once', text: json({ tasks: [task('A', ['Z']), task('B', ['B'])] }), says: ['A depends on Z', 'cycle: B -> B'] },
  ],
  )('$why', ({ text, says }) =>
    expect(readPlanFile(text)).toEqual({
      ok: false,
      problems: says.map((one) => expect.stringContaining(one) as string),
    }),
  )

  test('a plan whose tasks only need earlier ones has no cycle, one edge back makes one', () => {
    const edges = fc
      .integer({ min: 2, max: 30 })
      .chain((n) =>
        fc.tuple(
          fc.constant(n),
          fc.array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), { maxLength: 60 }),
        ),
      )
    fc.assert(
      fc.property(edges, ([n, pairs]) => {
        const needs = Array.from({ length: n }, (_, i) =>
          pairs.filter(([a, b]) => a === i && b < i).map(([, b]) => `T${b}`),
        )
        const chain = needs.map((list, i) => (i === 0 ? list : [...list, `T${i - 1}`]))
        const tasks = (all: string[][]): string =>
          json({ tasks: all.map((list, i) => task(`T${i}`, list)) })
        expect(readPlanFile(tasks(needs)).ok).toBe(true)
        const read = readPlanFile(tasks(chain.map((list, i) => (i === 0 ? [`T${n - 1}`] : list))))
        expect(read).toMatchObject({ ok: false, problems: [expect.stringContaining('cycle')] })
      }),
    )
  })

  test('a chain of 20,000 tasks is read', () => {
    const many = Array.from({ length: 20_000 }, (_, i) =>
      task(`T${i}`, i === 0 ? [] : [`T${i - 1}`]),
    )
    expect(plan({ tasks: many }).tasks).toHaveLength(20_000)
  })
})
