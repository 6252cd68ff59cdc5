// Takes its name from its argument, and prints the blocks of its prompt as JSON.
import { say, serve } from './wire.mjs'

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: {},
    agentInfo: { name: process.argv[2], version: '1' },
  }),
  'session/prompt': (params) => {
    say(params.sessionId, JSON.stringify(params.prompt.map(({ text }) => text)))
    return { stopReason: 'end_turn' }
  },
})
