// Sends the client unknown requests, then does its prompt.
import { ask, say, serve } from './wire.mjs'

serve({
  'session/prompt': async ({ sessionId }) => {
    const own = await ask('craft/drainMidTurnQueue', {})
    const fs = await ask('fs/read_text_file', { sessionId, path: '/etc/hostname' })
    say(sessionId, `codes ${own.error?.code} ${fs.error?.code}`)
    return { stopReason: 'end_turn' }
  },
})
