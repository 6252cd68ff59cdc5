// Reports its provider's limit in updates, like claude-agent-acp.
import { RpcError, say, serve, update } from './wire.mjs'

const way = process.argv[2]
const tell = (sessionId, info) =>
  update(sessionId, {
    sessionUpdate: 'usage_update',
    used: 10,
    size: 100,
    _meta: { '_claude/rateLimit': info },
  })

serve({
  'session/prompt': async ({ sessionId }) => {
    tell(sessionId, {
      status: way === 'warns' ? 'allowed_warning' : 'rejected',
      resetsAt: Math.round(Date.now() / 1_000) + 90,
    })
    if (way === 'hangs') await new Promise(() => {})
    if (way === 'then-recovers') tell(sessionId, { status: 'allowed' })
    say(sessionId, 'You have hit your limit.')
    if (way === 'then-fails')
      throw new RpcError(-32603, 'Internal error', { details: 'the request failed' })
    return { stopReason: 'end_turn' }
  },
})
