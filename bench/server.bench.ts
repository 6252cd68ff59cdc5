// The effect of the server's settings: the same steps on the stock server, on ours, and on ours
// with --durable, each with its database in a file.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, NativeConnection, Worker, bundleWorkflowCode } from '@temporalio/worker'
import { test } from 'vitest'
import { NAMESPACE } from '../src/contract/names.js'
import { localUser } from '../test/support/servers/local.js'
import { temporalPath } from '../test/support/servers/temporal.js'
import { quietRuntime } from '../test/support/servers/workflow-env.js'
import { median, timed } from './support/numbers.js'
import { sized, tell } from './support/results.js'

const STEPS = sized(40, 5)
const ROUNDS = sized(5, 1)

type Served = { name: string; address: string; close: () => Promise<void> }

test('the stock server and ours', async () => {
  quietRuntime()
  const root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-bench-server-'))
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('bare-workflow.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  const servers = [
    await stock(path.join(root, 'stock.db')),
    await ours('ours', false),
    await ours('ours, --durable', true),
  ]
  const sides = await Promise.all(
    servers.map(async (server) => {
      const native = await NativeConnection.connect({ address: server.address })
      const connection = await Connection.connect({ address: server.address })
      const worker = await Worker.create({
        connection: native,
        namespace: NAMESPACE,
        taskQueue: 'bare',
        workflowBundle,
        activities: { step: () => Promise.resolve() },
      })
      return {
        ...server,
        running: worker.run(),
        worker,
        native,
        connection,
        client: new Client({ connection, namespace: NAMESPACE }),
        times: [] as number[],
      }
    }),
  )
  try {
    for (const { client, name } of sides)
      await client.workflow.execute('bareSteps', {
        workflowId: `warm-up ${name}`,
        taskQueue: 'bare',
        args: [5],
      })
    for (let round = 0; round < ROUNDS; round++)
      for (const { client, times } of sides)
        times.push(
          (await timed(() =>
            client.workflow.execute('bareSteps', {
              workflowId: `steps-${round}`,
              taskQueue: 'bare',
              args: [STEPS],
            }),
          )) / STEPS,
        )
  } finally {
    for (const { worker, running, native, connection, close } of sides) {
      worker.shutdown()
      await running
      await Promise.all([native.close(), connection.close()])
      await close()
    }
    rmSync(root, { recursive: true, force: true })
  }
  const [theirs = 0, own = 0, durable = 0] = sides.map(({ times }) => median(times))
  const reference = (times: number[] | undefined): string =>
    `${Math.min(...(times ?? [])).toFixed(1)} to ${Math.max(...(times ?? [])).toFixed(1)} ms in ${ROUNDS} rounds of ${STEPS}`
  tell({
    order: 2,
    title: 'The server',
    how: 'One step is one activity that does nothing, on the queue of its workflow. All three servers run at the same time and take turns.',
    rows: [
      {
        what: 'a step on the stock server',
        value: theirs,
        unit: 'ms',
        reference: reference(sides[0]?.times),
      },
      { what: 'a step on ours', value: own, unit: 'ms', reference: reference(sides[1]?.times) },
      {
        what: 'a step on ours with --durable',
        value: durable,
        unit: 'ms',
        reference: reference(sides[2]?.times),
      },
      { what: 'stock compared with ours', value: theirs / own, unit: '×' },
      { what: '--durable compared with ours', value: durable / own, unit: '×' },
    ],
  })
})

async function stock(dbFilename: string): Promise<Served> {
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: temporalPath() },
      ip: '127.0.0.1',
      namespace: NAMESPACE,
      dbFilename,
    },
  })
  return { name: 'stock', address: env.address, close: () => env.teardown() }
}

async function ours(name: string, durable: boolean): Promise<Served> {
  const user = localUser()
  const { address } = await user.ensure({ durable })
  return { name, address, close: () => user.remove() }
}
