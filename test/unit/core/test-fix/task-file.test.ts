import { expect, test } from 'vitest'
import {
  fixNumber,
  freeTaskId,
  readTask,
  taskNotes,
  taskStatus,
} from '../../../../src/core/test-fix/task-file.js'

const TASK = {
  id: 'IMPL-001',
  title: 'Generate tests',
  status: 'pending',
  meta: { type: 'test-gen', agent: '@code-developer' },
  context: {},
}
const task = (change: Record<string, unknown>) => ({ ...TASK, ...change })

test('the short form of a task; other fields are ignored', () => {
  const full = {
    ...TASK,
    id: 'IMPL-001.3',
    context_package_path: 'x.json',
    meta: {
      type: 'code-validation',
      agent: 'test-fix-agent',
      max_iterations: 7,
      test_layer: 'unit',
    },
    context: { requirements: ['a'], depends_on: ['IMPL-001'] },
    depends_on: ['IMPL-001', 'IMPL-000'],
    flow_control: { pre_analysis: 'odd' },
  }
  expect(readTask('IMPL-001.3-validation.json', full)).toEqual({
    ok: true,
    entry: {
      id: 'IMPL-001.3',
      title: 'Generate tests',
      type: 'code-validation',
      role: 'test-fix-agent',
      status: 'pending',
      dependsOn: ['IMPL-001', 'IMPL-000'],
      file: 'IMPL-001.3-validation.json',
      maxIterations: 7,
      attempts: 0,
    },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'a type of another tool', change: { meta: { type: 'docs', agent: '@code-developer' } }, entry: { type: 'work' } },
  { why: 'another name for writing tests', change: { meta: { type: 'Coverage_Gap', agent: '@code-developer' } }, entry: { type: 'test-gen' } },
  { why: 'only tests as its targets', change: { meta: { type: 'docs', agent: '@code-developer' }, flow_control: { target_files: ['./src/a.test.ts', 'tests/b.spec.js:login'] } }, entry: { type: 'test-gen' } },
  { why: 'code among its targets', change: { meta: { type: 'docs', agent: '@code-developer' }, flow_control: { target_files: ['src/a.test.ts', 'src/a.ts'] } }, entry: { type: 'work' } },
  { why: 'test configuration as its target', change: { meta: { type: 'docs', agent: '@code-developer' }, flow_control: { target_files: ['vitest.config.ts'] } }, entry: { type: 'work' } },
  { why: 'an agent that is not known', change: { meta: { type: 'docs', agent: '@artist' } }, entry: { role: 'code-developer' } },
  { why: 'an agent that is not known, of a type with its own', change: { meta: { type: 'test-fix', agent: '@artist' } }, entry: { role: 'test-fix-agent' } },
  { why: 'an agent without @', change: { meta: { type: 'test-fix', agent: 'test-fix-agent' } }, entry: { role: 'test-fix-agent' } },
  { why: 'a status of another tool', change: { status: 'To-Do' }, entry: { status: 'pending' } },
  { why: 'a long title', change: { title: 'x'.repeat(300) }, entry: { title: `${'x'.repeat(119)}…` } },
  { why: 'test_fix_cycle.max_iterations, which is not the source', change: { flow_control: { test_fix_cycle: { max_iterations: 9 } } }, entry: {} },
],
)('a task with $why is read', ({ change, entry }) => {
  const read = readTask('IMPL-001.json', task(change))
  expect(read).toMatchObject({ ok: true, entry })
  expect(read.ok && read.entry.maxIterations).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'no object', content: [], problems: [/^the file: must be something else than \[\]; write an object with "id"/] },
  { why: 'nothing', content: {}, problems: [/^id: is missing; write an id like "IMPL-001"$/, /^title: is missing/, /^status: is missing; write one of "pending"/, /^meta: is missing; write an object with "type" and "agent"$/, /^context: is missing/] },
  { why: 'an id that is a path', content: task({ id: '../x' }), problems: [/^id: must look like/] },
  { why: 'an empty title', content: task({ title: ' ' }), problems: [/^title: is empty/] },
  { why: 'an unknown status', content: task({ status: 'someday' }), problems: [/^status: is not known: "someday"; write one of "pending", "in_progress", "completed", "rolled_back", "blocked"$/] },
  { why: 'no agent', content: task({ meta: { type: 'test-gen' } }), problems: [/^meta\.agent: is missing; write one of "@code-developer"/] },
  { why: 'a budget of none', content: task({ meta: { type: 'test-fix', agent: '@test-fix-agent', max_iterations: 0 } }), problems: [/^meta\.max_iterations: must be at least 1$/] },
  { why: 'a budget in words', content: task({ meta: { type: 'test-fix', agent: '@test-fix-agent', max_iterations: 'five' } }), problems: [/^meta\.max_iterations: must be something else than "five"; write a whole number$/] },
  { why: 'dependencies that are no list', content: task({ context: { depends_on: 'IMPL-001' } }), problems: [/^context\.depends_on: must be something else than "IMPL-001"; write a list of task ids/] },
  { why: 'a dependency that is no id', content: task({ depends_on: ['IMPL-001', 'rm -rf'] }), problems: [/^depends_on\.1: must be the id of a task/] },
  { why: 'two problems', content: task({ title: 7, context: null }), problems: [/^title: must be something else than 7/, /^context: must be something else than null/] },
],
)('a task with $why is refused by field', ({ content, problems }) => {
  const read = readTask('IMPL-001.json', content)
  expect(read).toEqual({
    ok: false,
    problems: problems.map((problem) => expect.stringMatching(problem) as string),
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'what Ratchet writes itself', change: { flow_control: { test_commands: { run_tests: 'npm  test' }, test_fix_cycle: { diagnosis_tool: '@cli-planning-agent', fix_mode: '@test-fix-agent' } } }, notes: [] },
  { why: 'use_codex: false', change: { meta: { type: 'test-gen', agent: 'code-developer', use_codex: false } }, notes: [] },
  { why: 'use_codex and a diagnosis tool', change: { meta: { type: 'test-gen', agent: 'code-developer', use_codex: true }, flow_control: { test_fix_cycle: { diagnosis_tool: 'gemini' } } }, notes: ['IMPL-001: no effect: use_codex, diagnosis_tool; "roles" in the configuration names the agents'] },
  { why: 'an agent that is not known', change: { meta: { type: 'test-gen', agent: '@artist' } }, notes: ['IMPL-001: meta.agent "@artist" is not known: the code-developer carries the task out'] },
  { why: 'another test command', change: { flow_control: { test_commands: { run_tests: 'npx jest' } } }, notes: ['IMPL-001: test_commands.run_tests is "npx jest", but the tests run with "npm test"; "test.command" in the configuration changes that'] },
  { why: 'fields of other kinds', change: { flow_control: { test_commands: 7, test_fix_cycle: [] } }, notes: [] },
],
)('notes on a task with $why', ({ change, notes }) => {
  const content = task(change)
  const read = readTask('IMPL-001.json', content)
  expect(read.ok && taskNotes(content, read.entry, 'npm test')).toEqual(notes)
})

test.each([
  ['todo', 'pending'],
  ['active', 'in_progress'],
  ['Done', 'completed'],
  ['in progress', 'in_progress'],
  ['reverted', 'rolled_back'],
  ['failed', 'blocked'],
  ['', undefined],
  [true, undefined],
  ['constructor', undefined],
])('the status %j means %j', (word, status) => expect(taskStatus(word)).toBe(status))

test('the number of a fix task, and of nothing else', () => {
  expect(
    ['IMPL-fix-3', 'IMPL-fix-12', 'IMPL-002', 'IMPL-fix-', 'IMPL-fix-3-retest'].map(fixNumber),
  ).toEqual([3, 12, undefined, undefined, undefined])
})

test('a free id comes after all others', () => {
  expect(freeTaskId([])).toBe('IMPL-001')
  expect(freeTaskId(['IMPL-001', 'IMPL-009.5', 'IMPL-fix-40', 'T-99'])).toBe('IMPL-010')
})
