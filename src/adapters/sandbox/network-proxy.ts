// The way out of a sandbox that has no network: an HTTP proxy on a socket in the file system, which
// connects to the named hosts only.
import { lookup } from 'node:dns/promises'
import { rm } from 'node:fs/promises'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { BlockList, type Socket } from 'node:net'
import os from 'node:os'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { allowedBy, isLocal, type Allowed } from '../../core/sandbox/sandbox-network.js'

export type NetworkProxy = {
  /** Hosts that were refused so far, each once, as `host:port`. */
  refused: ReadonlySet<string>
  close(): Promise<void>
}

export type ProxyInput = {
  /** Path of the socket; it does not exist yet. */
  socket: string
  allowed: readonly Allowed[]
  /** Ports of this machine that nothing inside may reach, even if they are allowed. */
  refusedPorts: readonly number[]
}

/** What no name may resolve to: this machine, its links, and the metadata of a cloud. */
const NOT_OUTSIDE: readonly [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

/** Starts the proxy. Rejects where the socket cannot be made. */
export async function startProxy({
  socket,
  allowed,
  refusedPorts,
}: ProxyInput): Promise<NetworkProxy> {
  const refused = new Set<string>()
  const open = new Set<Duplex>()
  const addressOf = async (host: string, port: number): Promise<string> => {
    const entry = allowedBy(allowed, host, port)
    const address =
      entry === undefined || (isLocal(host) && refusedPorts.includes(port))
        ? undefined
        : isLocal(host)
          ? '127.0.0.1'
          : await outside(host)
    if (address !== undefined) return address
    refused.add(`${host}:${port}`)
    throw new Error(`${host}:${port} is not among the hosts that this sandbox may reach`)
  }
  const server = http.createServer((request, response) => {
    forward(request, response, addressOf).catch((error: Error) => refuse(response, error))
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => client.destroy())
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(request.url ?? '') ?? []
    addressOf(host, Number(port)).then(
      (address) => tunnel(address, Number(port), client, head),
      (error: Error) =>
        client.end(`HTTP/1.1 403 Forbidden\r\n\r\n${error.message.replace(/[\r\n]/g, ' ')}\n`),
    )
  })
  server.on('connection', (one: Socket) => {
    open.add(one)
    one.on('close', () => open.delete(one))
  })
  server.listen(socket)
  await once(server, 'listening')
  return {
    refused,
    async close() {
      for (const one of open) one.destroy()
      server.close()
      await rm(socket, { force: true })
    },
  }
}

function tunnel(address: string, port: number, client: Duplex, head: Buffer): void {
  const target = net.connect(port, address)
  const end = (): void => {
    target.destroy()
    client.destroy()
  }
  target.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) target.write(head)
    target.pipe(client)
    client.pipe(target)
  })
  target.on('error', end).on('close', end)
  client.on('close', end)
}

// A request for http:// is sent whole to the proxy.
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  addressOf: (host: string, port: number) => Promise<string>,
): Promise<void> {
  if (!URL.canParse(request.url ?? '')) throw new Error('only absolute addresses are carried')
  const url = new URL(request.url ?? '')
  if (url.protocol !== 'http:') throw new Error(`${url.protocol} is not carried`)
  const port = url.port === '' ? 80 : Number(url.port)
  const host = await addressOf(url.hostname, port)
  const headers = Object.fromEntries(
    Object.entries({ ...request.headers, host: url.host }).filter(
      ([name]) => !name.startsWith('proxy-'),
    ),
  )
  const outgoing = http.request(
    { host, port, method: request.method, path: `${url.pathname}${url.search}`, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  outgoing.on('error', (error) => refuse(response, error, 502))
  request.pipe(outgoing)
}

function refuse(response: ServerResponse, error: Error, status = 403): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(`${error.message}\n`)
}

/** An address of a host that is not this machine. The connection is made to it, not to the name. */
async function outside(host: string): Promise<string | undefined> {
  const blocked = new BlockList()
  for (const [address, prefix, family] of NOT_OUTSIDE) blocked.addSubnet(address, prefix, family)
  for (const { address, family } of Object.values(os.networkInterfaces()).flatMap(
    (all) => all ?? [],
  ))
    blocked.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6')
  const found = await lookup(host, { all: true })
  return found.find(
    ({ address, family }) => !blocked.check(address, family === 4 ? 'ipv4' : 'ipv6'),
  )?.address
}
