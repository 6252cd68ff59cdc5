// Sessions on disk: created by Ratchet, or planned by another tool.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { PreparedRun } from '../../src/contract/test-fix/test-fix-step.js'
import { filesOf, SAMPLE, writeFiles } from '../support/repositories/repos.js'
import { PLANNED, plannedTask as TASK } from '../support/runs/sessions.js'
import { sessionHost } from './session-host.js'

const NAME = 'WFS-test-login'
const OPEN = { generateTests: false }
const record = (project: string, place = '.workflow') => path.join(project, place, NAME)
const json = (dir: string, name: string) =>
  JSON.parse(readFileSync(path.join(dir, name), 'utf8')) as Record<string, unknown>
const queue = (prepared: PreparedRun) =>
  prepared.tasks?.map(({ id, type, role, status, dependsOn }) => [
    id,
    type,
    role,
    status,
    dependsOn.join(),
  ])

test('a new session has its session file, plan, list and test task, and is git-ignored', async () => {
  const { project, run, prepare } = sessionHost()
  const prepared = await prepare({ open: OPEN })
  const dir = record(project)
  expect(prepared).toMatchObject({ recordDir: dir, unplanned: true, warnings: [] })
  expect(queue(prepared)).toEqual([['IMPL-002', 'test-fix', 'test-fix-agent', 'pending', '']])
  expect(Object.keys(filesOf(dir))).toEqual(
    expect.arrayContaining([
      '.task/IMPL-002.json',
      'IMPL_PLAN.md',
      'TODO_LIST.md',
      'workflow-session.json',
    ]),
  )
  expect(json(dir, 'workflow-session.json')).toEqual({
    schema: 1,
    session_id: NAME,
    workflow_type: 'test_session',
    type: 'test',
    project,
    description: 'Fix the failing tests of project',
    workflow_id: run,
    status: 'created',
    created_at: '2026-11-20T20:00:00+08:00',
    branch: `ratchet/${NAME}`,
    base: prepared.workspace.base,
  })
  expect(json(dir, '.task/IMPL-002.json')).toMatchObject({
    id: 'IMPL-002',
    status: 'pending',
    cli_execution: { strategy: 'new' },
    meta: {
      type: 'test-fix',
      agent: '@test-fix-agent',
      test_framework: 'vitest',
      project_type: 'javascript',
    },
    context: { depends_on: [] },
    flow_control: {
      test_commands: { run_tests: 'npm test' },
      test_fix_cycle: { max_iterations: 5, exit_conditions: { success: 'all_tests_pass' } },
    },
  })
  expect(json(dir, '.task/IMPL-002.json')).not.toHaveProperty('meta.max_iterations')
  expect(readFileSync(path.join(project, '.workflow/.gitignore'), 'utf8')).toBe('*\n')
})

test('with --generate-tests IMPL-001 comes first, and keeps its number of iterations', async () => {
  const { project, prepare } = sessionHost()
  const prepared = await prepare({ open: { generateTests: true, maxIterations: 8 } })
  expect(queue(prepared)).toEqual([
    ['IMPL-001', 'test-gen', 'code-developer', 'pending', ''],
    ['IMPL-001.3', 'code-validation', 'test-fix-agent', 'pending', 'IMPL-001'],
    ['IMPL-001.5', 'test-quality-review', 'test-fix-agent', 'pending', 'IMPL-001.3'],
    ['IMPL-002', 'test-fix', 'test-fix-agent', 'pending', 'IMPL-001.5'],
  ])
  expect(prepared.generation).toEqual({ task: 'IMPL-001' })
  expect(prepared.tasks?.[3]).toMatchObject({ maxIterations: 8 })
  expect(readFileSync(path.join(record(project), 'TODO_LIST.md'), 'utf8')).toContain(
    '- [ ] Execute IMPL-002: Test and fix project [test-fix-agent] [ITERATION]',
  )
})

