// Fails in the way its argument names.
import { RpcError, say, serve } from './wire.mjs'

const ways = {
  auth: () => {
    throw new RpcError(-32000, 'Authentication required')
  },
  rate: () => {
    throw new RpcError(-32603, 'Internal error', {
      error: { type: 'rate_limit_error', message: 'slow down' },
    })
  },
  error: () => {
    throw new RpcError(-32603, 'Internal error', { details: 'the model fell over' })
  },
  refusal: () => ({ stopReason: 'refusal' }),
  talks: ({ sessionId }) => (
    say(sessionId, 'Error 429: rate limit exceeded, says the code I read.'),
    { stopReason: 'end_turn' }
  ),
}
const way = process.argv[2]
serve({
  'session/new': () => (way === 'login' ? ways.auth() : { sessionId: 's1' }),
  'session/prompt': (params) => ways[way](params),
})
