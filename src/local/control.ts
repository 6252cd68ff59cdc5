// How commands talk to the supervisor: HTTP on 127.0.0.1, a random port, a random token in a file that
// only the user can read.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { isAlive } from '../adapters/process/identity.js'
import { layout } from '../adapters/state-dir.js'
import type { Dirs } from '../adapters/state-dir.js'
import { ProcessIdentity } from '../contract/registry.js'

const BODY_BYTES = 4 * 1024 * 1024
const CALL_MS = 20_000

/** `supervisor.json`, mode 0600; `version` is that of the package it was started from. */
export const SupervisorRecord = z.object({ identity: ProcessIdentity, port: z.number().int(), token: z.string(), version: z.string().optional() })
export type SupervisorRecord = z.infer<typeof SupervisorRecord>

const WorkerStatus = z.object({
  name: z.string(),
  kind: z.enum(['workflows', 'project']),
  state: z.enum(['waiting', 'starting', 'ready', 'given_up', 'stopped', 'draining']),
  pid: z.number().int().optional(),
  queue: z.string(),
  /** Key of the project, for a project's worker. */
  key: z.string().optional(),
  log: z.string(),
  problem: z.string().optional(),
})
export type WorkerStatus = z.infer<typeof WorkerStatus>

/** Answer of `GET /status`. */
export const SupervisorStatus = z.object({
  pid: z.number().int(),
  stopping: z.boolean(),
  server: z.object({
    state: z.string(),
    address: z.string().optional(),
    uiUrl: z.string().optional(),
    pid: z.number().int().optional(),
    version: z.string().optional(),
    problem: z.string().optional(),
  }),
  workers: z.array(WorkerStatus),
})
export type SupervisorStatus = z.infer<typeof SupervisorStatus>

/** Body of `POST /projects`: whose worker, in which environment, and which variables must be the same. */
export const ProjectRequest = z.object({ path: z.string(), env: z.record(z.string(), z.string()), watch: z.array(z.string()) })
export type ProjectRequest = z.infer<typeof ProjectRequest>

/** Body of `POST /wanted`: somebody needs the local processes; a holder keeps them up while it lives. */
export const WantedRequest = z.object({ holder: ProcessIdentity.optional() })

/** Body of `POST /stop`. */
export const StopRequest = z.object({ force: z.boolean() })
export const StopReply = z.object({ openRuns: z.array(z.string()) })

/** One handler a route, by `METHOD /path`; it gets the parsed body. */
export type Routes = Record<string, (body: unknown) => Promise<{ code: number; body: unknown }>>

/** Serves the routes to whoever has the token. */
export async function serveControl(routes: Routes): Promise<{ server: Server; port: number; token: string }> {
  const token = randomBytes(32).toString('hex')
  const server = createServer((request, response) => {
    const answer = async (): Promise<{ code: number; body: unknown }> => {
      if (!authorized(request, token)) return { code: 401, body: { error: 'wrong token' } }
      const route = routes[`${request.method ?? ''} ${request.url ?? ''}`]
      if (route === undefined) return { code: 404, body: { error: 'no such route' } }
      return route(await readBody(request))
    }
    answer()
      .catch((error: unknown) => ({ code: error instanceof z.ZodError || error instanceof SyntaxError ? 400 : 500, body: { error: (error as Error).message } }))
      .then(({ code, body }) => response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
      .catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port, token }
}

/** The living supervisor of this state directory. */
export function recordedSupervisor(dirs: Dirs): SupervisorRecord | undefined {
  try {
    const record = SupervisorRecord.safeParse(JSON.parse(readFileSync(layout.supervisor(dirs), 'utf8')))
    return record.success && isAlive(record.data.identity) ? record.data : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Calls the supervisor; `undefined` where it ended meanwhile. */
export async function callSupervisor(record: SupervisorRecord, route: string, body?: unknown): Promise<{ code: number; body: unknown } | undefined> {
  const [method = '', path = ''] = route.split(' ')
  try {
    const response = await fetch(`http://127.0.0.1:${record.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${record.token}`, connection: 'close' },
      signal: AbortSignal.timeout(CALL_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { code: response.status, body: await response.json() }
  } catch (error) {
    if (!isAlive(record.identity) || isRefused(error)) return undefined
    throw new Error(`the supervisor (process ${record.identity.pid}) does not answer: ${(error as Error).message}`, { cause: error })
  }
}

// A supervisor that is about to end has closed its port first.
function isRefused(error: unknown): boolean {
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}

function authorized(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES) throw new SyntaxError('the body is too large')
    chunks.push(chunk)
  }
  return bytes === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
