// Tests that an agent writes: whether they are needed, measured, kept or asked about, on a real
// Temporal server with a scripted host.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { UPDATES } from '../../src/contract/names.js'
import type { TaskEntry } from '../../src/contract/test-fix/task.js'
import { say } from '../support/runs/approving.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import {
  COVERED,
  GOOD_TESTS,
  stubHost,
  TEST_TASK,
  type Script,
  type StubHost,
} from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const task = (id: string, type: TaskEntry['type'], dependsOn: string[]): TaskEntry => ({
  ...TEST_TASK,
  id,
  title: id,
  type,
  role: type === 'test-gen' ? 'code-developer' : 'test-fix-agent',
  dependsOn,
  file: `${id}.json`,
})
const PLANNED: Script['prepared'] = {
  agents: {
    'cli-planning-agent': ['planner'],
    'test-fix-agent': ['fixer'],
    'code-developer': ['developer'],
  },
  tasks: [
    task('IMPL-001', 'test-gen', []),
    task('IMPL-001.3', 'code-validation', ['IMPL-001']),
    task('IMPL-001.5', 'test-quality-review', ['IMPL-001.3']),
    { ...TEST_TASK, dependsOn: ['IMPL-001.5'] },
  ],
  generation: { task: 'IMPL-001' },
}
const GREEN = measured(20, 20)
const LOW = { ...COVERED, coverage: { lines: 40, branches: 30, functions: 50 } }
const HOLLOW = {
  ...GOOD_TESTS,
  mutants: { tried: 10, killed: 1, survivors: ['src/a.ts:3: "<" becomes "<="'] },
}
const made = (script: Partial<Script> = {}): StubHost =>
  stubHost({ runs: [GREEN], prepared: PLANNED, coverage: () => LOW, ...script })
const whole = (host: StubHost, input: Record<string, unknown> = {}) =>
  runCycle(env, host, (run) => run.result(), { project: '/repo', ...input })
const turns = (host: StubHost) => host.turns.map((t) => `${t.role} ${t.task ?? '-'} ${t.ask.about}`)

test('a gap is measured, then tests are written, validated, measured and reviewed', async () => {
  const host = made()
  expect(await whole(host)).toMatchObject({ outcome: 'success', reviewNeeded: false })
  expect(turns(host)).toEqual([
    'code-developer IMPL-001 task',
    'test-fix-agent IMPL-001.3 gate',
    'test-fix-agent IMPL-001.5 gate',
  ])
  expect([host.covers.length, host.measures.length]).toEqual([1, 1])
  expect(host.turns.at(-1)?.ask).toMatchObject({
    measured: expect.stringContaining('9 of 10 mutants noticed') as string,
  })
})

test('without a gap no test is written, and the run says so', async () => {
  const host = made({ coverage: () => COVERED })
  const result = await whole(host)
  expect(result).toMatchObject({ outcome: 'success', reviewNeeded: false })
  expect(result.warnings).toEqual([
    'no tests were written: the tests cover enough: lines 95 %, branches 90 %, functions 100 %',
  ])
  expect([turns(host), host.measures]).toEqual([[], []])
  expect(host.records.at(-1)?.state.queue.map(({ status }) => status)).toEqual([
    'completed',
    'completed',
    'completed',
    'completed',
  ])
})

test('a project without a test command measures nothing before its first tests', async () => {
  const host = made({
    prepared: { ...PLANNED, generation: { task: 'IMPL-001', bare: true } },
  })
  expect(await whole(host)).toMatchObject({ outcome: 'success' })
  expect(host.covers).toEqual([])
  expect(host.tests.map(({ step }) => step.split('/')[1])).toEqual(['baseline', 'final-0'])
})

test('unattended, hollow tests are rewritten twice without a review, then kept for a review by a person', async () => {
  const host = made({ measured: () => HOLLOW })
  const result = await whole(host)
  expect(result).toMatchObject({ outcome: 'success', reviewNeeded: true })
  expect(result.reason).toContain(
    'IMPL-001.5 (test-quality-review): the tests notice 1 of 10 changes to the code under test, half of them are asked, after 3 checks',
  )
  const written = host.turns.filter((t) => t.ask.about === 'task').map((t) => t.ask)
  expect(written).toHaveLength(3)
  expect(written[1]).toMatchObject({
    repairs: 'test-quality-review',
    feedback: expect.stringContaining('src/a.ts:3: "<" becomes "<="') as string,
  })
  const reviewed = host.turns.filter(
    (t) => t.ask.about === 'gate' && t.ask.gate === 'test-quality-review',
  )
  expect([host.measures.length, reviewed.length]).toEqual([3, 0])
})

test('a repair that changes nothing is not measured again', async () => {
  const host = made({ measured: () => HOLLOW, emptyFixes: [2, 3] })
  expect(await whole(host)).toMatchObject({ outcome: 'success', reviewNeeded: true })
  expect(host.measures).toHaveLength(1)
})

