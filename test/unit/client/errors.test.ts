// What a script sees in place of an error of the Temporal client.
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import { toClientError } from '../../../src/client/errors.js'
import { describeError } from '../../../src/cli/output/errors.js'

const grpc = (code: number): Error =>
  new Error('Failed to query Workflow', {
    cause: Object.assign(new Error(`gRPC ${code}`), { code }),
  })

test.each(
  // prettier-ignore
  [
  { why: 'an unknown id', error: new WorkflowNotFoundError('workflow not found', 'ID', undefined), name: 'RunNotFoundError', message: 'there is no run ID', exitCode: 2 },
  { why: 'a signal to a run that has ended', error: new WorkflowNotFoundError('workflow execution already completed', 'ID', undefined), name: 'RunClosedError', message: 'the run ID has ended', exitCode: 2 },
  { why: 'an answer that the run refuses', error: new WorkflowUpdateFailedError('Workflow Update failed', ApplicationFailure.nonRetryable('"x" is not an option')), name: 'RefusalError', message: '"x" is not an option', exitCode: 2 },
  { why: 'no worker for a query', error: grpc(9), name: 'ServerUnavailableError', message: 'no workflow worker answers', exitCode: 3 },
  { why: 'no server', error: grpc(14), name: 'ServerUnavailableError', message: 'no answer from the server: Failed to query Workflow', exitCode: 3 },
],
)('$why is a $name, for the command too', ({ error, name, message, exitCode }) => {
  const told = toClientError(error, 'ID', 'SERVER') as Error
  expect(told).toMatchObject({ name, message, cause: error })
  expect(describeError(told)).toMatchObject({ exitCode, problem: { message } })
})

test('any other error stays what it is', () => {
  const error = new TypeError('x')
  expect(toClientError(error, 'ID', 'SERVER')).toBe(error)
})
