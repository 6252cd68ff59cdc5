// A webhook for tests: a server on 127.0.0.1 that logs its requests and answers from a script.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HookEvent } from '../../../src/contract/hook-event.js'

export type Heard = {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}

/** `hang`: no answer at all. */
export type HookAnswer =
  { status: number; headers?: Record<string, string>; body?: string } | 'hang'

export type HookServer = {
  url: string
  heard: Heard[]
  events: () => HookEvent[]
  close: () => Promise<void>
}

/** @param answer by request, from 1 */
export async function hookServer(
  answer: (n: number, heard: Heard) => HookAnswer = () => ({ status: 200 }),
): Promise<HookServer> {
  const heard: Heard[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      heard.push(one)
      const given = answer(heard.length, one)
      if (given === 'hang') return
      response.writeHead(given.status, given.headers)
      response.end(given.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    events: () => heard.map(({ body }) => JSON.parse(body) as HookEvent),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
