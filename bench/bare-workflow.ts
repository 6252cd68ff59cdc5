// The yardstick: the same activities on the same queue, with nothing decided between them.
import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { HostActivities } from '../src/activities/index.js'

type Calls = { [K in keyof HostActivities]?: Parameters<HostActivities[K]>[0] }

const acts = proxyActivities<HostActivities>({ startToCloseTimeout: '1m', heartbeatTimeout: '60s' })

/** Runs one iteration's activities with the inputs of a real one, and continues as new. */
export async function bareIterations(left: number, calls: Required<Pick<Calls, 'agentTurn' | 'commitFix' | 'runTests' | 'recordRun'>>): Promise<void> {
  if (left === 0) return
  await acts.agentTurn(calls.agentTurn)
  await acts.agentTurn(calls.agentTurn)
  await acts.commitFix(calls.commitFix)
  await acts.runTests(calls.runTests)
  await acts.recordRun(calls.recordRun)
  await continueAsNew<typeof bareIterations>(left - 1, calls)
}
