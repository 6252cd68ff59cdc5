// ratchet clean: removes what closed runs left outside the working tree.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Removes workspaces, branches, refs and stored agent turns of one closed run, or of all of them. Records in .workflow',
    'stay. Commits that are neither applied nor merged are kept unless --force is given; the exit code is then 1, also in',
    'a dry run. An open run is refused by its id, and skipped by --all.',
  ],
  arguments: [['[id]', 'The run to clean up after']],
  options: [
    ['--all', 'Every closed run of this project'],
    ['--force', 'Also delete commits that were not applied'],
    ['--cache', 'Remove downloaded and built programs'],
    ['--dry-run', 'Show what would be removed, and its size on disk'],
  ],
  examples: ['ratchet clean --all --dry-run', "ratchet clean --all --dry-run --json | jq '.bytes'"],
  load: () => import('../run/run-clean.js'),
}
