// Test changes that agents propose, on a real Temporal server with a scripted host.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { UPDATES } from '../../src/contract/names.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { ANALYSIS, proposed, stubHost, type Script } from '../support/stub-host.js'
import { measured, notStarted } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const whole = (host: ReturnType<typeof stubHost>, input: unknown = { project: '/repo' }) =>
  runCycle(env, host, (run) => run.result(), input)
/** Each fix proposes a change, each analysis none. */
const FIX_PROPOSES: NonNullable<Script['turn']> = ({ role }) =>
  role === 'test-fix-agent' ? { proposes: 1 } : {}
const ONLY_PROPOSES: Script['turn'] = ({ role, iteration }) =>
  role === 'cli-planning-agent'
    ? {
        proposes: 1,
        read: {
          ...ANALYSIS,
          task: `IMPL-fix-${iteration}`,
          file: `IMPL-fix-${iteration}.json`,
          points: 0,
        },
      }
    : {}

test('an analysis that only proposes ends the run as blocked before a fix is bought', async () => {
  const host = stubHost({ runs: [measured(4, 5)], turn: ONLY_PROPOSES })
  const result = await whole(host)
  expect(result).toMatchObject({
    outcome: 'blocked',
    iterations: 0,
    proposedTestChanges: [{ file: 'test/1.test.ts' }],
  })
  expect(result.reason).toContain(
    '1 test is proposed to change (test/1.test.ts); apply the proposals with: ratchet answer',
  )
  expect(host.turns).toHaveLength(1)
})

test('a proposal of a fix that did not help ends the run once every failing test is covered', async () => {
  const host = stubHost({ runs: [measured(4, 5)], turn: FIX_PROPOSES })
  const result = await whole(host)
  expect(result).toMatchObject({ outcome: 'blocked', iterations: 1 })
  expect(result.history[1]?.note).toContain('a change is proposed to test/1.test.ts')
  expect(host.proposes).toMatchObject([{ head: 'fix-1', iteration: 1, known: [] }])
})

test('while other tests fail the run continues, and says at its end what is proposed', async () => {
  const host = stubHost({
    runs: [measured(3, 5)],
    turn: FIX_PROPOSES,
    covered: () => ({ covered: 1, uncovered: 1 }),
  })
  const result = await whole(host, { project: '/repo', maxIterations: 2 })
  expect(result).toMatchObject({ outcome: 'failed', iterations: 2 })
  expect(result.reason).toMatch(/after 2 of 2 iterations; 1 test is proposed to change/)
})

test('an unusable proposal is named in the note and has no other effect', async () => {
  const host = stubHost({
    runs: [measured(4, 5), measured(5, 5), measured(5, 5)],
    turn: FIX_PROPOSES,
    propose: ({ known }) => ({
      proposals: known,
      valid: [],
      refused: [{ file: '../x', reason: 'the path leads out of the project' }],
    }),
  })
  const result = await whole(host)
  expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(result).not.toHaveProperty('proposedTestChanges')
  expect(result.history[1]?.note).toContain(
    'proposed test changes that cannot be used: ../x (the path leads out of the project)',
  )
  expect(host.counted).toEqual([])
})

test('attended: the question waits; accept commits the change on best, measures it alone, and the run continues from it', async () => {
  const host = stubHost({
    runs: [measured(4, 5), measured(4, 5), measured(5, 5), measured(5, 5)],
    turn: FIX_PROPOSES,
  })
  const result = await runCycle(
    env,
    host,
    async (run) => {
      const status = await run.until('the question', ({ questions }) => questions === 1)
      expect(status).toMatchObject({
        waitingFor: expect.stringContaining('person') as string,
        proposedTestChanges: [{ file: 'test/1.test.ts' }],
      })
      await run.handle.executeUpdate(UPDATES.answer, { args: [{ choice: 'accept' }] })
      return run.result()
    },
    { project: '/repo', attended: true },
  )
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 1,
    proposedTestChanges: [{ answer: 'accepted' }],
  })
  expect(host.applies).toMatchObject([{ step: 'test-change-1', changes: [{ number: 1 }] }])
  expect(host.tests.filter(({ replaces }) => replaces !== undefined)).toMatchObject([
    { commit: 'change-1', replaces: ['test/1.test.ts'] },
  ])
  expect(result.commits).toContain('change-1')
})

