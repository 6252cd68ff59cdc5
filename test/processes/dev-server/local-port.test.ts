// How the ports of the user's server respond to web pages and to other local clients of 127.0.0.1.
// None of them requires a token; SECURITY.md describes the consequences.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureProjectWorker, localStatus } from '../../../src/dev-server/index.js'
import { recordedServer } from '../../../src/dev-server/server-record.js'
import { ANALYSE, makeProject, realUser, type RealUser } from '../../support/runs/real-run.js'

const START = JSON.stringify({
  workflowType: { name: 'testFixCycle' },
  taskQueue: { name: 'ratchet' },
  requestId: 'x',
  input: [],
})
// What a page may send without a preflight request
const STRANGER = { origin: 'http://evil.example', 'content-type': 'text/plain' }

let user: RealUser
let client: Client
let uiPort: number
let project: string
beforeAll(async () => {
  user = await realUser()
  const server = recordedServer(user.dirs)
  uiPort = server?.uiPort ?? 0
  client = new Client({
    connection: await Connection.connect({ address: server?.address ?? '' }),
    namespace: 'ratchet',
  })
  project = makeProject(user, 'mine', [ANALYSE])
  await ensureProjectWorker(user.dirs, project, { env: user.env })
})
afterAll(async () => {
  await client.connection.close()
  await user.close()
})

type Answer = { code: number; headers: IncomingHttpHeaders; text: string }

/**
 * An HTTP request to 127.0.0.1, with headers that browsers forbid pages to set; `code` is 0 if the
 * port does not speak HTTP.
 */
function ask(
  port: number,
  {
    path = '/api/v1/namespaces/ratchet/workflows',
    headers = {},
    body,
  }: { path?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers,
        agent: false,
      },
      (response) => {
        let text = ''
        response
          .on('data', (chunk: Buffer) => (text += chunk.toString()))
          .once('end', () =>
            resolve({ code: response.statusCode ?? 0, headers: response.headers, text }),
          )
      },
    )
    asked.once('error', () => resolve({ code: 0, headers: {}, text: '' })).end(body)
  })
}

describe.runIf(process.platform === 'linux')('every port of the server', () => {
  /** Listening addresses and ports of a process, IPv4 and IPv6. */
  function listening(pid: number): { address: string; port: number }[] {
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).map((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
        } catch {
          return undefined
        }
      }),
    ) // closed meanwhile
    return ['tcp', 'tcp6'].flatMap((kind) =>
      readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
        .split('\n')
        .slice(1)
        .flatMap((line) => {
          const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
          const [address = '', port = ''] = local.split(':')
          return state === '0A' && sockets.has(inode)
            ? [{ address, port: Number.parseInt(port, 16) }]
            : []
        }),
    )
  }

  test('listens only on 127.0.0.1, and on no port can a page of another site start or read a run', async () => {
    const ports = listening(await user.pidOf('server'))
    expect(new Set(ports.map(({ address }) => address))).toEqual(new Set(['0100007F']))
    // GRPC, Web UI, HTTP API, metrics, and the server's internal ports
    expect(ports.length).toBeGreaterThan(2)
    for (const { port } of ports) {
      const started = await ask(port, {
        path: '/api/v1/namespaces/ratchet/workflows/by-a-page',
        headers: STRANGER,
        body: START,
      })
      expect([port, started.code]).toEqual([
        port,
        expect.toSatisfy((code: number) => code === 0 || code >= 400),
      ])
      const read = await ask(port, { headers: { origin: STRANGER.origin } })
      expect([port, read.headers['access-control-allow-origin']]).toEqual([port, undefined])
    }
    await expect(client.workflow.getHandle('by-a-page').describe()).rejects.toThrow(/not found/i)
  })

  test('its HTTP API refuses every request', async () => {
    const answers = await Promise.all(
      listening(await user.pidOf('server'))
        .filter(({ port }) => port !== uiPort)
        .map(({ port }) => ask(port)),
    )
    expect(
      answers.map(({ code, text }) => ({ code, text })).filter(({ code }) => code === 200),
    ).toEqual([])
    expect(
      answers.some(({ code, text }) => code === 403 && text.includes('Host not allowed')),
    ).toBe(true)
  })
})

test('the Web UI requires its token for every change, and forbids frames', async () => {
  expect(
    await ask(uiPort, {
      path: '/api/v1/namespaces/ratchet/workflows/by-form',
      headers: { origin: `http://127.0.0.1:${uiPort}`, 'content-type': 'application/json' },
      body: START,
    }),
  ).toMatchObject({ code: 400, text: expect.stringContaining('csrf') as string })
  expect((await ask(uiPort, { path: '/' })).headers).toMatchObject({
    'x-frame-options': 'SAMEORIGIN',
    'set-cookie': [expect.stringContaining('SameSite=Strict') as string],
  })
})

test('the address of the Web UI refuses a foreign host name and a foreign page', async () => {
  const { server } = await localStatus(user.dirs)
  const port = Number(new URL(server?.uiUrl ?? '').port)
  expect((await ask(port)).code).toBe(200)
  expect((await ask(port, { headers: { host: 'evil.example' } })).code).toBe(403)
  expect((await ask(port, { headers: { origin: 'http://evil.example' } })).code).toBe(403)
})

test("the gap named in SECURITY.md: the server's own UI port accepts a foreign host name", async () => {
  expect((await ask(uiPort, { headers: { host: 'evil.example' } })).code).toBe(200)
})

test.each(
  // prettier-ignore
  [
  { why: 'an unregistered directory', input: () => ({ project: user.root }), type: 'ProjectNotRegistered' },
  { why: 'a path that climbs out', input: () => ({ project: `${project}/../..` }), type: 'ProjectNotRegistered' },
  { why: 'the root', input: () => ({ project: '/' }), type: 'ProjectNotRegistered' },
  { why: 'commands of its own', input: () => ({ project, test: { command: 'id' } }), type: 'BadInput' },
  { why: 'a session that climbs out', input: () => ({ project, session: '../../x' }), type: 'BadInput' },
],
)('a run started through the port with $why is refused', async ({ input, type }) => {
  const run = await client.workflow.start('testFixCycle', {
    taskQueue: 'ratchet',
    workflowId: `stranger-${Math.random().toString(36).slice(2)}`,
    args: [input()],
  })
  await expect(run.result()).rejects.toMatchObject({ cause: { type } })
})
