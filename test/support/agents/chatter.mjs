// Writes lines that are not messages to standard output, between its messages.
import { say, serve } from './wire.mjs'

console.log('Loaded 3 extensions')
console.log('{"level":"info","msg":"a log line in JSON"}')
serve({
  'session/prompt': ({ sessionId }) => {
    console.log('[1,2,3]')
    console.log('warning: {"jsonrpc": broken')
    say(sessionId, 'fine')
    return { stopReason: 'end_turn' }
  },
})