test('attended: a stop while the accepted change is measured goes back to what was measured, and names the change', async () => {
  const host = stubHost({
    runs: [measured(4, 5), measured(4, 5)],
    turn: FIX_PROPOSES,
    testsLostOnCancel: [3],
  })
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await run.until('the question', ({ questions }) => questions === 1)
      await run.handle.executeUpdate(UPDATES.answer, { args: [{ choice: 'accept' }] })
      await expect.poll(() => host.tests.length, { timeout: 20_000 }).toBe(3)
      await run.handle.signal('stop', 'enough')
      return run.result()
    },
    { project: '/repo', attended: true },
  )
  expect(result).toMatchObject({ outcome: 'stopped', best: { commit: 'base', iteration: 0 } })
  expect(result.reason).toContain('change-1 was not measured')
  expect(host.backs.at(-1)).toMatchObject({ expectHead: 'change-1', toTree: 'base' })
  expect(result.proposedTestChanges).toEqual([
    { file: 'test/1.test.ts', why: 'it expects the old message' },
  ])
})

test('attended: refuse keeps the tests, and the same proposal is not asked about again', async () => {
  const host = stubHost({
    runs: [measured(4, 5)],
    turn: (input, call) => (call === 2 ? FIX_PROPOSES(input, call) : {}),
  })
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await run.until('the question', ({ questions }) => questions === 1)
      await run.handle.executeUpdate(UPDATES.answer, { args: [{ choice: 'refuse' }] })
      return run.result()
    },
    { project: '/repo', attended: true, maxIterations: 2 },
  )
  expect(result).toMatchObject({
    outcome: 'failed',
    iterations: 2,
    proposedTestChanges: [{ answer: 'refused' }],
  })
  expect(host.applies).toEqual([])
})

const RESTORED = {
  startedAt: 1,
  iteration: 1,
  history: [],
  commits: [],
  usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
  proposals: [proposed(1)],
}

test('a session resumed with accepted changes first applies and measures them', async () => {
  const host = stubHost({
    runs: [measured(5, 5), measured(5, 5)],
    prepared: { restored: RESTORED },
  })
  expect(
    await whole(host, { project: '/repo', session: 'WFS-test-repo', acceptTestChanges: true }),
  ).toMatchObject({ outcome: 'success', proposedTestChanges: [{ answer: 'accepted' }] })
  expect(host.prepares[0]?.open).toMatchObject({ acceptTestChanges: true })
  expect(host.turns).toEqual([])
})

test.each(
  // prettier-ignore
  [
  { why: 'a patch that does not apply ends it with the reason', script: { runs: [measured(4, 5)], applied: () => ({ refused: { file: 'test/1.test.ts', reason: 'the patch does not apply' } }) }, reason: 'the proposed change of test/1.test.ts cannot be applied: the patch does not apply', rollbacks: 0 },
  { why: 'a suite that does not start with the change has it undone', script: { runs: [notStarted()] }, reason: 'the tests do not start with the accepted change of test/1.test.ts, so it was undone', rollbacks: 1 },
],
)('accepted changes: $why', async ({ script, reason, rollbacks }) => {
  const host = stubHost({ ...script, prepared: { restored: RESTORED } })
  const result = await whole(host, {
    project: '/repo',
    session: 'WFS-test-repo',
    acceptTestChanges: true,
  })
  expect(result).toMatchObject({
    outcome: 'blocked',
    proposedTestChanges: [{ file: 'test/1.test.ts' }],
  })
  expect(result.reason).toContain(reason)
  expect(host.backs).toHaveLength(rollbacks)
})
