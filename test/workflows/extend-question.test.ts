// At its limit an attended run that makes progress asks whether to continue, on a real Temporal
// server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { UPDATES } from '../../src/contract/names.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const INPUT = { project: '/repo', attended: true, maxIterations: 1 }
const better = () =>
  stubHost({ runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)] })
const asked = (run: Running) => run.until('the question', ({ questions }) => questions === 1)
const answer = (run: Running, given: unknown) =>
  run.handle.executeUpdate(UPDATES.answer, { args: [given] })

test('extend continues at this point, with the given number of iterations', async () => {
  const result = await runCycle(
    env,
    better(),
    async (run) => {
      expect(await asked(run)).toMatchObject({
        waitingFor: expect.stringContaining(
          'person: the one iteration is spent, and the last one made progress: 80 % (4 of 5)',
        ) as string,
        maxIterations: 1,
      })
      await answer(run, { choice: 'extend', text: '2' })
      return run.result()
    },
    INPUT,
  )
  expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
})

test('end ends the run as failed, at its best state', async () => {
  const result = await runCycle(
    env,
    better(),
    async (run) => {
      await asked(run)
      await answer(run, { choice: 'end' })
      return run.result()
    },
    INPUT,
  )
  expect(result).toMatchObject({ outcome: 'failed', iterations: 1, best: { iteration: 1 } })
})

test('ratchet extend answers the question too', async () => {
  const result = await runCycle(
    env,
    better(),
    async (run) => {
      await asked(run)
      await run.handle.executeUpdate(UPDATES.extend, { args: [{ iterations: 1 }] })
      return run.result()
    },
    INPUT,
  )
  expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
})

test('a stop ends the asking run', async () => {
  const result = await runCycle(
    env,
    better(),
    async (run) => {
      await asked(run)
      await run.handle.signal('stop')
      return run.result()
    },
    INPUT,
  )
  expect(result).toMatchObject({ outcome: 'stopped', iterations: 1, best: { iteration: 1 } })
})

test.each(
  // prettier-ignore
  [
  { why: 'no person attends',            input: { ...INPUT, attended: false }, runs: [measured(3, 5), measured(4, 5)] },
  { why: 'the last one made no progress', input: INPUT,                         runs: [measured(3, 5), measured(3, 5)] },
],
)('nothing is asked where $why', async ({ input, runs }) => {
  expect(await runCycle(env, stubHost({ runs }), (run) => run.result(), input)).toMatchObject({
    outcome: 'failed',
    iterations: 1,
  })
})
