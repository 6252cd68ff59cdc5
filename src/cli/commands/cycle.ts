// ratchet cycle: begins a dev cycle with a task, or goes on with one by its id.
import { DETACH, PLAIN, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'One agent writes down what is required, one explores and plans, one develops, one validates. They share a workspace',
    'and a board. Each iteration is committed and measured with your test command; what is left goes back to the agent that',
    'can mend it, and into the next iteration. Ends when nothing is left, or with what is left when the budget is spent.',
    'Your working tree is not touched: the result is the branch ratchet/<id>, taken over with `ratchet apply <id>`.',
    'Ctrl-C only stops the watching; the run goes on.',
    '',
    'With --cycle-id a cycle goes on where it was: an open one is followed, and taken out of a pause; one that has ended is',
    'started again under its id. A completed one needs a further task for that: --extend. --max-iterations then counts for',
    'the further task; without one it is iterations in all.',
    '',
    'Nobody is asked between iterations unless you say --interactive. How to work with cycles: docs/dev-cycle.md',
  ],
  arguments: [['[task...]', 'What is to be developed; - reads it from standard input']],
  options: [
    ['--cycle-id <id>', 'Go on with this cycle, instead of a task'],
    ['--extend <text>', 'With --cycle-id: a further task, which begins in the next iteration'],
    ['--auto', 'Take every recommended answer (default)'],
    ['--interactive', 'Ask between iterations'],
    ['--parallel <1-4>', 'Agents that work at the same time (default: 4); no effect in staged'],
    ['--scheduling <parallel|staged>', 'All at once (default), or one after the other'],
    ['--max-iterations <n>', 'Iterations before giving up (default: limits.maxIterations, else 5)'],
    ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
    ['--prep <file>', 'Use this prep package, also where it is for another task'],
    DETACH,
    PLAIN,
  ],
  values: {
    '--cycle-id': ({ runs }) => runs().filter(({ value }) => !/^(WFS|loop)-/.test(value)),
    '--parallel': ['1', '2', '3', '4'],
    '--scheduling': ['parallel', 'staged'],
  },
  examples: [
    'ratchet cycle "add password reset by mail"',
    'ratchet cycle - < task.md',
    'ratchet cycle "speed up the search" --json | jq -r \'.branch\'',
  ],
  run: async (...given) => (await import('../run/run-cycle.js')).run(...given),
}
