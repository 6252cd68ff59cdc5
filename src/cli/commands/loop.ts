// ratchet loop: starts a dev loop with a task, or continues one by its id.
import { DETACH, PLAIN, SANDBOX, SANDBOX_VALUES, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'init breaks the task down; develop, debug and validate work on it, each with its own agent; complete sums it up.',
    'Mode interactive (default) shows a menu after each action, with a recommendation. Mode auto follows the state of the',
    'work: develop while tasks are pending, then validate, and debug if that fails. Mode parallel runs develop, debug and',
    'validate at the same time, each in its own clone, and merges their changes; conflicts are a question to you.',
    'Each action is committed, and a validation runs your tests. Your working tree is not touched. The result is the',
    'branch ratchet/<id>; apply it with `ratchet apply <id>`.',
    'Ctrl-C stops following, also at a question; the loop stays as it is. Choose exit to end it for now.',
    '',
    '--loop-id continues a loop: an open one is followed, and resumed if it is paused; one that has ended is started',
    'again under its id, in its mode or the one of --mode. A completed loop needs a further task: --extend.',
    '--max-iterations then applies to the further task; without --extend it is the total.',
    '',
    'Without a terminal, questions are shown with the command that answers them. More: docs/dev-loop.md',
  ],
  arguments: [['[task...]', 'Task to work on; - reads it from standard input']],
  options: [
    ['--loop-id <id>', 'Continue this loop, instead of a task'],
    [
      '--mode <mode>',
      'interactive (default), auto or parallel; with --loop-id it replaces the mode of the loop',
    ],
    ['--auto', 'Same as --mode auto'],
    [
      '--interactive',
      'Mode interactive, and approve the breakdown into tasks before the first action',
    ],
    ['--extend <text>', 'With --loop-id: a further task'],
    [
      '--max-iterations <n>',
      'Actions in mode auto, rounds in parallel (default: limits.maxIterations, else 10)',
    ],
    ['--prep <file>', 'Use this prep package, even if it was written for another task'],
    ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
    SANDBOX,
    DETACH,
    PLAIN,
  ],
  values: {
    '--sandbox': SANDBOX_VALUES,
    '--loop-id': ({ runs }) => runs().filter(({ value }) => !/^(WFS|cycle|prep)-/.test(value)),
    '--mode': ['interactive', 'auto', 'parallel'],
  },
  examples: [
    'ratchet loop "add password reset by mail"',
    'ratchet loop "speed up the search" --mode auto',
    'ratchet loop --loop-id loop-b-20261120T200203-4k2j9x0q --mode parallel',
  ],
  load: () => import('../run/run-loop.js'),
}
