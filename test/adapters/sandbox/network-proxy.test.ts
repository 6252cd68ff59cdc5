// What the way out of a sandbox carries. The sandbox itself is in test/attacks.
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../../../src/adapters/sandbox/network-proxy.js'
import { tempDir } from '../../support/repositories/repos.js'

async function listening(): Promise<number> {
  const server = createServer((client) => client.end())
  onTestFinished(() => void server.close())
  await once(server.listen(0), 'listening')
  return (server.address() as AddressInfo).port
}

test('it carries what is named, never to the server, and no name that leads to this machine', async () => {
  const [named, temporal, other] = [await listening(), await listening(), await listening()]
  const socket = path.join(tempDir(), 'proxy')
  const local = [named, temporal].map((port) => ({ host: 'localhost', port }))
  const proxy = await startProxy({
    socket,
    allowed: [...local, { host: os.hostname().toLowerCase() }],
    refusedPorts: [temporal],
  })
  onTestFinished(() => proxy.close())
  const status = async (target: string): Promise<number | undefined> => {
    const asked = request({ socketPath: socket, method: 'CONNECT', path: target }).end()
    const [answer, client] = await new Promise<[{ statusCode?: number }, { destroy(): void }?]>(
      (resolve, reject) => {
        asked.on('connect', (one, stream) => resolve([one, stream])).on('error', reject)
      },
    )
    client?.destroy()
    return answer.statusCode
  }
  expect(await status(`localhost:${named}`)).toBe(200)
  expect(await status(`localhost:${other}`)).toBe(403)
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3'])
    expect(await status(`${host}:${temporal}`), host).toBe(403)
  expect(await status(`${os.hostname().toLowerCase()}:${other}`)).toBe(403)
})
