// Prints the names of its environment, and its KEY in pieces, on both streams and in a tool call.
import { say, serve, update } from './wire.mjs'

serve({
  'session/prompt': async ({ sessionId }) => {
    const key = process.env.MY_KEY ?? ''
    say(sessionId, `names ${Object.keys(process.env).sort().join(',')} key ${key.slice(0, 5)}`)
    say(sessionId, `${key.slice(5)} end`)
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: `use ${key}`,
      status: 'completed',
      rawInput: { env: { [key]: key } },
    })
    process.stderr.write(`debug: key=${key.slice(0, 4)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) =>
      process.stderr.write(`${key.slice(4)}\n${'z'.repeat(480)}`, resolve),
    )
    return process.argv[2] === 'die' ? process.exit(3) : { stopReason: 'end_turn' }
  },
})
