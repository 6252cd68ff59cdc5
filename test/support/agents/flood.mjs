// Prints 50 MB. With the argument "line": in one endless line.
import { serve, say } from './wire.mjs'

const MB = 1 << 20
const written = (text) => new Promise((resolve) => process.stdout.write(text, resolve))

serve({
  'session/prompt': async ({ sessionId }) => {
    if (process.argv[2] === 'line') for (let mb = 0; mb < 50; mb++) await written('x'.repeat(MB))
    say(sessionId, 'BEGIN ')
    for (let mb = 0; mb < 50; mb++) {
      for (let part = 0; part < 16; part++) say(sessionId, 'y'.repeat(MB / 16))
      await written('')
    }
    say(sessionId, ' END')
    return { stopReason: 'end_turn' }
  },
})
