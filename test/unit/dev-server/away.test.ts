// A server that does not answer in time is away: no process of Ratchet ends because of it.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { hasGrpcCode, isServerUnavailable } from '../../../src/core/grpc.js'
import { isHealthy, openRuns, servedNonce } from '../../../src/dev-server/api/namespace.js'
import { projectsInUse } from '../../../src/dev-server/recovery.js'
import { payloadValue, withApi, type ApiAddress } from '../../../src/dev-server/api/server-api.js'
import { tempDir } from '../../support/repositories/repos.js'

async function serving<T>(listener: RequestListener, use: (api: ApiAddress) => Promise<T>) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use({ port: (server.address() as AddressInfo).port, host: 'one.invalid' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

// prettier-ignore
const AWAY: { what: string; listener: RequestListener }[] = [
  { what: 'resets the connection', listener: ({ socket }) => socket.destroy() },
  { what: 'gives up a call whose deadline has passed', listener: (_, answer) => answer.writeHead(504).end('{"code":4,"message":"context deadline exceeded"}') },
  { what: 'cancels a call', listener: (_, answer) => answer.writeHead(499).end('{"code":1,"message":"context canceled"}') },
  { what: 'is another program', listener: (_, answer) => answer.end('<html>') },
  { what: 'is an API of another host', listener: (_, answer) => answer.writeHead(403).end('{"error":"Host not allowed"}') },
]

test.each(AWAY)('a server that $what is away', async ({ listener }) => {
  await serving(listener, async (api) => {
    expect(await projectsInUse({ state: tempDir(), cache: tempDir() }, api)).toBeUndefined()
    expect(await servedNonce(api)).toBeUndefined()
    expect(await isHealthy(api)).toBe(false)
  })
})

test('a server without a known API is away', async () => {
  expect(await isHealthy(undefined)).toBe(false)
})

test('a server that does not answer within the time is away', async () => {
  await serving(
    () => undefined,
    async (api) => {
      const asked = withApi(api, ({ get }) => get('/system-info'), 20)
      expect(await asked.catch(isServerUnavailable)).toBe(true)
    },
  )
})

test('a refusal keeps its code and its words', async () => {
  await serving(
    (_, answer) => answer.writeHead(404).end('{"code":5,"message":"no such namespace"}'),
    async (api) => {
      const error: unknown = await openRuns(api).catch((one: unknown) => one)
      expect(error).toMatchObject({ message: 'no such namespace' })
      expect([hasGrpcCode(error, 5), isServerUnavailable(error)]).toEqual([true, false])
    },
  )
})

test('the API gets the host name of the record, and payloads as they are stored', async () => {
  let seen: unknown
  await serving(
    ({ headers: { host, accept }, url }, answer) => {
      seen = { host, accept, url }
      answer.end('{}')
    },
    (api) => openRuns(api),
  )
  expect(seen).toEqual({
    host: 'one.invalid',
    accept: 'application/json+no-payload-shorthand',
    url: '/api/v1/namespaces/ratchet/workflows?query=ExecutionStatus%3D%22Running%22&pageSize=100',
  })
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

// prettier-ignore
test.each([
  { what: 'JSON', payload: { metadata: { encoding: base64('json/plain') }, data: base64('{"a":"ü"}') }, value: { a: 'ü' } },
  { what: 'no bytes', payload: { metadata: { encoding: base64('binary/null') } }, value: undefined },
])('a payload of $what is read', ({ payload, value }) => {
  expect(payloadValue(payload)).toEqual(value)
})

test('a payload that is not JSON is refused', () => {
  const payload = { metadata: { encoding: base64('binary/encrypted') }, data: base64('x') }
  expect(() => payloadValue(payload)).toThrow('a payload is binary/encrypted, not JSON')
})
