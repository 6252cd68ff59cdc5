// The address of the Web UI that Ratchet shows: passes requests of this machine on to the server's
// own UI port, and refuses those of other sites. For a private server it also needs the cookie of
// `ratchet ui`, and signs what the browser starts and answers.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { actionOf, refusedByGateway, type UiAction } from '../../core/ui-request.js'
import { freePort } from '../../adapters/process/free-port.js'
import { signBody } from './sign-request.js'
import { LINK_PATH, type UiSession } from './ui-session.js'

const NO_COOKIE = 'This server is private. Open its Web UI with: ratchet ui\n'
const USED = 'This link has been used, or is older than a minute. Get another one: ratchet ui\n'
/** Loads the Web UI from a page of its own site, so that the browser sends the new cookie. */
const OPENED = '<!doctype html><meta http-equiv="refresh" content="0; url=/"><a href="/">Web UI</a>'
const BODY_BYTES = 4 * 1024 * 1024
const NOT_RUNNING = 'The Temporal server is not running. Start it with: ratchet dev\n'
/** Headers that belong to one connection. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']

/** The port that people know; the next free one if it is taken. */
const FIRST_PORT = 8233
/** Another process may take a port between the look and the use of it. */
const TRIES = 5

export type UiGateway = { port: number; close: () => void }

/** What the gateway of a private server has. */
export type PrivateUi = { session: UiSession; key: string }

/** What runs behind the gateway at the moment. */
export type Behind = {
  /** UI port of the server. */
  uiPort: () => number | undefined
  privateUi?: () => PrivateUi | undefined
}

/** Opens it at the first free port. */
export async function openUi(behind: Behind): Promise<UiGateway> {
  for (let tries = 1; ; tries++) {
    try {
      return await openGateway(await freePort(FIRST_PORT), behind)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error
    }
  }
}

/**
 * Listens on 127.0.0.1.
 *
 * @throws EADDRINUSE if the port is taken
 */
export async function openGateway(port: number, behind: Behind): Promise<UiGateway> {
  const server = createServer((asked, answer) => {
    const { host, origin } = asked.headers
    const refused = refusedByGateway({ host, origin })
    if (refused !== undefined) return say(answer, 403, `${refused}\n`)
    const target = behind.uiPort()
    if (target === undefined) return say(answer, 502, NOT_RUNNING)
    const own = behind.privateUi?.()
    if (own !== undefined) return passOnPrivate(asked, answer, target, own)
    passOn(asked, answer, target)
  })
  // Nothing of the Web UI needs another protocol.
  server.on('upgrade', (_asked, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function passOnPrivate(
  asked: IncomingMessage,
  answer: ServerResponse,
  port: number,
  { session, key }: PrivateUi,
): void {
  const url = URL.parse(asked.url ?? '', 'http://127.0.0.1')
  if (url === null) return say(answer, 400, NO_COOKIE)
  if (url.pathname === LINK_PATH) return openLink(answer, session.open(url))
  const { isOpen, others } = session.read(asked.headers.cookie)
  if (!isOpen) return say(answer, 403, NO_COOKIE)
  if (others === undefined) delete asked.headers.cookie
  else asked.headers.cookie = others
  const action = actionOf(asked.method, url.pathname)
  if (action === undefined) return passOn(asked, answer, port)
  void passOnSigned(asked, answer, port, action, key)
}

function openLink(answer: ServerResponse, cookie: string | undefined): void {
  if (cookie === undefined) return say(answer, 403, USED)
  answer
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'set-cookie': cookie,
    })
    .end(OPENED)
}

async function passOnSigned(
  asked: IncomingMessage,
  answer: ServerResponse,
  port: number,
  action: UiAction,
  key: string,
): Promise<void> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of asked as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > BODY_BYTES) return say(answer, 413, 'The request is too large.\n')
      chunks.push(chunk)
    }
  } catch {
    return void answer.destroy() // the browser has left
  }
  const text = Buffer.concat(chunks).toString('utf8')
  passOn(asked, answer, port, signBody(action, text, key, Date.now()))
}

/** @param body in place of that of the request */
function passOn(asked: IncomingMessage, answer: ServerResponse, port: number, body?: string): void {
  const headers = { ...asked.headers }
  for (const name of HOP_BY_HOP) delete headers[name]
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  const passed = request(
    { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers },
    (reply) => {
      const given = { ...reply.headers }
      for (const name of HOP_BY_HOP) delete given[name]
      answer.writeHead(reply.statusCode ?? 502, given)
      reply.pipe(answer)
    },
  )
  passed.on('error', () => (answer.headersSent ? answer.destroy() : say(answer, 502, NOT_RUNNING)))
  answer.on('close', () => passed.destroy())
  if (body === undefined) asked.pipe(passed)
  else passed.end(body)
}

function say(answer: ServerResponse, code: number, text: string): void {
  answer.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
