import { expect, test } from 'vitest'
import type { PendingFix } from '../../../../src/contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../../../src/contract/test-fix/task.js'
import { todoList } from '../../../../src/core/records/todo-list.js'

const entry = (id: string, rest: Partial<TaskEntry>): TaskEntry => ({
  id,
  title: `do ${id}`,
  type: 'work',
  role: 'code-developer',
  status: 'pending',
  dependsOn: [],
  attempts: 0,
  ...rest,
})
const PENDING: PendingFix = {
  iteration: 3,
  task: 'IMPL-fix-3',
  parent: 'IMPL-002',
  strategy: 'surgical',
  quality: 'normal',
  summary: 'Check for\n  null',
  points: 1,
  affectedFiles: [],
  startedAt: 0,
  turnsBefore: 0,
  notes: [],
}

test('TodoWrite: iterations are nested below their test task', () => {
  const text = todoList({
    name: 'WFS-test-x',
    current: 'IMPL-fix-3',
    pending: PENDING,
    tasks: [
      entry('IMPL-fix-3', { type: 'test-fix-iteration', parent: 'IMPL-002' }),
      entry('IMPL-002-retest-3', { type: 'test-fix', parent: 'IMPL-002' }),
      entry('IMPL-001', { title: 'Generate tests', type: 'test-gen', status: 'completed' }),
      entry('IMPL-002', { title: 'Test & Fix Cycle', type: 'test-fix', role: 'test-fix-agent' }),
      entry('IMPL-003', { status: 'blocked' }),
    ],
    // prettier-ignore
    history: [
      { iteration: 0, passRate: 70, result: 'baseline', commit: null, turns: 0 },
      { iteration: 1, passRate: 90, result: 'kept', commit: 'a', turns: 2, task: 'IMPL-fix-1', parent: 'IMPL-002', strategy: 'conservative' },
      { iteration: 2, passRate: null, result: 'rolled_back', commit: 'b', turns: 2, task: 'IMPL-fix-2', parent: 'IMPL-002' },
    ],
  })
  expect(text.split('\n').filter((line) => line.trim().startsWith('-'))).toEqual([
    '- [x] Execute IMPL-001: Generate tests [code-developer]',
    '- [~] Execute IMPL-002: Test & Fix Cycle [test-fix-agent] [ITERATION]',
    '  - [x] → Iteration 0: Initial test run (70 %)',
    '  - [x] → Iteration 1: IMPL-fix-1, conservative: kept (90 %)',
    '  - [-] → Iteration 2: IMPL-fix-2: rolled back (not measured)',
    '  - [~] → Iteration 3: IMPL-fix-3, surgical: Check for null',
    '- [!] Execute IMPL-003: do IMPL-003 [code-developer]',
  ])
})

test('causes of one turn are nested below their iteration', () => {
  const parts = [
    { task: 'IMPL-fix-2.1', commit: 'a', result: 'kept' as const },
    { task: 'IMPL-fix-2.2', commit: 'b', result: 'rolled_back' as const },
    { task: 'IMPL-fix-2.3', commit: null, result: 'no_change' as const },
  ]
  expect(
    todoList({
      name: 'x',
      tasks: [entry('IMPL-002', { type: 'test-fix' })],
      history: [{ iteration: 2, passRate: 90, result: 'kept', commit: 'c', turns: 2, parts }],
    }),
  ).toContain(
    `: kept (90 %)
    - [x] IMPL-fix-2.1: kept
    - [-] IMPL-fix-2.2: rolled back
    - [x] IMPL-fix-2.3: no change
`,
  )
})

test('the iteration of a blocked task is blocked with it', () => {
  expect(
    todoList({
      name: 'x',
      tasks: [entry('IMPL-002', { type: 'test-fix', status: 'blocked' })],
      history: [],
      pending: PENDING,
    }),
  ).toContain('  - [!] → Iteration 3: IMPL-fix-3')
})

test('a fix that is committed waits for its retest', () => {
  const tasks = [entry('IMPL-002', { type: 'test-fix' })]
  expect(
    todoList({ name: 'x', tasks, history: [], pending: { ...PENDING, commit: null } }),
  ).toContain('Check for null, waits for its retest')
})
