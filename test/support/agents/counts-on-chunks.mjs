// Reports its tokens on empty chunks, one per model call, and its cost cumulatively.
import { say, serve, update } from './wire.mjs'

serve({
  'session/prompt': ({ sessionId }) => {
    for (const call of [1, 2])
      say(sessionId, '', { _meta: { usage: { inputTokens: 10 * call, outputTokens: call } } })
    update(sessionId, {
      sessionUpdate: 'usage_update',
      used: 1,
      size: 2,
      cost: { amount: 0.25, currency: 'USD' },
    })
    return { stopReason: 'end_turn' }
  },
})
