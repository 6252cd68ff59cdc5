// A connection that is closed while a call waits for its retry: the script continues.
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Connection } from '@temporalio/client'
import { retriesUntil } from '../../../src/client/retries.js'
import { waitFor } from '../../support/wait.js'

test('a call that would be made again after the connection is closed ends as cancelled, and throws nowhere else', async () => {
  const address = await closedAddress()
  const closed = new AbortController()
  let calls = 0
  const connection = Connection.lazy({
    address,
    interceptors: [
      ...retriesUntil(closed.signal),
      (options, nextCall) => (calls++, nextCall(options)) as never,
    ],
  })
  const call = connection.workflowService
    .describeNamespace({ namespace: 'default' })
    .catch((error: unknown) => error)
  await waitFor(() => calls >= 3, { what: 'the third try' })
  closed.abort()
  await connection.close()
  expect(await call).toMatchObject({ code: 1, details: 'the connection is closed' })
})

/** An address of this machine without a listener. */
async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `127.0.0.1:${port}`
}
