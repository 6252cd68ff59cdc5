// Takes a prompt and heeds nothing from then on: not cancel, not TERM, not the end of its input.
import { say, serve } from './wire.mjs'

process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
serve({
  'session/prompt': ({ sessionId }) => {
    say(sessionId, 'begun')
    return new Promise(() => {})
  },
  eof: null,
})
