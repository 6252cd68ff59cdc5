// Sessions that another tool planned, began or finished: what is read of each, field by field.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fixesIn } from '../../src/adapters/records/test-fix/fix-histories.js'
import { TestFixState } from '../../src/contract/test-fix/test-fix-state.js'
import { filesOf } from '../support/repositories/repos.js'
import { recordInput } from '../support/records.js'
import { sessionHost, type SessionHost } from './session-host.js'

const SAMPLES = path.join(import.meta.dirname, '../adapters/records/test-fix/samples/other-tool')

function bench(sample: 'fresh' | 'in-iteration-2' | 'finished'): SessionHost & { dir: string } {
  const host = sessionHost()
  const dir = path.join(host.project, '.workflow/WFS-test-login')
  cpSync(path.join(SAMPLES, sample), dir, { recursive: true })
  return { ...host, dir }
}

test('a fresh session: its queue, roles and limits, and what has no effect is said', async () => {
  const { prepare, dir } = bench('fresh')
  const before = filesOf(dir)
  const prepared = await prepare()
  expect(prepared.tasks).toMatchObject([
    { id: 'IMPL-001', type: 'test-gen', role: 'code-developer', status: 'pending' },
    { id: 'IMPL-002', type: 'test-fix', role: 'test-fix-agent', maxIterations: 7 },
    { id: 'IMPL-supplement-1', type: 'test-gen', role: 'code-developer', dependsOn: ['IMPL-001'] },
  ])
  expect(prepared.unplanned).toBeUndefined()
  expect(prepared.restored).toBeUndefined()
  expect(prepared.warnings).toEqual([
    'IMPL-001: meta.agent "@test-writer" is not known: the code-developer carries the task out',
    'IMPL-002: no effect: use_codex, diagnosis_tool, fix_mode; "roles" in the configuration names the agents',
    'IMPL-002: test_commands.run_tests is "npx jest", but the tests run with "npm test"; "test.command" in the configuration changes that',
  ])
  expect(filesOf(dir)).toEqual(before)
})

test('a session in iteration 2: its pending fix, numbers and history are kept', async () => {
  const { prepare, record, run, project, dir } = bench('in-iteration-2')
  const prepared = await prepare()
  expect(prepared.warnings).toEqual([
    'IMPL-002: no effect: diagnosis_tool, fix_mode; "roles" in the configuration names the agents',
  ])
  expect(prepared.tasks).toMatchObject([
    { id: 'IMPL-001', status: 'completed' },
    { id: 'IMPL-002', status: 'in_progress', attempts: 1, maxIterations: 7 },
  ])
  const { restored } = prepared
  expect(restored).toMatchObject({
    startedAt: Date.UTC(2025, 9, 17, 10),
    iteration: 1,
    history: [
      {
        iteration: 1,
        passRate: 70,
        passed: 7,
        total: 10,
        result: 'kept',
        task: 'IMPL-fix-1',
        strategy: 'conservative',
        startedAt: Date.UTC(2025, 9, 17, 10, 5),
        completedAt: Date.UTC(2025, 9, 17, 10, 15),
      },
    ],
    pending: {
      iteration: 2,
      task: 'IMPL-fix-2',
      summary: 'End the session on logout',
      points: 1,
      planned: true,
    },
  })
  expect(restored?.lastRun).toBeUndefined()

  // Lost before the first measurement: the same again, from Ratchet's own record.
  const { tasks = [], unplanned: _unplanned, restored: _restored, ...plain } = prepared
  const state = TestFixState.parse({
    schema: 1,
    input: { project, session: 'WFS-test-login' },
    facts: { searchAttributes: [], queue: 'q', project, projectKey: 'k' },
    prepared: plain,
    maxIterations: 7,
    head: prepared.head,
    warnings: [],
    requestIds: [],
    queue: tasks,
    ...restored,
  })
  await record({ ...recordInput(state), run })
  expect(Object.keys(filesOf(dir)).filter((name) => name.endsWith('.before-ratchet'))).toEqual([
    '.process/fix-history.json.before-ratchet',
    '.process/iteration-state.json.before-ratchet',
    'TODO_LIST.md.before-ratchet',
    'workflow-session.json.before-ratchet',
  ])
  const fix = JSON.parse(filesOf(dir)['.task/IMPL-fix-2.json'] as string) as { status: string }
  expect(fix.status).toBe('pending')
  const again = await prepare({ chain: 'second' })
  expect(again.restored).toMatchObject({
    iteration: 1,
    history: [{ iteration: 1, passRate: 70, strategy: 'conservative' }],
    pending: { task: 'IMPL-fix-2', planned: true },
  })
  expect(again.warnings).toEqual([])
})

test('a finished session is not continued, and its fixes are known to later analyses', async () => {
  const { prepare, dir, left } = bench('finished')
  const [before, files] = [left(), filesOf(dir)]
  await expect(prepare()).rejects.toMatchObject({
    type: 'BadInput',
    details: [
      {
        message: 'the session WFS-test-login is completed',
        next: 'start a new one with: ratchet fix',
      },
    ],
  })
  expect(left()).toEqual(before)
  expect(filesOf(dir)).toEqual(files)
  expect(fixesIn(dir)).toMatchObject([
    {
      session: 'WFS-test-login',
      iteration: 1,
      strategy: 'conservative',
      modification_points: ['src/login.js:login:3-9'],
      affected_tests: ['src/login.test.js'],
      confidence: 0.8,
    },
  ])
})
