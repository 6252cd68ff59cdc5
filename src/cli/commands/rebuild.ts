// ratchet rebuild: rewrites the state file of a dev cycle or a dev loop.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Takes the state from the run while the server has it, open or closed; otherwise from the files that the agents',
    'wrote. It keeps a copy of the old file and lists what it could not find. A test-fix session needs no rebuild:',
    '`ratchet resume` reads its files.',
  ],
  arguments: [['<id>', 'Id of a cycle or loop']],
  examples: ['ratchet rebuild cycle-v1-20261120T200203-4k2j9x0q'],
  load: () => import('../run/run-rebuild.js'),
}
