// Repeats its prompt. Has no resume. Reports usage in its answer, with an unknown update in
// between.
import { say, serve, textOf, update } from './wire.mjs'

serve({
  'session/prompt': (params) => {
    update(params.sessionId, { sessionUpdate: 'something_of_next_year', other: [1, 2] })
    say(params.sessionId, `echo: ${textOf(params)}`)
    return {
      stopReason: 'end_turn',
      usage: { inputTokens: 100, outputTokens: 20, cachedReadTokens: 5, totalTokens: 125 },
    }
  },
})
