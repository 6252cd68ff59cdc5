// A server that does not answer in time is away: no process of Ratchet ends because of it.
import { constants, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { isHealthy, servedNonce } from '../../../src/dev-server/namespace.js'
import { projectsInUse } from '../../../src/dev-server/recovery.js'
import { tempDir } from '../../support/repositories/repos.js'

// A loaded server learns of a deadline before its client does: it resets the stream, which is
// CANCELLED.
test('a server that gives up a call whose deadline has passed is away', async () => {
  const server = createServer()
  server.on('stream', (stream) => {
    stream.close(constants.NGHTTP2_CANCEL)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    expect(await projectsInUse({ state: tempDir(), cache: tempDir() }, address)).toEqual([])
    expect(await servedNonce(address)).toBeUndefined()
    expect(await isHealthy(address)).toBe(false)
  } finally {
    server.close()
  }
})
