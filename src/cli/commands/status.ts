// ratchet status: what runs, one line a run, or one run whole.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Never starts anything. Each run is one line: what it does, its pass rate, since when or when it ended, its project where',
    'several are listed, and what it waits for. With an id its iterations follow: strategy, pass rate, stuck tests, failing',
    'tests by criticality; of a cycle version and pass rate; of a loop what each worker did; then who is at work, what was',
    'spent, and its branch.',
    'Without an id, --project names the project whose runs are listed; without that they are those of every project.',
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
    ['--all', 'Open runs and those that have ended'],
    ['--waiting', 'Only runs that wait for a person'],
    ['--since <when>', 'Only runs that are open or have ended since: 30m, 12h, 2d, 1w, or a date'],
    ['--limit <n>', 'At most so many, the newest first (default: 50)'],
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
  run: async (...given) => (await import('../run/run-status.js')).run(...given),
}
