// The worker for the workflows of all projects. It loads nothing of what runs agents and tests.
import { Worker, type NativeConnection } from '@temporalio/worker'
import { createLightActivities } from '../activities/host/server-facts.js'
import { packaged } from '../adapters/package.js'
import { userDirs } from '../adapters/state-dir.js'
import { MAIN_QUEUE } from '../contract/names.js'
import { signing } from './signing/only-signed.js'
import type { Running, WorkerParts } from './worker-parts.js'

export async function createWorkflowWorker(
  connection: NativeConnection,
  { namespace }: { namespace: string },
  {
    env = process.env,
    signingKey,
    workflowBundle = { codePath: packaged('dist/workflow-bundle.js') },
  }: WorkerParts = {},
): Promise<Running> {
  const signed = signing(connection, { namespace, role: 'workflows' }, signingKey)
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: MAIN_QUEUE,
    ...(signed && {
      dataConverter: signed.dataConverter,
      interceptors: { activity: [signed.interceptor] },
    }),
    workflowBundle,
    activities: createLightActivities({
      dirs: userDirs(env),
      knownSearchAttributes: async () => {
        const known = await connection.operatorService.listSearchAttributes({
          namespace,
        })
        return Object.keys(known.customAttributes ?? {})
      },
    }),
  })
  return { worker, queue: MAIN_QUEUE, interrupt: () => Promise.resolve() }
}
