// ratchet logs: shows the logs of the local server and workers, or what the agents of one run said
// and did.
import type { Definition } from '../definition.js'

/** Names of the logs that every machine may have. */
const LOGS = ['supervisor', 'server', 'workflows', 'worker']

export const command: Definition = {
  text: [
    'For a run, open, closed or lost: each turn of its agents, what it said, which tools it used, and how it ended.',
    'Transcripts are local files, so no server is needed.',
  ],
  arguments: [
    [
      '[name]',
      'supervisor, server, workflows, worker (of this project), project-<key> (default: all), or the id of a run',
    ],
  ],
  options: [
    ['-n, --lines <n>', 'Lines of each log, or of each turn (default: 40)'],
    ['--follow', 'Keep printing what is appended, until Ctrl-C'],
  ],
  values: {
    '[name]': ({ runs }) => [...LOGS.map((value) => ({ value })), ...runs()],
  },
  examples: ['ratchet logs worker -n 200', 'ratchet logs WFS-test-shop --follow'],
  load: () => import('../run/show-logs.js'),
}
