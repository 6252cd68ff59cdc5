// ratchet stats: sums up what agents used, over several runs.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Reads the records of this project and the turns of its agents: turns, tokens, cost and time, in all and per turn',
    '(median and quartiles), and tokens per iteration and per test that passes since. Starts nothing. Archived runs count,',
    'and preparations. Cached tokens are part of the input; agents that do not report them count none. Time is by the',
    'clock of each turn, without waits. `ratchet clean` removes the turns of a run, and with them its numbers.',
  ],
  options: [
    [
      '--by <what>',
      'One line for each work (agent and role, the default), agent, model, role or run',
    ],
    ['--kind <kind>', 'Only runs of this kind: fix, cycle, loop or prep'],
    [
      '--since <when>',
      'Only turns that began since: 30m, 12h, 2d, 1w, or a date; ratios are of runs that lie wholly in it',
    ],
    ['--all', 'The runs of every project of this user'],
    ['--csv', 'Print comma-separated values, with milliseconds and plain numbers'],
  ],
  values: {
    '--by': ['work', 'agent', 'model', 'role', 'run'],
    '--kind': ['fix', 'cycle', 'loop', 'prep'],
    '--since': ['1d', '1w', '4w'],
  },
  examples: ['ratchet stats --by run --since 1w', 'ratchet stats --csv > usage.csv'],
  load: () => import('../run/run-stats.js'),
}
