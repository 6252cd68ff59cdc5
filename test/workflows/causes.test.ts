// A fix of several causes, on a real Temporal server with a scripted host.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { MOST_CAUSES } from '../../src/contract/test-fix/task.js'
import type { TestRun } from '../../src/contract/test-run.js'
import { LONGEST_RUN_MS } from '../../src/core/test-fix/causes/choose-causes.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { severalCauses, stubHost, type Script } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

/** Plays two iterations; the second one may fix several causes. */
async function played(runs: TestRun[], script: Partial<Script> = {}) {
  const host = stubHost({ runs, turn: severalCauses, ...script })
  const input = { project: '/repo', maxIterations: 2 }
  const result = await runCycle(env, host, (run) => run.result(), input)
  const steps = host.tests.map(({ step }) => step.slice(step.indexOf('/') + 1))
  return { host, result, steps }
}

test('causes are left out one by one until nothing is broken, within the activities of an iteration', async () => {
  const { host, result, steps } = await played([
    measured(3, 10),
    measured(5, 10),
    measured(4, 10), // all three
    measured(4, 10), // without the first
    measured(7, 10), // without the second
  ])
  expect(steps).toEqual([
    'baseline',
    'iteration-1/retest',
    'iteration-2/retest',
    'iteration-2/without-1-retest',
    'iteration-2/without-2-retest',
  ])
  expect(host.tests.map(({ commit }) => commit).slice(2)).toEqual([
    'fix-2.3',
    'without-1',
    'without-2',
  ])
  expect(host.takenOut).toMatchObject([
    { step: 'iteration-2/without-1', expectHead: 'fix-2.3', out: [] },
    { expectHead: 'without-1', out: [], suspects: ['IMPL-fix-2.2', 'IMPL-fix-2.3'] },
  ])
  expect(result).toMatchObject({
    passRate: 70,
    fullRuns: 6,
    best: { commit: 'kept-without-2', iteration: 2 },
    commits: ['kept-1', 'kept-2.1', 'kept-without-2'],
  })
  expect(result.history[2]).toMatchObject({
    result: 'kept',
    commit: 'kept-without-2',
    strategy: 'conservative',
    parts: [
      { task: 'IMPL-fix-2.1', commit: 'kept-2.1', result: 'kept' },
      { task: 'IMPL-fix-2.2', commit: 'fix-2.2', result: 'rolled_back' },
      { task: 'IMPL-fix-2.3', commit: 'kept-without-2', result: 'kept' },
    ],
  })
  expect(host.rollbacks).toEqual([])
  expect(host.accepts.at(-1)).toMatchObject({
    expectHead: 'without-2',
    parts: [{ commit: 'fix-2.1' }, { commit: 'fix-2.2' }, { commit: 'fix-2.3' }],
    commits: [
      { task: 'IMPL-fix-2.1' },
      {
        task: 'IMPL-fix-2.3',
        body: expect.stringMatching(/rolled back: IMPL-fix-2\.2, 50\.0 → 40\.0 %$/) as string,
      },
    ],
  })
  // A part of the session's last fix was rolled back
  expect(host.records.at(-1)?.state.session?.ended).toBe('rolled_back')
  const spent =
    host.turns.filter(({ iteration }) => iteration === 2).length +
    host.commits.slice(1).length +
    host.tests.slice(2).length +
    host.takenOut.length
  // The record and the check by canaries come to these.
  expect(spent + 2).toBeLessThanOrEqual(8 + 2 * MOST_CAUSES)
})

test('nothing is broken: all causes are measured by one run', async () => {
  const { host, result } = await played([measured(3, 10), measured(5, 10), measured(8, 10)])
  expect(host.takenOut).toEqual([])
  expect(result.history[2]?.parts?.map((one) => one.result)).toEqual(['kept', 'kept', 'kept'])
})

test('where no cause alone broke a test all are rolled back, to the commit before the first', async () => {
  const { host, result } = await played([measured(3, 10), measured(5, 10), measured(4, 10)])
  expect(host.takenOut).toHaveLength(3)
  expect(host.rollbacks).toMatchObject([{ expectHead: 'without-3' }])
  expect(result).toMatchObject({
    passRate: 50,
    best: { commit: 'kept-1' },
    head: 'kept-1',
    fullRuns: 7,
  })
  expect(result.history[2]).toMatchObject({
    result: 'rolled_back',
    note: expect.stringContaining('no single cause broke them') as string,
    parts: [1, 2, 3].map(() => ({ result: 'rolled_back' })),
  })
})

test('a search takes at most half of the minutes that are left; without them all causes are rolled back', async () => {
  const minute = 60_000
  const runs = [5, 7, 6, 6].map((passed) => measured(passed, 10, { durationMs: 2 * minute }))
  const spending = { onRateLimit: 'wait' as const, budget: { minutes: 6 } }
  const one = await played(runs, { prepared: { spending } })
  // The first run takes two of three minutes.
  expect(one.host.takenOut).toHaveLength(1)
  expect(one.host.rollbacks).toHaveLength(1)
  expect(one.result.history[2]?.note).toContain('limits.maxMinutes leaves no time')
  const none = await played(runs, {
    prepared: { spending: { ...spending, budget: { minutes: 3 } } },
  })
  expect(none.host.takenOut).toEqual([])
  expect(none.result.history[2]?.result).toBe('rolled_back')
})

test.each([
  ['a full run that takes over five minutes', [{ durationMs: LONGEST_RUN_MS + 1 }, {}]],
  ['an iteration that made no progress', [{}, { passed: 3 }]],
])('after %s, one cause is fixed', async (_, [first, second]) => {
  const { host } = await played([
    measured(3, 10),
    measured(5, 10, { ...first, ...second }),
    measured(8, 10),
  ])
  const asked = host.turns.flatMap(({ ask }) => (ask.about === 'diagnose' ? [ask.several] : []))
  expect(asked).toEqual([undefined, undefined])
})
