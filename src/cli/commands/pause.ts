// ratchet pause: pauses a run.
import { ID, REASON, type Definition } from '../definition.js'

export const command: Definition = {
  arguments: [ID],
  options: [
    ['--now', 'Interrupt the running step; `ratchet resume` continues its agent session'],
    REASON,
  ],
  examples: ['ratchet pause WFS-test-shop --reason "demo at noon"'],
  load: () => import('../run/run-pause.js'),
}
