// ratchet clean: removes what closed runs left outside the working tree.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Removes workspaces, branches, refs and kept agent turns of one closed run, or of all of them. Records in .workflow',
    'stay. Unless forced, what holds commits that are neither applied nor merged is kept, and the exit code is 1, as in a',
    'dry run. An open run is refused by its id, and left alone by --all.',
  ],
  arguments: [['[id]', 'The run to clean up after']],
  options: [
    ['--all', 'Every closed run of this project'],
    ['--force', 'Also delete commits that are not applied'],
    ['--cache', 'Remove downloaded and built programs'],
    ['--dry-run', 'Say what would be removed, and how much room it takes'],
  ],
  examples: ['ratchet clean --all --dry-run', "ratchet clean --all --dry-run --json | jq '.bytes'"],
  run: async (...given) => (await import('../run/run-clean.js')).run(...given),
}
