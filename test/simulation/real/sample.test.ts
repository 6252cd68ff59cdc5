// A sample of the same sequences through the real workflow, on the server that skips time: every
// workflow task replays the whole history, and some runs are paused. Verdicts and turns are those
// of the simulation.
//
// `SAMPLE=3000` says how many there are.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Context } from '@temporalio/activity'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { WorkflowHandle } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { MAIN_QUEUE, WORKFLOW_TYPES } from '../../../src/contract/names.js'
import type { Question } from '../../../src/contract/question.js'
import type { RunResult, StatusReply } from '../../../src/contract/result.js'
import { timeSkippingEnv } from '../../support/servers/temporal.js'
import { waitFor } from '../../support/wait.js'
import { quietRuntime } from '../../support/servers/workflow-env.js'
import { workflowBundle } from '../../support/servers/workflow-bundle.js'
import { check } from '../check.js'
import { hostOf, type Played, type SimulatedHost } from '../host.js'
import { acceptsLater, answerOf, inputsOf, play } from '../play.js'
import { verdictOf } from '../verdict.js'
import { worlds, type World } from '../world.js'
import { pauseAndResume } from './pause.js'

const SAMPLE = Number(process.env['SAMPLE'] ?? 100)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const AT_ONCE = 8
/** One run in so many is paused at its start and resumed. */
const PAUSED = 4

let env: TestWorkflowEnvironment
let worker: Worker
let over: Promise<void>
const hosts = new Map<string, SimulatedHost>()

beforeAll(async () => {
  quietRuntime()
  env = await timeSkippingEnv()
  worker = await Worker.create({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue: MAIN_QUEUE,
    workflowBundle: await workflowBundle(),
    maxCachedWorkflows: 0, // each task replays the run from its beginning, as after a restart
    activities: {
      default: (input: never) => {
        const { activityType, workflowExecution } = Context.current().info
        const activity = hosts.get(workflowExecution?.workflowId ?? '')?.activities[activityType]
        if (activity === undefined)
          throw new Error(
            `the host of ${workflowExecution?.workflowId ?? '?'} has no activity ${activityType}`,
          )
        return activity(input)
      },
    },
  })
  over = worker.run()
})
afterAll(async () => {
  worker.shutdown()
  await over
  await env.teardown()
})

/** Answers each question of a run until it has ended. */
async function answerAll(handle: WorkflowHandle, world: World): Promise<void> {
  for (;;) {
    const question = await waitFor(
      async () => {
        const { status } = await handle.query<StatusReply>('status')
        const [open] = await handle.query<Question[]>('questions')
        return open ?? (status === 'completed' || status === 'failed' ? 'ended' : undefined)
      },
      { what: `a question or the end of ${handle.workflowId}`, timeoutMs: 60_000 },
    )
    if (question === 'ended') return
    const choice = answerOf(world, question)
    await handle.executeUpdate('answer', { args: [{ questionId: question.id, choice }] })
  }
}

async function playReal(world: World, n: number): Promise<Played> {
  const workflowId = `WFS-test-sample-${n}.000000`
  const host = hostOf(world)
  hosts.set(workflowId, host)
  const [first, accepting] = inputsOf(world)
  const start = (input: object): Promise<WorkflowHandle> =>
    env.client.workflow.start(WORKFLOW_TYPES['test-fix'], {
      workflowId,
      taskQueue: MAIN_QUEUE,
      args: [input],
    })
  const handle = await start(first)
  if (n % PAUSED === 0) await pauseAndResume(env, workflowId)
  if ('attended' in first) await answerAll(handle, world)
  let result = (await handle.result()) as RunResult
  if (acceptsLater(world, result)) result = (await (await start(accepting)).result()) as RunResult
  hosts.delete(workflowId)
  return { result, ...host.ended() }
}

test(`${SAMPLE} sequences give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  const sample: { world: World; simulated: Played }[] = []
  // One after the other: the clock of a simulation is the one of this process. A stop depends on
  // when a signal arrives: test/workflows/stop.test.ts and control.test.ts send real ones.
  for (const drawn of fc.sample(worlds, { numRuns: SAMPLE, seed: SEED })) {
    const world: World = { ...drawn, stopsAt: undefined, pausesAt: undefined }
    sample.push({ world, simulated: await play(world) })
  }
  const one = async ({ world, simulated }: (typeof sample)[number], n: number): Promise<void> => {
    const real = await playReal(world, n)
    expect(verdictOf(real), JSON.stringify(world)).toEqual(verdictOf(simulated))
    check(world, real)
  }
  const left = [...sample]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        await one(next, SAMPLE - left.length)
    }),
  )
})
