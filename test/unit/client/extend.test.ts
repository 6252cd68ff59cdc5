// An extension of a run that has just been started: waited for, not refused.
import { WorkflowUpdateFailedError, type Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import { runHandle } from '../../../src/client/handle.js'
import { STILL_PREPARING } from '../../../src/contract/failures.js'
import { callerOf } from '../../support/caller.js'

/**
 * A handle of a run that refuses so often, with these words, and then takes it; and what it was
 * asked.
 */
function refusing(message: string, times: number) {
  const asked: unknown[] = []
  const executeUpdate = (_name: string, { args }: { args: unknown[] }): Promise<unknown> => {
    asked.push(args[0])
    return asked.length > times
      ? Promise.resolve({ maxIterations: 6 })
      : Promise.reject(
          new WorkflowUpdateFailedError(
            'Workflow Update failed',
            ApplicationFailure.nonRetryable(message),
          ),
        )
  }
  return {
    asked,
    handle: runHandle(
      callerOf({ workflow: { getHandle: () => ({ executeUpdate }) } } as unknown as Client),
      'ID',
    ),
  }
}

test('docs/dev-cycle.md: an extension during the preparation of the workspace is sent again', async () => {
  const { asked, handle } = refusing(STILL_PREPARING, 2)
  expect(await handle.extend({ task: 'and a till' }, 'r-1')).toEqual({ maxIterations: 6 })
  expect(asked).toEqual(Array.from({ length: 3 }, () => ({ task: 'and a till', requestId: 'r-1' })))
})

test('any other refusal is final', async () => {
  const { asked, handle } = refusing('task: is empty', 1)
  await expect(handle.extend({ task: '' })).rejects.toThrow('task: is empty')
  expect(asked).toHaveLength(1)
})
