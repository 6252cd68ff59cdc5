import { realAgent } from './conformance.js'

realAgent('codex', {
  cannot: { asked: 'its sandbox holds commands, and it asks only for what that forbids' },
})
