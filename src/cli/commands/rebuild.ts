// ratchet rebuild: writes the state file of a dev cycle or a dev loop again.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'From what its run knows, while the server has it, open or closed; else from the files that the agents',
    'wrote. What stood there is kept beside it, and what could not be found again is said. A test-fix session needs none of',
    'this: `ratchet resume` reads its files anew.',
  ],
  arguments: [['<id>', 'Id of a cycle or loop']],
  examples: ['ratchet rebuild cycle-v1-20261120T200203-4k2j9x0q'],
  run: async (context, args) => (await import('../run/run-rebuild.js')).run(context, args),
}
