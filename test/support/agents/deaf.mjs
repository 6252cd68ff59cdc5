// Takes a prompt and heeds nothing from then on: not cancel, not TERM, not the end of its input or
// output.
import { say, serve } from './wire.mjs'

process.on('SIGTERM', () => {})
process.stdout.on('error', () => {}) // its worker was killed before it read
setInterval(() => {}, 1000)
serve({
  'session/prompt': ({ sessionId }) => {
    say(sessionId, 'begun')
    return new Promise(() => {})
  },
  eof: null,
})
