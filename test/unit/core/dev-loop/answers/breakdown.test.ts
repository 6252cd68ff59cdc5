import { expect, test } from 'vitest'
import type { LoopTask } from '../../../../../src/contract/dev-loop/action-reading.js'
import { TASK_FILE_CHARS, TASK_FILES } from '../../../../../src/core/dev-loop/answers/breakdown.js'
import { readWorker } from '../../../../../src/core/dev-loop/answers/action-block.js'

const tasks = (after: string, inBlock = ''): LoopTask[] | undefined =>
  readWorker(`WORKER_RESULT:\n- action: init\n- status: success\n${inBlock}\n${after}`, 'init')
    .tasks
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``
const task = (
  n: number,
  description: string,
  priority: LoopTask['priority'] = 'medium',
  files: string[] = [],
): LoopTask => ({ id: `T${n}`, description, priority, status: 'pending', files })
const PAIR = [
  task(1, 'Add the login', 'high', ['src/a.ts', 'src/b.ts']),
  task(2, 'Log failures', 'low'),
]
const OBJECTS = [
  { id: 'T1', description: 'Add the login', priority: 'high', files: ['src/a.ts', 'src/b.ts'] },
  { id: 'T2', description: 'Log failures', priority: 'low', files: [] },
]

test.each(
  // prettier-ignore
  [
  { why: 'the object of the form', after: `DETAILED_OUTPUT:\nTwo steps.\n\n${json({ tasks: OBJECTS })}` },
  { why: 'without DETAILED_OUTPUT', after: json({ tasks: OBJECTS }) },
  { why: 'TASK_BREAKDOWN as a key', after: `DETAILED_OUTPUT:\n${json({ TASK_BREAKDOWN: OBJECTS })}` },
  { why: 'in its own name', after: json({ DETAILED_OUTPUT: { tasks: OBJECTS } }) },
  { why: 'TASK_BREAKDOWN as an array in a fence', after: `TASK_BREAKDOWN:\n\n${json(OBJECTS)}\n\nEXECUTION_PLAN:\n1. T1\n2. T2` },
  { why: 'TASK_BREAKDOWN as an array behind its name', after: `DETAILED_OUTPUT:\nTASK_BREAKDOWN: ${JSON.stringify(OBJECTS)}` },
  { why: 'other words for the same keys', after: json({ tasks: [{ id: 'a', title: 'Add the login', priority: 1, files: 'src/a.ts, src/b.ts' }, { title: 'Log failures', priority: 3 }] }) },
  { why: 'a list', after: 'DETAILED_OUTPUT:\nTASK_BREAKDOWN:\n- T1 [high]: Add the login | files: [src/a.ts, src/b.ts]\n- T2 [low]: Log failures\n\nEXECUTION_PLAN:\n- T1: first\n- T3: nothing' },
  { why: 'a list without a name', after: 'DETAILED_OUTPUT:\nT1: Add the login (high)\n  files: [src/a.ts, src/b.ts]\nT2: Log failures (priority: low)' },
  { why: 'a numbered list, bold', after: 'DETAILED_OUTPUT:\n1. **T1**: Add the login\n   - Priority: high\n   - Files: src/a.ts, src/b.ts\n2. **T2 (low)**: Log failures' },
  { why: 'headings', after: 'DETAILED_OUTPUT:\n### T1: Add the login\n- **Priority**: critical\n- **Files**: `src/a.ts`, `src/b.ts`\n\n### T2: Log failures\n- Priority: P3' },
  { why: 'an array without a name', after: `DETAILED_OUTPUT:\n${json(OBJECTS)}` },
  { why: 'an array in the block', after: '', inBlock: `- tasks: ${JSON.stringify(OBJECTS)}\n` },
  { why: 'a table', after: 'DETAILED_OUTPUT:\n| ID | Task | Priority | Files |\n|----|------|----------|-------|\n| T1 | Add the login | high | src/a.ts, src/b.ts |\n| **T2** | Log failures | low | - |' },
  { why: 'a numbered list below its name', after: 'DETAILED_OUTPUT:\nTASK_BREAKDOWN:\n1. Add the login (high) | files: [src/a.ts, src/b.ts]\n2. Log failures (low)\n\nEXECUTION_PLAN:\n1. the first\n2. the second' },
  { why: 'a heading of tasks, and bullets', after: 'DETAILED_OUTPUT:\n## Tasks\n\n- [ ] **Add the login** (priority: high)\n  - Files: src/a.ts, src/b.ts\n- [ ] Log failures (low)\n\n## Notes\n- nothing' },
  { why: 'sentences in JSON', after: json({ tasks: ['T1 [high]: Add the login | files: [src/a.ts, src/b.ts]', 'T2 [low]: Log failures'] }) },
],
)(
  'init: $why is a breakdown',
  ({ after, inBlock = '' }: { why: string; after: string; inBlock?: string }) =>
    expect(tasks(after, inBlock)).toEqual(PAIR),
)

