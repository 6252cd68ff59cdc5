// What an iteration of the test-fix cycle costs beside a bare workflow with the same activities, and how
// many activities and events it takes. Budgets: 1.15, 8 activities, 1,000 events.
import { fileURLToPath } from 'node:url'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import { test } from 'vitest'
import { MAIN_QUEUE } from '../src/contract/names.js'
import { stubHost } from '../test/support/stub-host.js'
import { localEnv } from '../test/support/temporal.js'
import { measured } from '../test/support/test-runs.js'
import { workflowBundle } from '../test/support/workflow-env.js'

const ITERATIONS = 40
const ROUNDS = 3

test('an iteration beside a bare one', async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const env = await localEnv()
  const host = stubHost({ runs: [measured(3, 5)] })
  const bare = await bundleWorkflowCode({ workflowsPath: fileURLToPath(new URL('bare-workflow.ts', import.meta.url)), logger: new DefaultLogger('ERROR') })
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default', activities: host.activities }
  const workers = [
    await Worker.create({ ...common, taskQueue: MAIN_QUEUE, workflowBundle: await workflowBundle() }),
    await Worker.create({ ...common, taskQueue: 'bare', workflowBundle: bare }),
  ]
  const running = workers.map((worker) => worker.run())
  try {
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const cycle = await timed(() => env.client.workflow.execute('testFixCycle', { workflowId: `cycle-${round}`, taskQueue: MAIN_QUEUE, args: [{ project: '/repo', maxIterations: ITERATIONS }] }))
      const last = <T>(list: T[]): T => list.at(-1) as T
      const calls = { agentTurn: last(host.turns), commitFix: last(host.commits), runTests: last(host.tests), recordRun: last(host.records) }
      const yardstick = await timed(() => env.client.workflow.execute('bareIterations', { workflowId: `bare-${round}`, taskQueue: 'bare', args: [ITERATIONS, calls] }))
      ratios.push(cycle / yardstick)
      console.log(`round ${round + 1}: ${(cycle / ITERATIONS).toFixed(1)} ms an iteration, bare ${(yardstick / ITERATIONS).toFixed(1)} ms, ratio ${(cycle / yardstick).toFixed(2)}`)
    }
    const history = await env.client.workflow.getHandle('cycle-0').describe()
    console.log(`median ratio ${(ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0).toFixed(2)} (budget 1.15); last run of the chain: ${history.historyLength} events; 5 activities an iteration, 6 with a rollback (budget 8)`)
  } finally {
    for (const worker of workers) worker.shutdown()
    await Promise.all(running)
    await env.teardown()
  }
})

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await run()
  return performance.now() - from
}
