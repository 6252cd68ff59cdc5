// The baselines: the same activities on the same queue, without decisions between them.
import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { HostActivities } from '../src/activities/index.js'

type Calls = { [K in keyof HostActivities]?: Parameters<HostActivities[K]>[0] }
export type BareCalls = Required<Pick<Calls, 'agentTurn' | 'commitFix' | 'runTests' | 'recordRun'>>

/** Queue of the activities, for both sides. */
export const HOST_QUEUE = 'host'

const acts = proxyActivities<HostActivities>({
  taskQueue: HOST_QUEUE,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '60s',
})

/** Runs one iteration's activities with the inputs of a real one, and continues as new. */
export async function bareIterations(left: number, calls: BareCalls): Promise<void> {
  if (left === 0) return
  await acts.agentTurn(calls.agentTurn)
  await acts.agentTurn(calls.agentTurn)
  await acts.commitFix(calls.commitFix)
  await acts.runTests(calls.runTests)
  await acts.recordRun(calls.recordRun)
  await continueAsNew<typeof bareIterations>(left - 1, calls)
}

const { step } = proxyActivities<{ step: () => Promise<void> }>({ startToCloseTimeout: '1m' })

/** Runs empty activities one after the other on the workflow's own queue. */
export async function bareSteps(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await step()
}
