// The address of the Web UI that Ratchet shows: passes requests of this machine on to the server's
// own UI port, and refuses those of other sites.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusedByGateway } from '../core/ui-request.js'
import { freePort } from '../adapters/process/free-port.js'

const NOT_RUNNING = 'The Temporal server is not running. Start it with: ratchet dev\n'
/** Headers that belong to one connection. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']

/** The port that people know; the next free one if it is taken. */
const FIRST_PORT = 8233
/** Another process may take a port between the look and the use of it. */
const TRIES = 5

export type UiGateway = { port: number; close: () => void }

/** Opens it at the first free port. */
export async function openUi(uiPort: () => number | undefined): Promise<UiGateway> {
  for (let tries = 1; ; tries++) {
    try {
      return await openGateway(await freePort(FIRST_PORT), uiPort)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error
    }
  }
}

/**
 * Listens on 127.0.0.1.
 *
 * @param uiPort returns the UI port of the server that runs now
 * @throws EADDRINUSE if the port is taken
 */
export async function openGateway(
  port: number,
  uiPort: () => number | undefined,
): Promise<UiGateway> {
  const server = createServer((asked, answer) => {
    const { host, origin } = asked.headers
    const refused = refusedByGateway({ host, origin })
    if (refused !== undefined) return say(answer, 403, `${refused}\n`)
    const target = uiPort()
    if (target === undefined) return say(answer, 502, NOT_RUNNING)
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

function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const headers = { ...asked.headers }
  for (const name of HOP_BY_HOP) delete headers[name]
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
  asked.pipe(passed)
}

function say(answer: ServerResponse, code: number, text: string): void {
  answer.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
