// A sample of the sequences of cycles and loops through the real workflows, on the server that
// skips time: every workflow task replays the whole history, some runs are paused. Verdicts and
// turns are those of the simulation.
//
// `SAMPLE=3000` says how many there are of each, as a fifth of those of a fix.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { MAIN_QUEUE, WORKFLOW_TYPES } from '../../../src/contract/names.js'
import type { RunResult } from '../../../src/contract/result.js'
import { timeSkippingEnv } from '../../support/servers/temporal.js'
import { quietRuntime } from '../../support/servers/workflow-env.js'
import { workflowBundle } from '../../support/servers/workflow-bundle.js'
import { checkCycle } from '../dev/check-cycle.js'
import { checkLoop } from '../dev/check-loop.js'
import { cycleHostOf } from '../dev/cycle-host.js'
import { loopHostOf } from '../dev/loop-host.js'
import { playCycle, playLoop, ranOf, type PlayedCycle, type PlayedLoop } from '../dev/play.js'
import { verdictOf } from '../dev/verdict.js'
import { cycleWorlds, loopWorlds, type CycleWorld, type LoopWorld } from '../dev/world.js'
import { pauseAndResume } from './pause.js'

const SAMPLE = Math.ceil(Number(process.env['SAMPLE'] ?? 100) / 5)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const AT_ONCE = 8
/** One run in so many is paused at its start and resumed. */
const PAUSED = 4

type Activities = Record<string, (input: never, cancelled?: boolean) => unknown>

let env: TestWorkflowEnvironment
let worker: Worker
let over: Promise<void>
const hosts = new Map<string, Activities>()

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
        const activity = hosts.get(workflowExecution?.workflowId ?? '')?.[activityType]
        if (activity === undefined)
          throw ApplicationFailure.nonRetryable(
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

async function ended(
  kind: 'dev-cycle' | 'dev-loop',
  workflowId: string,
  input: unknown,
  n: number,
): Promise<RunResult> {
  const handle = await env.client.workflow.start(WORKFLOW_TYPES[kind], {
    workflowId,
    taskQueue: MAIN_QUEUE,
    args: [input],
  })
  if (n % PAUSED === 0) await pauseAndResume(env, workflowId)
  return (await handle.result()) as RunResult
}

// Nothing from outside, nothing that hangs on which of the agents side by side is first, and no
// question: the server that skips time loses workflow tasks where updates answer.
const quiet = { events: [], then: 'nothing' as const, turns: 0 }
const cycleSample = (): CycleWorld[] =>
  fc.sample(cycleWorlds, { numRuns: SAMPLE, seed: SEED }).map(({ input, moves, ...world }) => ({
    ...world,
    ...quiet,
    input: { ...input, interactive: false },
    moves: { ...moves, ep: moves.ep.map((move) => ({ ...move, plan: 'same' })) },
  }))
const loopSample = (): LoopWorld[] =>
  fc.sample(loopWorlds, { numRuns: SAMPLE, seed: SEED }).map(({ mode, moves, ...world }) => ({
    ...world,
    ...quiet,
    mode: mode === 'interactive' ? 'auto' : mode,
    moves: {
      ...moves,
      develop: moves.develop.map((move) => ({ ...move, file: 'own' })),
      debug: moves.debug.map((move) => ({ ...move, file: 'own' })),
    },
  }))

async function side<W, P extends PlayedCycle | PlayedLoop>(
  worlds: readonly W[],
  simulate: (world: W) => Promise<P>,
  real: (world: W, n: number) => Promise<P>,
  check: (played: P) => void,
): Promise<void> {
  const sample: { world: W; simulated: P; n: number }[] = []
  // One after the other: the clock of a simulation is the one of this process.
  for (const [n, world] of worlds.entries())
    sample.push({ world, simulated: await simulate(world), n })
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = sample.shift(); next !== undefined; next = sample.shift()) {
        const played = await real(next.world, next.n)
        expect(verdictOf(played), JSON.stringify(next.world)).toEqual(verdictOf(next.simulated))
        check(played)
      }
    }),
  )
}

test(`${SAMPLE} sequences of a cycle give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  await side(
    cycleSample(),
    playCycle,
    async (world, n) => {
      const id = `WFS-cycle-sample-${n}.000000`
      const { activities, facts } = cycleHostOf(world)
      hosts.set(id, activities)
      const result = await ended(
        'dev-cycle',
        id,
        { project: '/repo', task: 'Add a store', maxIterations: world.limit, ...world.input },
        n,
      )
      return { facts, runs: [ranOf(result, facts, facts.plan())] }
    },
    checkCycle,
  )
})

test(`${SAMPLE} sequences of a loop give the same verdicts through the real workflow, replayed at every task (SEED=${SEED})`, async () => {
  await side(
    loopSample(),
    playLoop,
    async (world, n) => {
      const id = `WFS-loop-sample-${n}.000000`
      const { activities, facts } = loopHostOf(world)
      hosts.set(id, activities)
      const result = await ended(
        'dev-loop',
        id,
        { project: '/repo', task: 'Add a store', maxIterations: world.limit, mode: world.mode },
        n,
      )
      return {
        facts,
        runs: [
          ranOf(
            result,
            facts,
            facts.tasks().map(({ id: task, description: text }) => ({ id: task, text })),
          ),
        ],
      }
    },
    checkLoop,
  )
})
