// ratchet stop: ends a run for good.
import { ID, REASON, type Definition } from '../definition.js'

export const command: Definition = {
  text: ['Waits until no process of the run is left.'],
  arguments: [ID],
  options: [REASON, ['--detach', 'Return at once']],
  examples: ['ratchet stop WFS-test-shop --reason "wrong branch"'],
  load: () => import('../run/run-stop.js'),
}
