// ratchet archive: closes ended runs, keeping their lessons for later ones.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Moves the record of one ended run, or of several, to .workflow/archives and notes in manifest.json there what it cost,',
    'what worked, what did not, and what is left to do. Later analyses of similar failures get these lessons. `ratchet',
    'status`, `report`, `apply` and `clean` still know an archived run; it cannot be resumed. An open run is refused by',
    'its id, and skipped by --all and --older.',
    '',
    'Without an id, --all and --older it lists the follow-ups that archived runs left: `ratchet fix --follow-up <n>` starts',
    'one. A move that was interrupted is finished first.',
  ],
  arguments: [['[id]', 'The run to archive']],
  options: [
    ['--all', 'Every ended run of this project'],
    ['--older <time>', 'Those that ended longer ago, such as 30d or 12h'],
  ],
  examples: ['ratchet archive --older 30d', "ratchet archive --json | jq '.followUps'"],
  load: () => import('../run/run-archive.js'),
}
