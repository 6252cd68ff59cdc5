// How commands talk to the supervisor: HTTP on 127.0.0.1, a random port, a random token in a file
// that only the user can read.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { isAlive } from '../adapters/process/identity.js'
import { layout, type Dirs } from '../adapters/state-dir.js'
import { storedJson } from '../adapters/files/stored-json.js'
import { ProcessIdentity } from '../contract/registry.js'
import { reply } from './api/http-reply.js'

const BODY_BYTES = 4 * 1024 * 1024
const CALL_MS = 20_000

/** `supervisor.json`, mode 0600; `version` is that of the package it was started from. */
export const SupervisorRecord = z.object({
  identity: ProcessIdentity,
  port: z.number().int(),
  token: z.string(),
  version: z.string().optional(),
})
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
    durable: z.boolean().optional(),
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
 * Whether a supervisor was killed: it named itself and is gone. One that was stopped has removed
 * its file.
 */
export function supervisorWasKilled(dirs: Dirs): boolean {
  return existsSync(layout.supervisor(dirs)) && recordedSupervisor(dirs) === undefined
}

/**
 * Body of `POST /projects`: whose worker, in which environment, and which variables must be the
 * same.
 */
export const ProjectRequest = z.object({
  path: z.string(),
  env: z.record(z.string(), z.string()),
  watch: z.array(z.string()),
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

/** The living supervisor of this state directory. */
export function recordedSupervisor(dirs: Dirs): SupervisorRecord | undefined {
  const record = storedJson(layout.supervisor(dirs), SupervisorRecord)
  return record !== undefined && isAlive(record.identity) ? record : undefined
}

/** The supervisor lives, and has not answered in time. */
export class SilentSupervisorError extends Error {
  override readonly name = 'SilentSupervisorError'
}

/**
 * Calls the supervisor; `undefined` where it ended meanwhile.
 *
 * @throws SilentSupervisorError
 */
export async function callSupervisor(
  record: SupervisorRecord,
  route: string,
  body?: unknown,
  withinMs = CALL_MS,
): Promise<{ code: number; body: unknown } | undefined> {
  const [method = '', path = ''] = route.split(' ')
  try {
    const sent = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${record.token}`,
      connection: 'close',
      'content-length': Buffer.byteLength(sent),
    }
    const signal = AbortSignal.timeout(withinMs)
    // Not by fetch: loading it takes longer than the call.
    const { status: code, text } = await reply(
      { host: '127.0.0.1', port: record.port, method, path, headers, signal },
      sent,
    )
    return { code, body: JSON.parse(text) as unknown }
  } catch (error) {
    if (!isAlive(record.identity) || isRefused(error)) return undefined
    throw new SilentSupervisorError(
      `the supervisor (process ${record.identity.pid}) does not answer: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

// A supervisor that is about to end has closed its port first.
function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' || code === 'ECONNRESET'
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
