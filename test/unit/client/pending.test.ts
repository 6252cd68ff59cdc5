// A hook is never the reason of a wait: no step of a run waits for one.
import type { WorkflowHandle } from '@temporalio/client'
import { expect, test } from 'vitest'
import { pendingOf } from '../../../src/client/pending.js'

test('docs/hooks.md: a running hook is no pending step of its run', async () => {
  const raw = {
    pendingActivities: [
      { activityType: { name: 'notify' }, attempt: 3, lastFailure: { message: 'the worker died' } },
      { activityType: { name: 'agentTurn' }, attempt: 1, state: 2 },
    ],
  }
  const handle = { describe: () => Promise.resolve({ raw }) } as unknown as WorkflowHandle
  expect((await pendingOf(handle)).map(({ name }) => name)).toEqual(['agentTurn'])
})

test.each([
  { why: 'details', data: new TextEncoder().encode('{"at":"slot"}'), progress: { at: 'slot' } },
  { why: 'no details, which are a payload of no bytes', data: [], progress: undefined },
])('a beat with $why is read', async ({ data, progress }) => {
  const raw = {
    pendingActivities: [
      {
        activityType: { name: 'agentTurn' },
        attempt: 1,
        state: 2,
        heartbeatDetails: { payloads: [{ data }] },
      },
    ],
  }
  const handle = { describe: () => Promise.resolve({ raw }) } as unknown as WorkflowHandle
  expect((await pendingOf(handle))[0]?.progress).toEqual(progress)
})
