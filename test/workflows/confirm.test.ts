// Canaries at the end of a run: confirmed, refuted once or twice, neither.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Confirmation } from '../../src/contract/test-fix/test-fix-step.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { proposed, stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const whole = (host: ReturnType<typeof stubHost>, input: object = {}) =>
  runCycle(env, host, (run) => run.result(), { project: '/repo', ...input })
const REFUTED: Confirmation = { verdict: 'refuted', files: ['a.test.ts'] }
const FORGES = 'the code under test forges its results in a.test.ts'

test('a run that improved is confirmed once, with the results of its best state and of the first run', async () => {
  const host = stubHost({ runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)] })
  const result = await whole(host)
  expect(result).toMatchObject({ outcome: 'success', iterations: 2, confirmed: true, reason: null })
  expect(result).not.toHaveProperty('unconfirmed')
  expect(host.confirms).toMatchObject([
    {
      head: 'kept-2',
      baseline: { path: '/state/results-1.json' },
      results: { path: '/state/results-4.json' },
    },
  ])
  expect(host.tests).toHaveLength(2 + 2)
})

test('a run that ends at the start has nothing to confirm', async () => {
  const host = stubHost({ runs: [measured(3, 5)] })
  expect(await whole(host, { maxIterations: 1 })).not.toHaveProperty('confirmed')
  expect(host.confirms).toEqual([])
})

test('a run that fails at its limit is confirmed at its best state, to which the branch is reset', async () => {
  const host = stubHost({ runs: [measured(3, 9), measured(5, 9), measured(5, 9)] })
  expect(await whole(host, { maxIterations: 2 })).toMatchObject({
    outcome: 'failed',
    confirmed: true,
    best: { iteration: 1 },
  })
  expect(host.backs).toMatchObject([{ subject: 'Back to iteration 1' }])
  expect(host.confirms).toMatchObject([
    { head: 'back-1', results: { path: '/state/results-2.json' } },
  ])
})

test('an undecided canary is named in the result and does not change the outcome', async () => {
  const host = stubHost({
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    confirm: () => ({ verdict: 'unconfirmed', reason: 'no canary can be written into a.rb' }),
  })
  expect(await whole(host)).toMatchObject({
    outcome: 'success',
    confirmed: false,
    unconfirmed: 'no canary can be written into a.rb',
  })
})

test('refuted once: the run goes back to the start, and on, with the reason in the next analysis', async () => {
  const host = stubHost({
    runs: [measured(3, 5), measured(5, 5), measured(5, 5), measured(5, 5)],
    confirm: (call) => (call === 1 ? REFUTED : { verdict: 'confirmed' }),
  })
  const result = await whole(host)
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 2,
    confirmed: true,
    reason: null,
    best: { iteration: 2 },
    commits: ['kept-1', 'back-1', 'kept-2'],
  })
  expect(host.backs).toMatchObject([
    {
      subject: 'Back to the start',
      body: expect.stringContaining(`The best measured state is base, as ${FORGES}.`) as string,
      toTree: 'base',
      expectHead: 'kept-1',
    },
  ])
  expect(host.turns[2]?.ask).toMatchObject({
    about: 'diagnose',
    analysisType: 'regression-analysis',
    lastRun: { passed: 3 },
    rollbackReason: `iteration 1 was rolled back: ${FORGES}: a test that has to fail was not reported as failed`,
  })
  expect(host.turns[2]?.expectHead).toBe('back-1')
  expect(result.history.map(({ iteration, result: what }) => [iteration, what])).toEqual([
    [0, 'baseline'],
    [1, 'rolled_back'],
    [2, 'kept'],
  ])
  expect(result.history[1]?.note).toContain(FORGES)
  expect(host.tests.length).toBeLessThanOrEqual(result.iterations + 3)
})

