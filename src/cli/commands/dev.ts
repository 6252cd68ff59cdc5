// ratchet dev: keeps the local server and workers up while it runs, or stops them.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Runs until Ctrl-C. Without it, the server and workers start on demand and stop 30 minutes after the last open run.',
  ],
  options: [
    ['--stop', 'Stop the local server and workers; refused while runs are open'],
    ['--force', 'With --stop: also while runs are open; they continue at the next start'],
    [
      '--private',
      'Take only what this user starts and answers; refused while runs are open. Open the Web UI with: ratchet ui',
    ],
    ['--durable', 'Sync every step to disk: survives a power loss, but is slower'],
  ],
  examples: ['ratchet dev --stop'],
  load: () => import('../run/run-dev.js'),
}
