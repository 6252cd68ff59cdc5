// A real Temporal server with the workflows' real bundle and a stub host behind it.
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { WorkflowHandleWithStartDetails } from '@temporalio/client'
import { MAIN_QUEUE, WORKFLOW_TYPES } from '../../src/contract/names.js'
import type { Kind } from '../../src/contract/names.js'
import type { RunResult, StatusReply } from '../../src/contract/result.js'
import { waitFor } from './wait.js'
import { workflowBundle } from './workflow-bundle.js'

export { workflowBundle }

export function quietRuntime(): void {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
}

export type Running = {
  handle: WorkflowHandleWithStartDetails
  status: () => Promise<StatusReply>
  /** Waits until the run reports what is asked for. */
  until: (what: string, is: (status: StatusReply) => boolean) => Promise<StatusReply>
  result: () => Promise<RunResult>
}

/** Starts a run, of the test-fix cycle unless another kind is named (with no argument at all where the input is null) against a stub host, runs `body` beside it, and ends the worker. `slots`: activities at once. */
export async function runCycle<T>(env: TestWorkflowEnvironment, host: { activities: object; slots?: number }, body: (run: Running) => Promise<T>, input: unknown = { project: '/repo' }, id = `WFS-test-${Math.random().toString(36).slice(2, 10)}.abc123`, kind: Kind = 'test-fix'): Promise<T> {
  const worker = await Worker.create({
    connection: env.nativeConnection, namespace: env.namespace ?? 'default', taskQueue: MAIN_QUEUE, workflowBundle: await workflowBundle(), activities: host.activities, maxHeartbeatThrottleInterval: '200ms',
    ...(host.slots === undefined ? {} : { maxConcurrentActivityTaskExecutions: host.slots }),
  })
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start(WORKFLOW_TYPES[kind], { workflowId: id, taskQueue: MAIN_QUEUE, args: input === null ? [] : [input] })
    const status = () => env.client.workflow.getHandle(id).query<StatusReply>('status')
    return body({
      handle, status,
      until: (what, is) => waitFor(async () => { const s = await status(); return is(s) ? s : undefined }, { what, timeoutMs: 20_000 }),
      result: () => env.client.workflow.getHandle(id).result() as Promise<RunResult>,
    })
  })
}