test('refuted twice: the run is blocked at the start', async () => {
  const host = stubHost({
    runs: [measured(3, 5), measured(5, 5), measured(5, 5), measured(5, 5)],
    confirm: () => REFUTED,
  })
  const result = await whole(host)
  expect(result).toMatchObject({
    outcome: 'blocked',
    iterations: 2,
    passRate: 60,
    best: { iteration: 0, commit: 'base' },
    reason: `${FORGES}; no fix improved on the start, so there is nothing to apply`,
  })
  expect(result).not.toHaveProperty('confirmed')
  expect(host.confirms).toHaveLength(2)
  expect(host.tests.length).toBeLessThanOrEqual(result.iterations + 3)
})

test('refuted with no iteration left: the run fails, and says why', async () => {
  const host = stubHost({
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    confirm: () => REFUTED,
  })
  expect(await whole(host, { maxIterations: 1 })).toMatchObject({
    outcome: 'failed',
    iterations: 1,
    passRate: 60,
    failuresTotal: 2,
    reason: `60 % (3 of 5) after 1 of 1 iterations; ${FORGES}; no fix improved on the start, so there is nothing to apply`,
  })
})

test('refuted: the newest earlier best state that is not refuted comes before the start', async () => {
  const host = stubHost({
    runs: [measured(3, 9), measured(4, 9), measured(5, 9), measured(6, 9)],
    confirm: (call) => (call <= 2 ? REFUTED : { verdict: 'confirmed' }),
  })
  const result = await whole(host, { maxIterations: 3 })
  expect(host.confirms.map(({ results }) => results.path)).toEqual([
    '/state/results-4.json',
    '/state/results-3.json',
    '/state/results-2.json',
  ])
  expect(result).toMatchObject({
    outcome: 'failed',
    confirmed: true,
    best: { iteration: 1, passRate: 44.4 },
    reason: expect.stringContaining(FORGES) as string,
  })
  expect(result.history.map(({ result: what }) => what)).toEqual([
    'baseline',
    'kept',
    'rolled_back',
    'rolled_back',
  ])
  expect(host.backs).toMatchObject([{ subject: 'Back to iteration 1', toTree: 'kept-1' }])
})

test('refuted, and no later iteration improves: the result still says what was forged', async () => {
  const host = stubHost({
    runs: [measured(3, 5), measured(5, 5), measured(5, 5), measured(3, 5)],
    confirm: () => REFUTED,
  })
  expect(await whole(host, { maxIterations: 2 })).toMatchObject({
    outcome: 'failed',
    iterations: 2,
    reason: `60 % (3 of 5) after 2 of 2 iterations; ${FORGES}; no fix improved on the start, so there is nothing to apply`,
  })
})

/** Passing tests of nine after each run: every fix repairs one. */
const EACH_REPAIRS_ONE = [3, 4, 5, 6, 7, 8, 9, 9].map((passed) => measured(passed, 9))
const resultsOf = ({ confirms }: ReturnType<typeof stubHost>) =>
  confirms.map(({ results, early = false }) => [Number(/\d+/.exec(results.path)?.[0]), early])

test('the fourth unconfirmed best state in a row is confirmed before the next iteration', async () => {
  const host = stubHost({ runs: EACH_REPAIRS_ONE })
  const result = await whole(host, { maxIterations: 8 })
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 6,
    confirmed: true,
    fullRuns: 1 + 6 + 1 + 1,
  })
  // The fourth fix is the fifth run; the end confirms what has come since.
  expect(resultsOf(host)).toEqual([
    [5, true],
    [8, false],
  ])
  expect(host.confirms.map(({ since }) => since?.path)).toEqual([
    undefined,
    '/state/results-5.json',
  ])
  expect(host.turns.findIndex(({ iteration }) => iteration === 5)).toBe(8)
})

test('where the runner cannot select files, results are confirmed at the end alone', async () => {
  const host = stubHost({
    runs: EACH_REPAIRS_ONE,
    confirm: (call) => (call === 1 ? { verdict: 'later' } : { verdict: 'confirmed' }),
  })
  expect(await whole(host, { maxIterations: 8 })).toMatchObject({
    outcome: 'success',
    confirmed: true,
    fullRuns: 6 + 3,
  })
  expect(resultsOf(host)).toEqual([
    [5, true],
    [8, false],
  ])
})

