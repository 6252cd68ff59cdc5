// Compares the cost of a test-fix iteration with that of a bare workflow with the same activities
// on the same queue, and counts the activities and events of the three kinds. Agents and tests
// answer at once, so only Temporal and Ratchet are measured.
import { fileURLToPath } from 'node:url'
import { DefaultLogger, Worker, bundleWorkflowCode } from '@temporalio/worker'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, test } from 'vitest'
import { MAIN_QUEUE, SEARCH_ATTRIBUTES, WORKFLOW_TYPES, type Kind } from '../src/contract/names.js'
import { cycleHost } from '../test/support/cycle/cycle-host.js'
import { loopHost } from '../test/support/loop/loop-host.js'
import { stubHost } from '../test/support/stub-host.js'
import { localEnv } from '../test/support/servers/temporal.js'
import { measured } from '../test/support/test-runs.js'
import { quietRuntime, workflowBundle } from '../test/support/servers/workflow-env.js'
import { HOST_QUEUE, type BareCalls } from './bare-workflow.js'
import { chainOf } from './support/chain.js'
import { cpuTimed, median } from './support/numbers.js'
import { sized, tell, type Row } from './support/results.js'

const ITERATIONS = sized(40, 6)
const ROUNDS = sized(7, 2)

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await localEnv()
})
afterAll(() => env.teardown())

const facts = () =>
  Promise.resolve({
    searchAttributes: Object.keys(SEARCH_ATTRIBUTES),
    queue: HOST_QUEUE,
    project: '/repo',
    projectKey: 'a1b2c3d4e5f6',
  })

test('an iteration compared with a bare one', async () => {
  const host = stubHost({ runs: [measured(3, 5)] })
  const bare = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('bare-workflow.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  const rows: Row[] = []
  await working(host.activities, bare, async () => {
    const cycle = (id: string) =>
      env.client.workflow.start('testFixCycle', {
        workflowId: id,
        taskQueue: MAIN_QUEUE,
        args: [{ project: '/repo', maxIterations: ITERATIONS }],
      })
    const last = <T>(list: T[]): T => list.at(-1) as T
    const calls = (): BareCalls => ({
      agentTurn: last(host.turns),
      commitFix: last(host.commits),
      runTests: last(host.tests),
      recordRun: last(host.records),
    })
    const yardstick = (id: string) =>
      env.client.workflow.execute('bareIterations', {
        workflowId: id,
        taskQueue: 'bare',
        args: [ITERATIONS, calls()],
      })
    const first = await cycle('warm-up')
    await first.result()
    await yardstick('warm-up-bare')
    const rounds: { ours: number; bare: number; cpu: number; bareCpu: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await cpuTimed(async () => (await cycle(`cycle-${round}`)).result())
      const theirs = await cpuTimed(() => yardstick(`bare-${round}`))
      rounds.push({
        ours: ours.ms / ITERATIONS,
        bare: theirs.ms / ITERATIONS,
        cpu: ours.cpuMs / ITERATIONS,
        bareCpu: theirs.cpuMs / ITERATIONS,
      })
    }
    const of = (pick: (round: (typeof rounds)[number]) => number): number[] => rounds.map(pick)
    const ratios = of(({ ours, bare: theirs }) => ours / theirs)
    rows.push(
      {
        what: 'an iteration, compared with a bare one',
        value: median(ratios),
        unit: '×',
        goal: '≤ 1.15',
        reference: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} in ${ROUNDS} rounds of ${ITERATIONS}`,
      },
      {
        what: 'an iteration',
        value: median(of((round) => round.ours)),
        unit: 'ms',
        reference: `bare ${median(of((round) => round.bare)).toFixed(1)} ms`,
      },
      {
        what: 'a core at work for it, in the workers',
        value: median(of((round) => round.cpu)),
        unit: 'ms',
        reference: `bare ${median(of((round) => round.bareCpu)).toFixed(1)} ms`,
      },
    )
    const links = await chainOf(env.client, first.workflowId, first.firstExecutionRunId)
    rows.push(...counted('test-fix, an iteration', links.slice(1, -1), 8))
  })
  rows.push(
    ...(await countedRun(
      'dev-cycle',
      cycleHost({ runs: [measured(3, 5)] }).activities,
      { project: '/repo', task: 'Add OAuth2 login', maxIterations: 4 },
      14,
    )),
  )
  const honest = cycleHost({ runs: [measured(3, 3), measured(5, 5)] })
  await countedRun('dev-cycle', honest.activities, { project: '/repo', task: 'Add OAuth2 login' })
  rows.push({
    what: 'dev-cycle, four honest agents: turns until it is completed',
    value: honest.turns.length,
    unit: '',
    goal: '≤ 5',
    reference: `${Math.max(...honest.turns.map(({ iteration }) => iteration))} iteration`,
  })
  rows.push(
    ...(await countedRun('dev-loop', loopHost({ runs: [measured(5, 5)] }).activities, {
      project: '/repo',
      task: 'Fix the flaky importer',
      mode: 'auto',
    })),
  )
  tell({
    order: 1,
    title: 'An iteration',
    how: 'Agents, tests and git answer at once, so what is left is Temporal and Ratchet. The bare workflow runs the same activities with the same inputs on the same queue and continues as new as often; both sides take turns in every round. With real agents an iteration takes minutes, of which this is nothing.',
    rows,
  })
})

/** Runs the body with the workers of both sides, which share one activity worker. */
async function working(
  activities: object,
  bare: { code: string } | undefined,
  body: () => Promise<void>,
): Promise<void> {
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' }
  const workers = [
    await Worker.create({
      ...common,
      taskQueue: MAIN_QUEUE,
      workflowBundle: await workflowBundle(),
      activities: { serverFacts: facts },
    }),
    await Worker.create({ ...common, taskQueue: HOST_QUEUE, activities }),
    ...(bare === undefined
      ? []
      : [await Worker.create({ ...common, taskQueue: 'bare', workflowBundle: bare })]),
  ]
  const running = workers.map((worker) => worker.run())
  try {
    await body()
  } finally {
    for (const worker of workers) worker.shutdown()
    await Promise.all(running)
  }
}

/** Counts of one run of a kind, over all its executions. */
async function countedRun(
  kind: Kind,
  activities: object,
  input: object,
  most?: number,
): Promise<Row[]> {
  let rows: Row[] = []
  await working(activities, undefined, async () => {
    const run = await env.client.workflow.start(WORKFLOW_TYPES[kind], {
      workflowId: `counted-${kind}`,
      taskQueue: MAIN_QUEUE,
      args: [input],
    })
    await run.result()
    const links = await chainOf(env.client, run.workflowId, run.firstExecutionRunId)
    // The first has the preparation, the last the end.
    rows =
      links.length > 2
        ? counted(`${kind}, an iteration`, links.slice(1, -1), most)
        : counted(`${kind}, a whole run`, links, most)
  })
  return rows
}

function counted(
  what: string,
  links: { events: number; activities: number }[],
  most?: number,
): Row[] {
  const all = `the most of ${links.length}`
  return [
    {
      what: `${what}: activities`,
      value: Math.max(...links.map(({ activities }) => activities)),
      unit: '',
      ...(most === undefined ? {} : { goal: `≤ ${most}` }),
      reference: all,
    },
    {
      what: `${what}: events`,
      value: Math.max(...links.map(({ events }) => events)),
      unit: '',
      goal: '< 1000',
      reference: all,
    },
  ]
}
