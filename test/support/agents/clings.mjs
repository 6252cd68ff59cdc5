// Does its work, then keeps running: ignores the end of its input and TERM.
import { say, serve } from './wire.mjs'

process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
serve({
  'session/prompt': ({ sessionId }) => {
    say(sessionId, 'done')
    return { stopReason: 'end_turn' }
  },
  eof: null,
})
