// Serves one prompt in each session. What comes of a second one, or of loading a session, is its
// manner.
import { RpcError, say, serve, textOf, update } from './wire.mjs'

const [, , manner] = process.argv
const begun = new Set()
let count = 0

function second(sessionId) {
  if (manner === 'dies') process.exit(1)
  if (manner === 'hangs') return new Promise(() => {})
  if (manner === 'wants-login') throw new RpcError(-32000, 'Authentication required')
  if (manner === 'speaks-and-refuses') say(sessionId, 'half done')
  if (manner === 'works-and-refuses')
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'write',
      kind: 'edit',
      status: 'completed',
    })
  throw new RpcError(-32603, 'Internal error')
}

serve({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': () => ({ sessionId: `s-${process.pid}-${++count}` }),
  'session/load': () => {
    if (manner === 'load-dies') process.exit(1)
    if (manner === 'load-hangs') return new Promise(() => {})
    return manner === 'load-refuses-mode' ? { modes: { availableModes: [] } } : {}
  },
  'session/set_mode': ({ sessionId }) => {
    if (!sessionId.startsWith(`s-${process.pid}-`)) throw new RpcError(-32602, 'no such session')
  },
  'session/prompt': (params) => {
    const { sessionId } = params
    if (begun.has(sessionId) || !sessionId.startsWith(`s-${process.pid}-`)) return second(sessionId)
    begun.add(sessionId)
    say(sessionId, `did: ${textOf(params).slice(-15)}`)
    return { stopReason: 'end_turn' }
  },
})
