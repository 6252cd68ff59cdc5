// ratchet watch: follows a run to its end.
import { ID, PLAIN, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Starts the server and the workers of the project if they are not running. The exit code is that of the run. In a',
    'terminal, open questions are asked as they come.',
  ],
  arguments: [ID],
  options: [PLAIN],
  examples: ["ratchet watch WFS-test-shop && notify-send 'tests are green'"],
  load: () => import('../run/run-watch.js'),
}
