// ratchet cycle: starts a dev cycle with a task, or continues one by its id.
import { DETACH, PLAIN, SANDBOX, SANDBOX_VALUES, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'One agent writes requirements, one explores and plans, one develops, one validates. They share a workspace and a',
    'board. Each iteration is committed and measured with your test command. Open items go back to the agent that can',
    'resolve them, and into the next iteration. The cycle ends when nothing is open or the budget is spent.',
    'Your working tree is not touched. The result is the branch ratchet/<id>; apply it with `ratchet apply <id>`.',
    'Ctrl-C stops following; the run continues.',
    '',
    '--cycle-id continues a cycle: an open one is followed, and resumed if it is paused; one that has ended is started',
    'again under its id. A completed cycle needs a further task: --extend. --max-iterations then applies to the further',
    'task; without --extend it is the total.',
    '',
    'The cycle asks nothing between iterations unless you pass --interactive. How to work with cycles: docs/dev-cycle.md',
  ],
  arguments: [['[task...]', 'Task to develop; - reads it from standard input']],
  options: [
    ['--cycle-id <id>', 'Continue this cycle, instead of a task'],
    ['--extend <text>', 'With --cycle-id: a further task, which starts in the next iteration'],
    ['--auto', 'Accept every recommended answer (default)'],
    ['--interactive', 'Approve the plan before development starts, and ask between iterations'],
    ['--parallel <1-4>', 'Agents that work at the same time (default: 4); no effect with staged'],
    ['--scheduling <parallel|staged>', 'All at once (default), or one after the other'],
    ['--max-iterations <n>', 'Iterations before giving up (default: limits.maxIterations, else 5)'],
    ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
    ['--prep <file>', 'Use this prep package, even if it was written for another task'],
    SANDBOX,
    DETACH,
    PLAIN,
  ],
  values: {
    '--sandbox': SANDBOX_VALUES,
    '--cycle-id': ({ runs }) => runs().filter(({ value }) => !/^(WFS|loop|prep)-/.test(value)),
    '--parallel': ['1', '2', '3', '4'],
    '--scheduling': ['parallel', 'staged'],
  },
  examples: [
    'ratchet cycle "add password reset by mail"',
    'ratchet cycle - < task.md',
    'ratchet cycle "speed up the search" --json | jq -r \'.branch\'',
  ],
  load: () => import('../run/run-cycle.js'),
}
