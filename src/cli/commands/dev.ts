// ratchet dev: keeps the local processes up while it runs, or stops them.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: ['Without it they start when they are needed and stop 30 minutes after the last open run.'],
  options: [
    ['--stop', 'Stop the local server and workers; refused while runs are open'],
    ['--force', 'With --stop: also while runs are open; they go on at the next start'],
    ['--durable', 'Write every step to the disk at once: safe for power loss, slower'],
  ],
  examples: ['ratchet dev --stop'],
  run: async (...given) => (await import('../run/run-dev.js')).run(...given),
}
