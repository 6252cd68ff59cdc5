// Plain JSON-RPC over stdio for the fake foreign agents: no SDK, so that the driver meets a stranger.
import { createInterface } from 'node:readline'

let next = 1000
const waiting = new Map()

export const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
export const update = (sessionId, change) =>
  send({ method: 'session/update', params: { sessionId, update: change } })
export const say = (sessionId, text, extra = {}) =>
  update(sessionId, {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
    ...extra,
  })

/** Asks the client; resolves with its whole answer message. */
export const ask = (method, params) =>
  new Promise((resolve) => {
    const id = next++
    waiting.set(id, resolve)
    send({ id, method, params })
  })

export class RpcError extends Error {
  constructor(code, message, data) {
    super(message)
    Object.assign(this, { code, data })
  }
}

/** Handlers by method; a returned value is the answer, a thrown RpcError the error. */
export function serve(handlers) {
  const all = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: `s-${process.pid}` }),
    'session/prompt': () => ({ stopReason: 'end_turn' }),
    ...handlers,
  }
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async (line) => {
    const { id, method, params, ...answer } = JSON.parse(line)
    if (method === undefined) {
      waiting.get(id)?.(answer)
      return
    }
    try {
      if (all[method] === undefined) throw new RpcError(-32601, `no such method: ${method}`)
      const result = await all[method](params ?? {})
      if (id !== undefined) send({ id, result: result ?? {} })
    } catch (error) {
      if (id !== undefined)
        send({
          id,
          error: { code: error.code ?? -32603, message: error.message, data: error.data },
        })
    }
  })
  if (handlers.eof !== null) lines.on('close', () => process.exit(0))
}

export const textOf = (params) => params.prompt.map((block) => block.text ?? '').join('\n')
