// Accepts every prompt and never answers. With the argument "polite" it answers a cancel.
import { serve } from '../../support/agents/wire.mjs'

const polite = process.argv[3] === 'polite'
let cancelled

serve({
  'session/prompt': () =>
    new Promise((resolve) => {
      cancelled = () => resolve({ stopReason: 'cancelled' })
    }),
  'session/cancel': () => {
    if (polite) cancelled?.()
  },
})
