// Prints little, and reports its usage with its answer.
import { say, serve } from './wire.mjs'

serve({
  'session/prompt': ({ sessionId }) => {
    say(sessionId, 'done')
    return { stopReason: 'end_turn', usage: { inputTokens: 9_000, outputTokens: 9_000 } }
  },
})
