// ratchet worker: runs the workers of this project against the user's own server.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Runs in the foreground until Ctrl-C. Needs --address or --profile; for the local server use `ratchet dev`.',
  ],
  examples: ['ratchet worker --address temporal.example.com:7233 --namespace team'],
  load: () => import('../run/run-worker.js'),
}