test('if no test is written, none is checked; the writer is asked again, and the result says so', async () => {
  const host = made({ emptyFixes: [1, 2, 3] })
  const result = await whole(host)
  expect(result).toMatchObject({
    outcome: 'success',
    reviewNeeded: true,
    reason: 'IMPL-001.5 (test-quality-review): IMPL-001 wrote no test, after 3 checks',
    warnings: [],
  })
  expect(turns(host)).toEqual(Array<string>(3).fill('code-developer IMPL-001 task'))
  expect(host.turns[1]?.ask).toMatchObject({ feedback: 'IMPL-001 wrote no test' })
  expect(host.measures).toEqual([])
})

test('without any test in the project the run ends there, and a resumed one writes them again', async () => {
  const host = made({
    emptyFixes: [1, 2, 3],
    prepared: { ...PLANNED, generation: { task: 'IMPL-001', bare: true } },
  })
  expect(await whole(host)).toMatchObject({
    outcome: 'blocked',
    reason: 'IMPL-001.5 (test-quality-review): IMPL-001 wrote no test, after 3 checks',
  })
  expect(host.tests).toEqual([])
  expect(host.records.at(-1)?.state.queue[0]).toMatchObject({ id: 'IMPL-001', status: 'blocked' })
})

test('tests that are written on a second request are validated, measured and reviewed', async () => {
  const host = made({ emptyFixes: [1] })
  expect(await whole(host)).toMatchObject({ outcome: 'success', reviewNeeded: false, reason: null })
  expect(turns(host)).toEqual([
    'code-developer IMPL-001 task',
    'code-developer IMPL-001 task',
    'test-fix-agent IMPL-001.3 gate',
    'test-fix-agent IMPL-001.5 gate',
  ])
})

test('without a gate of test quality, a task that wrote no test is a reason for a review', async () => {
  const host = made({
    emptyFixes: [1],
    prepared: {
      ...PLANNED,
      generation: undefined,
      tasks: [task('IMPL-001', 'test-gen', []), { ...TEST_TASK, dependsOn: ['IMPL-001'] }],
    },
  })
  // No one is asked to approve tests that are not there.
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await say(run, 'approve-IMPL-001', 'approve')
      return run.result()
    },
    { project: '/repo', interactive: true },
  )
  expect(result).toMatchObject({
    outcome: 'success',
    reviewNeeded: true,
    reason: 'IMPL-001 wrote no test',
  })
})

test('tests that are written after the test task are measured, and the branch keeps them', async () => {
  const host = made({
    runs: [GREEN, measured(21, 21)],
    prepared: {
      ...PLANNED,
      generation: undefined,
      tasks: [TEST_TASK, task('IMPL-supplement-1', 'test-gen', [])],
    },
  })
  expect(await whole(host)).toMatchObject({
    outcome: 'success',
    passRate: 100,
    best: { commit: 'fix-1' },
    reason: null,
  })
  expect([host.backs, host.tests.map(({ commit }) => commit)]).toEqual([
    [],
    ['base', 'fix-1', 'fix-1'],
  ])
})

const asked = (run: Running) => run.until('the question', ({ questions }) => questions === 1)
const answered = (host: StubHost, ...choices: string[]) =>
  runCycle(
    env,
    host,
    async (run) => {
      for (const choice of choices) {
        await asked(run)
        await run.handle.executeUpdate(UPDATES.answer, { args: [{ choice }] })
      }
      return run.result()
    },
    { project: '/repo', attended: true },
  )

test('a person who is there decides on hollow tests: continue keeps them for a review', async () => {
  expect(await answered(made({ measured: () => HOLLOW }), 'continue')).toMatchObject({
    outcome: 'success',
    reviewNeeded: true,
  })
})

test('again lets the agent repair hollow tests once more', async () => {
  const host = made({ measured: (call) => (call <= 3 ? HOLLOW : GOOD_TESTS) })
  expect(await answered(host, 'again')).toMatchObject({ outcome: 'success', reviewNeeded: false })
  expect(host.turns.filter((t) => t.ask.about === 'task')).toHaveLength(4)
})

test('stop ends the run before hollow tests count', async () => {
  expect(await answered(made({ measured: () => HOLLOW }), 'stop')).toMatchObject({
    outcome: 'blocked',
    reason: expect.stringContaining('IMPL-001.5') as string,
  })
})

test('a gap after a fix adds a supplement, which is checked and run like the first tests', async () => {
  const host = made({
    runs: [GREEN, measured(19, 20), GREEN],
    coverage: (call) => (call <= 2 ? LOW : COVERED),
  })
  const result = await whole(host)
  expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(result.warnings).toContainEqual(
    expect.stringContaining('IMPL-supplement-1 was added: the tests cover lines 40 %'),
  )
  expect(turns(host).slice(-3)).toEqual([
    'code-developer IMPL-supplement-1 task',
    'test-fix-agent IMPL-001.3 gate',
    'test-fix-agent IMPL-001.5 gate',
  ])
})
