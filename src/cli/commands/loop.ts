// ratchet loop: begins a dev loop with a task, or goes on with one by its id.
import { DETACH, PLAIN, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'init breaks the task down; develop, debug and validate work on it, each by an agent of its own; complete sums it up.',
    'interactive (default) asks after each action what is next: the menu, with what is recommended. auto goes by the state',
    'of the work: develop while tasks are pending, validate, debug where that fails. parallel has develop, debug and validate',
    'work side by side, each in a clone, and merges what they did; where two changed the same lines you are asked.',
    'What an action did is committed, and a validation is measured with your tests. Your working tree is not touched: the',
    'result is the branch ratchet/<id>, taken over with `ratchet apply <id>`.',
    'Ctrl-C only stops the watching, also at a question; the loop stays as it is. Choosing exit ends it for now.',
    '',
    'With --loop-id a loop goes on where it was: an open one is followed, and taken out of a pause; one that has ended is',
    'started again under its id, in its mode or in that of --mode. A completed one needs a further task: --extend.',
    '--max-iterations then counts for the further task; without one it is iterations in all.',
    '',
    'Where nobody sits at a terminal, questions are shown with the command that answers them. More: docs/dev-loop.md',
  ],
  arguments: [['[task...]', 'What is to be done; - reads it from standard input']],
  options: [
    ['--loop-id <id>', 'Go on with this loop, instead of a task'],
    [
      '--mode <mode>',
      'interactive (default), auto or parallel; of a loop that goes on it replaces the one before',
    ],
    ['--auto', 'The same as --mode auto'],
    ['--interactive', 'The same as --mode interactive'],
    ['--extend <text>', 'With --loop-id: a further task'],
    [
      '--max-iterations <n>',
      'Actions in mode auto, rounds in parallel (default: limits.maxIterations, else 10)',
    ],
    ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
    DETACH,
    PLAIN,
  ],
  values: {
    '--loop-id': ({ runs }) => runs().filter(({ value }) => !/^(WFS|cycle)-/.test(value)),
    '--mode': ['interactive', 'auto', 'parallel'],
  },
  examples: [
    'ratchet loop "add password reset by mail"',
    'ratchet loop "speed up the search" --mode auto',
    'ratchet loop --loop-id loop-b-20261120T200203-4k2j9x0q --mode parallel',
  ],
  run: async (...given) => (await import('../run/run-loop.js')).run(...given),
}