test('the fourth best state is refuted: bisection finds the newest good one, and the next fix starts from it', async () => {
  const verdicts: Confirmation[] = [REFUTED, { verdict: 'confirmed' }, REFUTED]
  const host = stubHost({
    runs: [...EACH_REPAIRS_ONE.slice(0, 5), measured(9, 9)],
    confirm: (call) => verdicts[call - 1] ?? { verdict: 'confirmed' },
  })
  const result = await whole(host, { maxIterations: 8 })
  expect(resultsOf(host)).toEqual([
    [5, true],
    [3, true],
    [4, true],
    [7, false],
  ])
  expect(host.backs).toMatchObject([
    { subject: 'Back to iteration 2', toTree: 'kept-2', expectHead: 'kept-4' },
  ])
  expect(host.turns.find(({ iteration }) => iteration === 5)).toMatchObject({
    expectHead: 'back-1',
    ask: { rollbackReason: expect.stringContaining(FORGES) as string },
  })
  expect(result.history.map(({ result: what }) => what)).toEqual([
    'baseline',
    'kept',
    'kept',
    'rolled_back',
    'rolled_back',
    'kept',
  ])
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 5,
    confirmed: true,
    fullRuns: 5 + 3,
  })
})

test('refuted early and at the end, with nothing confirmed between: two in a row, the run is blocked', async () => {
  const host = stubHost({
    runs: [...EACH_REPAIRS_ONE.slice(0, 5), measured(9, 9)],
    confirm: () => REFUTED,
  })
  expect(await whole(host, { maxIterations: 8 })).toMatchObject({
    outcome: 'blocked',
    iterations: 5,
    best: { iteration: 0 },
    reason: expect.stringContaining(FORGES) as string,
  })
  expect(resultsOf(host)).toEqual([
    [5, true],
    [3, true],
    [2, true],
    [7, false],
  ])
})

test('a stop while results are confirmed ends the run at once, unconfirmed', async () => {
  const host = stubHost({
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    confirm: () => 'wait',
  })
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await expect.poll(() => host.confirms.length, { timeout: 20_000 }).toBe(1)
      await run.handle.signal('stop', 'enough')
      return run.result()
    },
    { project: '/repo' },
  )
  expect(result).toMatchObject({
    outcome: 'stopped',
    confirmed: false,
    unconfirmed: 'the run ended before its results were confirmed',
    best: { iteration: 1 },
  })
})

/** A session whose best state is the accepted change: nothing is left to go back to. */
const ACCEPTS = {
  restored: {
    startedAt: 1,
    iteration: 1,
    history: [],
    commits: [],
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
    proposals: [proposed(1)],
  },
}

test('refuted after an accepted change, with no earlier state: the run is blocked', async () => {
  const host = stubHost({ runs: [measured(5, 5)], prepared: ACCEPTS, confirm: () => REFUTED })
  expect(await whole(host, { session: 'WFS-test-repo', acceptTestChanges: true })).toMatchObject({
    outcome: 'blocked',
    confirmed: false,
    unconfirmed: FORGES,
    reason: expect.stringContaining(FORGES) as string,
  })
  expect(host.backs).toEqual([])
})

test('a session resumed with a refuted state is refuted again', async () => {
  const run = { ...measured(5, 5), commit: 'change-1' }
  const restored = {
    ...ACCEPTS.restored,
    proposals: [],
    lastRun: run,
    best: { commit: 'change-1', iteration: 1, run, size: 0 },
    atBest: true,
    confirmation: { commit: 'change-1', reason: FORGES, refuted: true as const },
  }
  const host = stubHost({ runs: [run], prepared: { restored }, confirm: () => REFUTED })
  expect(await whole(host, { session: 'WFS-test-repo' })).toMatchObject({
    outcome: 'blocked',
    reason: expect.stringContaining(FORGES) as string,
  })
})
