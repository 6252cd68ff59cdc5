// ratchet status: lists runs, one line each, or shows one run in full.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Starts nothing. Each run is one line: its state and phase, its pass rate, when it started or ended, its project if',
    'several are listed, and what it waits for. With an id, its iterations follow: strategy, pass rate, stuck tests and',
    'failing tests by criticality; for a cycle the version and pass rate; for a loop what each worker did. Then come the',
    'agents at work, the usage (input, cached and output tokens, cost) and the branch.',
    'Without an id, --project limits the list to one project; the default is every project.',
  ],
  arguments: [
    [
      '[id]',
      'Id of a run, open or closed, or the name of a session, cycle or loop of this project',
    ],
  ],
  options: [
    ['--kind <kind>', 'Only runs of this kind: fix, cycle or loop'],
    ['--open', 'Only runs that are open (default)'],
    ['--closed', 'Only runs that have ended'],
    ['--all', 'Open and ended runs'],
    ['--waiting', 'Only runs that wait for a person'],
    ['--since <when>', 'Only runs that are open or ended since: 30m, 12h, 2d, 1w, or a date'],
    ['--limit <n>', 'Show at most n runs, the newest first (default: 50)'],
  ],
  values: {
    '--kind': ['fix', 'cycle', 'loop'],
    '--since': ['1h', '12h', '1d', '1w'],
  },
  examples: [
    'ratchet status --waiting',
    'ratchet status --closed --since 2d --kind fix',
    'ratchet status --json | jq -r \'.runs[] | select(.waitingFor | startswith("person")) | .id\'',
  ],
  load: () => import('../run/run-status.js'),
}
