// Announces a resume that it does not have; its load replays the history, also after it has answered,
// and when a mode is chosen.
import { RpcError, say, serve } from './wire.mjs'

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
  }),
  'session/resume': () => {
    throw new RpcError(-32601, 'Method not found')
  },
  'session/load': ({ sessionId }) => {
    say(sessionId, 'OLD HISTORY ')
    setTimeout(() => say(sessionId, 'LATE HISTORY '), 30)
    return {}
  },
  'session/set_mode': ({ sessionId, modeId }) => {
    say(sessionId, `MODE ${modeId} `)
    return {}
  },
  'session/prompt': async ({ sessionId }) => {
    await new Promise((resolve) => setTimeout(resolve, 60)) // so that history that comes late would be taken for an answer
    say(sessionId, `in ${sessionId}`)
    return { stopReason: 'end_turn' }
  },
})
