// The gateway of a private server: who gets in, and what it signs.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { purposeOf, type Payload } from '../../../src/adapters/signing/payload-signature.js'
import { openGateway } from '../../../src/dev-server/ui/ui-gateway.js'
import { UiSession } from '../../../src/dev-server/ui/ui-session.js'

const KEY = 'a'.repeat(64)
const WORKFLOWS = '/api/v1/namespaces/ratchet/workflows'

type Passed = { url: string; headers: IncomingHttpHeaders; body: string }
const open: { close: () => unknown }[] = []
let session: UiSession
let base: string
let passed: Passed[]

beforeEach(async () => {
  passed = []
  const behind = createServer((asked, answer) => {
    let body = ''
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()))
    asked.on('end', () => {
      passed.push({ url: asked.url ?? '', headers: asked.headers, body })
      answer.end('the Web UI')
    })
  })
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
  session = new UiSession()
  const gateway = await openGateway(0, {
    uiPort: () => (behind.address() as AddressInfo).port,
    privateUi: () => ({ session, key: KEY }),
  })
  open.push(behind, gateway)
  base = `http://127.0.0.1:${gateway.port}`
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const cookieOf = async (link: string): Promise<string> =>
  (await fetch(base + link)).headers.get('set-cookie') ?? ''

/** Sends a request from a browser that has opened a link. */
async function send(path: string, body?: object): Promise<Passed> {
  const cookie = `_csrf=x; ${(await cookieOf(session.link())).split(';')[0] ?? ''}; a=1`
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await fetch(base + path, {
    method,
    headers: { cookie },
    body: JSON.stringify(body),
  })
  expect(await answer.text()).toBe('the Web UI')
  return passed[0] as Passed
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const PAYLOADS = {
  payloads: [{ metadata: { encoding: base64('json/plain') }, data: base64('{}') }],
}

function signedFor(id: string, { payloads }: typeof PAYLOADS): string | undefined {
  const read = payloads.map(({ metadata, data }): Payload => ({
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  }))
  return purposeOf(KEY, id, read)
}

test.each(['/', WORKFLOWS, '/ratchet-ui', '/ratchet-ui?link=guessed'])(
  'without a link %s reaches nothing',
  async (path) => {
    const answer = await fetch(base + path, { headers: { cookie: 'ratchet-ui=guessed' } })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('ratchet ui')
    expect(passed).toEqual([])
  },
)

test('a link counts once, and its cookie goes to no page of another site', async () => {
  const link = session.link()
  expect(await cookieOf(link)).toMatch(/^ratchet-ui=\w{64}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect((await fetch(base + link)).status).toBe(403)
})

test('with the cookie everything is passed on, but for the cookie itself', async () => {
  const { url, headers } = await send('/a?b=c')
  expect({ url, cookie: headers.cookie }).toEqual({ url: '/a?b=c', cookie: '_csrf=x; a=1' })
})

test('the start of a run is signed for its id', async () => {
  const { body } = await send(`${WORKFLOWS}/fix-1`, { workflowId: 'fix-1', input: PAYLOADS, n: 1 })
  const sent = JSON.parse(body) as { input: typeof PAYLOADS; n: number }
  expect(sent.n).toBe(1)
  expect(sent.input.payloads[0]?.data).toBe(PAYLOADS.payloads[0]?.data)
  expect(signedFor('fix-1', sent.input)).toMatch(/^start \d+$/)
  expect(signedFor('fix-2', sent.input)).toBeUndefined()
})

test('an update is signed for its run, its name and its id', async () => {
  const input = { name: 'extend', args: PAYLOADS }
  const request = { meta: { updateId: 'u-1' }, input }
  const { body } = await send(`${WORKFLOWS}/fix-1/update/extend`, { request })
  const sent = JSON.parse(body) as { request: typeof request }
  expect(sent.request.meta).toEqual({ updateId: 'u-1' })
  expect(signedFor('fix-1', sent.request.input.args)).toMatch(/^update extend \d+ u-1$/)
})

test.each([
  { why: 'a signal', path: `${WORKFLOWS}/fix-1/signal/pause`, body: { input: PAYLOADS } },
  { why: 'a start without input', path: `${WORKFLOWS}/fix-1`, body: { input: null } },
  { why: 'an update of another form', path: `${WORKFLOWS}/x/update/extend`, body: { a: 1 } },
])('$why is passed on as it is', async ({ path, body }) => {
  expect(JSON.parse((await send(path, body)).body)).toEqual(body)
})
