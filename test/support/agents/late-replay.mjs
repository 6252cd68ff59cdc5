// Announces a resume that it does not have; its load replays the history, also after it has answered.
import { RpcError, say, serve } from './wire.mjs'

serve({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } }),
  'session/resume': () => {
    throw new RpcError(-32601, 'Method not found')
  },
  'session/load': ({ sessionId }) => {
    say(sessionId, 'OLD HISTORY ')
    setTimeout(() => say(sessionId, 'LATE HISTORY '), 20)
    return {}
  },
  'session/prompt': ({ sessionId }) => {
    say(sessionId, `in ${sessionId}`)
    return { stopReason: 'end_turn' }
  },
})