test.each(
  // prettier-ignore
  [
  { why: 'no details', after: '' },
  { why: 'prose', after: 'DETAILED_OUTPUT:\nI could not plan: T1 is unclear.' },
  { why: 'bullets under another name', after: 'DETAILED_OUTPUT:\nPREREQUISITES:\n- a database\n- a key' },
  { why: 'a table of something else', after: 'DETAILED_OUTPUT:\n| File | Lines |\n|---|---|\n| src/a.ts | 20 |' },
  { why: 'the sample', after: `DETAILED_OUTPUT:\n${json({ tasks: [{ id: '<T1>', description: '<one piece of work>', priority: 'high | medium | low', files: ['<path>'] }] })}` },
  { why: 'an empty list', after: json({ tasks: [] }) },
  { why: 'odd types', after: json({ tasks: [7, null, {}, { id: 'T1' }, ['x']] }) },
],
)('init: $why is no breakdown', ({ after }) => expect(tasks(after)).toBeUndefined())

test('ids are T1, T2, … in order, statuses pending, for any input of the worker', () => {
  expect(
    tasks(
      json({
        tasks: [
          { id: 'T9', description: 'a', status: 'completed' },
          { id: 'IMPL-1', description: 'b' },
          { id: 'T9', description: 'c' },
          { id: 'T9', description: 'a' },
        ],
      }),
    ),
  ).toEqual([task(1, 'a'), task(2, 'b'), task(3, 'c')])
})

test.each([
  { said: 'high', is: 'high' },
  { said: 'Critical', is: 'high' },
  { said: 1, is: 'high' },
  { said: 'P0', is: 'high' },
  { said: 'p1', is: 'high' },
  { said: 0, is: 'high' },
  { said: 'medium', is: 'medium' },
  { said: 2, is: 'medium' },
  { said: 'P2', is: 'medium' },
  { said: 'green', is: 'medium' },
  { said: null, is: 'medium' },
  { said: 'high | medium | low', is: 'high' },
  { said: 'low', is: 'low' },
  { said: 3, is: 'low' },
  { said: 5, is: 'low' },
  { said: 10, is: 'low' },
  { said: 'p4', is: 'low' },
])('priority: $said is $is', ({ said, is }) =>
  expect(tasks(json({ tasks: [{ description: 'a', priority: said }] }))?.[0]?.priority).toBe(is),
)

test('the text of a task is not cut below 4,000 characters, however many there are', () => {
  const texts = Array.from({ length: 20 }, (_, n) => `${n} ${'long '.repeat(700)}end`)
  expect(
    tasks(json({ tasks: texts.map((description) => ({ description })) }))?.map(
      ({ description }) => description,
    ),
  ).toEqual(texts)
})

test('more tasks than were asked for are taken, up to a bound; long paths are left out', () => {
  const many = Array.from({ length: 30 }, (_, n) => ({
    description: `${n} ${'long '.repeat(1_000)}`,
    files: ['x'.repeat(TASK_FILE_CHARS + 1), ...Array.from({ length: 9 }, (__, m) => `f${m}.ts`)],
  }))
  const read = tasks(json({ tasks: many })) ?? []
  expect(read).toHaveLength(20)
  expect(
    read.every(
      ({ description, files }) =>
        description.length <= 4_000 && files.length === TASK_FILES && files[0] === 'f0.ts',
    ),
  ).toBe(true)
})
