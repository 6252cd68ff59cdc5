// ratchet ui: opens the Web UI of the local server.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Starts the local server if it does not run. On a private server the address is a link that works once, within',
    'a minute; the browser then has access until the local server stops.',
  ],
  options: [['--print', 'Only print the address']],
  examples: ['ratchet ui', 'ratchet ui --print'],
  load: () => import('./run-ui.js'),
}
