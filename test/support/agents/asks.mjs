// Asks for permission with its own option ids and order, then prints the answer. With the argument
// "late" it asks only after it was cancelled, and ends only after the answer.
import { ask, say, serve } from './wire.mjs'

const options = [
  { optionId: 'zebra', name: 'Never', kind: 'reject_always' },
  { optionId: 'apple', name: 'Yes', kind: 'allow_once' },
  { optionId: 'mango', name: 'No', kind: 'reject_once' },
  { optionId: 'grape', name: 'Always', kind: 'allow_always' },
]
const permission = (sessionId) =>
  ask('session/request_permission', {
    sessionId,
    toolCall: {
      toolCallId: 'c1',
      title: 'touch the moon',
      kind: 'execute',
      rawInput: { command: 'touch moon' },
    },
    options,
  })
const late = process.argv[2] === 'late'
let cancelled

serve({
  'session/prompt': async ({ sessionId }) => {
    if (late) {
      say(sessionId, 'waiting ')
      await new Promise((resolve) => (cancelled = resolve))
    }
    const { result } = await permission(sessionId)
    say(sessionId, `told ${JSON.stringify(result.outcome)}`)
    return { stopReason: result.outcome.outcome === 'cancelled' ? 'cancelled' : 'end_turn' }
  },
  'session/cancel': () => cancelled?.(),
})
