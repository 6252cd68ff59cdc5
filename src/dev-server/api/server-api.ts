// The JSON API of the user's own Temporal server. The supervisor reads the server with it, as
// Temporal's client costs a process 35 MB and 200 ms.
//
// The API answers only to its host name, which is random and which no page in a browser can send.
import { Agent } from 'node:http'
import { z } from 'zod'
import { hasGrpcCode, NOT_FOUND } from '../../core/grpc.js'
import { reply, type Reply } from '../../adapters/supervisor/http-reply.js'

/** Port of the API on 127.0.0.1, and the host name to which it answers. */
export const ApiAddress = z.object({ port: z.number().int(), host: z.string() })
export type ApiAddress = z.infer<typeof ApiAddress>

type Get = (path: string, query?: Record<string, string>) => Promise<unknown>

export type ServerApi = {
  get: Get
  /** The same; `undefined` for what the server does not have. */
  find: Get
  post: (path: string, body: object) => Promise<unknown>
}

/** The server refused a call, or did not answer; `code` is that of gRPC. */
export class ServerAnswerError extends Error {
  override readonly name = 'ServerAnswerError'
  constructor(
    readonly code: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const WITHIN_MS = 5_000
/** Calls of one look that run at the same time. */
const SOCKETS = 16
/** gRPC DEADLINE_EXCEEDED, UNAVAILABLE. */
const TOO_LATE = 4
const AWAY = 14
/** Payloads as they are stored: decoded JSON cannot tell one without bytes from `null`. */
const AS_STORED = 'application/json+no-payload-shorthand'
const Refusal = z.object({ code: z.number(), message: z.string() })

/**
 * Runs `use` on connections of its own, and closes them. All calls in it share one deadline.
 *
 * @param api absent for a server that was started without a known address
 * @throws ServerAnswerError
 */
export async function withApi<T>(
  api: ApiAddress | undefined,
  use: (api: ServerApi) => Promise<T>,
  withinMs = WITHIN_MS,
): Promise<T> {
  if (api === undefined)
    throw new ServerAnswerError(AWAY, 'the address of the server API is unknown')
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const signal = AbortSignal.timeout(withinMs)
  const call = async (method: string, path: string, body = ''): Promise<unknown> => {
    const headers = {
      host: api.host,
      accept: AS_STORED,
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(body),
    }
    const where = { agent, host: '127.0.0.1', port: api.port, path: `/api/v1${path}` }
    try {
      return answered(await reply({ ...where, method, headers, signal }, body))
    } catch (error) {
      if (error instanceof ServerAnswerError) throw error
      throw signal.aborted
        ? new ServerAnswerError(TOO_LATE, `no answer within ${withinMs} ms`, { cause: error })
        : new ServerAnswerError(AWAY, (error as Error).message, { cause: error })
    }
  }
  const get: Get = (path, query = {}) =>
    call('GET', `${path}?${new URLSearchParams(query).toString()}`)
  try {
    return await use({
      get,
      find: (path, query) =>
        get(path, query).catch((error: unknown) => {
          if (hasGrpcCode(error, NOT_FOUND)) return undefined
          throw error
        }),
      post: (path, body) => call('POST', path, JSON.stringify(body)),
    })
  } finally {
    agent.destroy()
  }
}

function answered({ status, text }: Reply): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    // Another program answers at that port.
    throw new ServerAnswerError(AWAY, `HTTP ${status}, and no JSON`, { cause: error })
  }
  if (status === 200) return body
  const refusal = Refusal.safeParse(body)
  throw refusal.success
    ? new ServerAnswerError(refusal.data.code, refusal.data.message)
    : new ServerAnswerError(AWAY, `HTTP ${status}`)
}

const Payload = z.object({
  metadata: z.record(z.string(), z.string()).default({}),
  data: z.string().default(''),
})

/** The value of a stored payload of JSON; `undefined` for one without bytes. */
export function payloadValue(payload: unknown): unknown {
  const { metadata, data } = Payload.parse(payload)
  const encoding = Buffer.from(metadata['encoding'] ?? '', 'base64').toString('utf8')
  if (data === '') return undefined
  if (encoding !== 'json/plain') throw new Error(`a payload is ${encoding}, not JSON`)
  return JSON.parse(Buffer.from(data, 'base64').toString('utf8'))
}
