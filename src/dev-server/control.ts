// How commands talk to the supervisor: HTTP on 127.0.0.1, a random port, a random token in a file
// that only the user can read.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { ProcessIdentity } from '../contract/registry.js'
import { Variables } from '../adapters/environments/environment-messages.js'
import { callSupervisor, type SupervisorRecord } from '../adapters/supervisor/supervisor-call.js'

const BODY_BYTES = 4 * 1024 * 1024

const WorkerStatus = z.object({
  name: z.string(),
  kind: z.enum(['workflows', 'project']),
  state: z.enum(['waiting', 'starting', 'ready', 'failed', 'given_up', 'stopped', 'draining']),
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
    durable: z.boolean().optional(),
    private: z.boolean().optional(),
    /**
     * Version that the supervisor was told to start; runs of an older one keep that until they have
     * ended.
     */
    wantedVersion: z.string().optional(),
    problem: z.string().optional(),
  }),
  workers: z.array(WorkerStatus),
})
export type SupervisorStatus = z.infer<typeof SupervisorStatus>

/**
 * Body of `POST /projects`: whose worker, and the environment of the command; also that of the open
 * run which the command continues.
 */
export const ProjectRequest = z.object({
  path: z.string(),
  env: Variables,
  run: z.string().optional(),
})
export type ProjectRequest = z.infer<typeof ProjectRequest>

/**
 * Body of `POST /wanted`: a command needs the local processes; a holder keeps them up while it
 * lives.
 */
export const WantedRequest = z.object({ holder: ProcessIdentity.optional() })

/**
 * Body of `POST /runs`: those that a visibility query finds, or the first open one of some
 * ids.
 */
export const RunsRequest = z.union([
  z.object({ query: z.string(), limit: z.number().int().min(1).max(1_000) }),
  z.object({ ids: z.array(z.string()) }),
])
export type RunsRequest = z.infer<typeof RunsRequest>

/** Body of `POST /stop`. */
export const StopRequest = z.object({ force: z.boolean() })
export const StopReply = z.object({ openRuns: z.array(z.string()) })

/** One handler a route, by `METHOD /path`; it gets the parsed body. */
export type Routes = Record<string, (body: unknown) => Promise<{ code: number; body: unknown }>>

/** Serves the routes to callers with the token. */
export async function serveControl(
  routes: Routes,
): Promise<{ server: Server; port: number; token: string }> {
  const token = randomBytes(32).toString('hex')
  const server = createServer((request, response) => {
    const answer = async (): Promise<{ code: number; body: unknown }> => {
      if (!authorized(request, token)) return { code: 401, body: { error: 'wrong token' } }
      const route = routes[`${request.method ?? ''} ${request.url ?? ''}`]
      if (route === undefined) return { code: 404, body: { error: 'no such route' } }
      return route(await readBody(request))
    }
    answer()
      .catch((error: unknown) => ({
        code: error instanceof z.ZodError || error instanceof SyntaxError ? 400 : 500,
        body: { error: (error as Error).message },
      }))
      .then(({ code, body }) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
      .catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', resolve),
  )
  return { server, port: (server.address() as AddressInfo).port, token }
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

/** Returns the status that a supervisor answers; `undefined` if it is gone. */
export async function statusFrom(
  supervisor: SupervisorRecord,
  route: string,
  body?: unknown,
  withinMs?: number,
): Promise<SupervisorStatus | undefined> {
  const reply = await callSupervisor(supervisor, route, body, withinMs)
  if (reply === undefined) return undefined
  if (reply.code !== 200)
    throw new Error(
      `the supervisor answered ${reply.code} to ${route}: ${JSON.stringify(reply.body)}`,
    )
  return SupervisorStatus.parse(reply.body)
}
