// The gateway in front of the Web UI, with a server behind it.
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openGateway, type UiGateway } from '../../../src/dev-server/ui/ui-gateway.js'

const open: { close: () => unknown }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** A server that answers with what it was asked. */
async function behind(): Promise<number> {
  const server: Server = createServer((asked, answer) => {
    let body = ''
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()))
    asked.on('end', () => {
      answer.writeHead(201, { 'x-frame-options': 'SAMEORIGIN', 'set-cookie': ['a=1', 'b=2'] })
      answer.end(JSON.stringify({ method: asked.method, url: asked.url, body }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return (server.address() as AddressInfo).port
}

async function gateway(uiPort: () => number | undefined): Promise<UiGateway> {
  const opened = await openGateway(0, { uiPort })
  open.push(opened)
  return opened
}

type Answer = { code: number | undefined; text: string; headers: NodeJS.Dict<string | string[]> }
function ask(port: number, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path: '/a?b=c', method: body ? 'POST' : 'GET', headers },
      (reply) => {
        let text = ''
        reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
        reply.on('end', () => resolve({ code: reply.statusCode, text, headers: reply.headers }))
      },
    )
      .on('error', reject)
      .end(body)
  })
}

test('passes a request and its answer on, with headers, cookies and body', async () => {
  const ui = await behind()
  const { port } = await gateway(() => ui)
  const origin = `http://127.0.0.1:${port}`
  expect(await ask(port, { origin }, 'text')).toMatchObject({
    code: 201,
    headers: { 'x-frame-options': 'SAMEORIGIN', 'set-cookie': ['a=1', 'b=2'] },
    text: JSON.stringify({ method: 'POST', url: '/a?b=c', body: 'text' }),
  })
})

test('another host and another origin reach nothing', async () => {
  const ui = await behind()
  const { port } = await gateway(() => ui)
  const foreign: Record<string, string>[] = [
    { host: 'evil.example' },
    { origin: 'http://evil.example' },
  ]
  for (const headers of foreign) expect(await ask(port, headers)).toMatchObject({ code: 403 })
})

test('without a server it says what to do, and finds the next server by its port', async () => {
  const server: { uiPort?: number } = {}
  const { port } = await gateway(() => server.uiPort)
  expect(await ask(port)).toMatchObject({
    code: 502,
    text: expect.stringContaining('ratchet dev') as string,
  })
  server.uiPort = await behind()
  expect(await ask(port)).toMatchObject({ code: 201 })
})

test('a server that has just ended is no crash', async () => {
  const ui = await behind()
  const { port } = await gateway(() => ui)
  for (const one of open.splice(0, 1)) one.close()
  expect(await ask(port)).toMatchObject({ code: 502 })
})