test('a start killed between two files is completed by its next attempt, with the same queue', async () => {
  const { project, prepare } = sessionHost()
  const open = { generateTests: true }
  const first = await prepare({ open })
  const whole = filesOf(record(project))
  for (const lost of [
    ['workflow-session.json'],
    ['workflow-session.json', 'TODO_LIST.md', '.task/IMPL-002.json'],
    [],
  ]) {
    writeFiles(record(project), Object.fromEntries(lost.map((name) => [name, null])))
    expect(await prepare({ open })).toEqual(first)
    expect(filesOf(record(project))).toEqual(whole)
  }
})

test.each(['.workflow', '.workflow/active'])(
  'a session that another tool planned in %s runs as it is',
  async (place) => {
    const { project, prepare } = sessionHost()
    writeFiles(record(project, place), PLANNED)
    const prepared = await prepare({ open: { generateTests: true } })
    expect(prepared.recordDir).toBe(record(project, place))
    expect(prepared.unplanned).toBeUndefined()
    expect(queue(prepared)).toEqual([
      ['IMPL-001', 'test-gen', 'code-developer', 'pending', ''],
      ['IMPL-001.3', 'code-validation', 'test-fix-agent', 'pending', 'IMPL-001'],
      ['IMPL-001.5', 'test-quality-review', 'test-fix-agent', 'pending', 'IMPL-001.3'],
      ['IMPL-002', 'test-fix', 'test-fix-agent', 'pending', 'IMPL-001.5'],
      ['IMPL-010', 'work', 'code-developer', 'pending', 'IMPL-002'],
    ])
    expect(filesOf(record(project, place))).toEqual(PLANNED)
  },
)

test('a session without a test task gets one at its end, with a warning', async () => {
  const { project, prepare } = sessionHost()
  const planned = {
    ...PLANNED,
    '.task/IMPL-002.json': TASK('IMPL-002', 'work', '@code-developer', {
      context: { depends_on: ['IMPL-001.5'] },
    }),
  }
  writeFiles(record(project), planned)
  const prepared = await prepare({ open: OPEN })
  expect(queue(prepared)?.at(-1)).toEqual([
    'IMPL-011',
    'test-fix',
    'test-fix-agent',
    'pending',
    'IMPL-010',
  ])
  expect(prepared.warnings).toEqual([
    'the session had no test-fix task; IMPL-011 was added behind the others',
  ])
  expect(filesOf(record(project))).toMatchObject(planned)
})

test('a session without tasks gets those of a new session, with a warning', async () => {
  const { project, prepare } = sessionHost()
  writeFiles(record(project), { 'workflow-session.json': '{ "type": "test", "status": "active" }' })
  const prepared = await prepare({ open: OPEN })
  expect(queue(prepared)?.map(([id]) => id)).toEqual(['IMPL-002'])
  expect(prepared.warnings).toEqual(['the session had no tasks; IMPL-002 was added'])
})

test('a session with two invalid tasks is refused before anything is created', async () => {
  const { project, prepare, left } = sessionHost()
  const files = {
    ...PLANNED,
    '.task/IMPL-001.json': '{ "id": ',
    '.task/IMPL-002.json': TASK('IMPL-002', 'test-fix', ''),
  }
  writeFiles(record(project), files)
  const before = left()
  await expect(prepare({ open: OPEN })).rejects.toMatchObject({
    type: 'BadInput',
    nonRetryable: true,
    details: [
      {
        message: expect.stringMatching(
          /have 2 problems: IMPL-001\.json: is not JSON .* IMPL-002\.json: meta\.agent: /,
        ) as string,
      },
    ],
  })
  expect(left()).toEqual(before)
  expect(filesOf(record(project))).toEqual(files)
})

test('the queue of a session does not depend on the files of its project', async () => {
  const { project, prepare } = sessionHost({
    ...SAMPLE,
    'package.json': '{}',
    'pytest.ini': '[pytest]\n',
  })
  expect((await prepare({ open: OPEN })).tasks).toHaveLength(1)
  expect(json(record(project), '.task/IMPL-002.json')).toMatchObject({
    meta: { test_framework: 'pytest', project_type: 'python' },
  })
})
