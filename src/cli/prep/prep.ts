// ratchet prep: makes the prep package that a cycle or a loop reads.
import { PREP_FOR } from '../../contract/prep/prep-input.js'
import { DETACH, PLAIN, SANDBOX, SANDBOX_VALUES, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'An agent reads the project and refines the task: objective, success criteria, scope, constraints and context, with',
    'the sources to read; for a loop also the tasks that are ready. It asks you what the project does not say. Ratchet',
    'checks its draft, looks up the sources and the test runner, and writes the package that `ratchet cycle` or',
    '`ratchet loop` reads. Nothing else changes: what the agent does to its copy of the project is discarded.',
    'Ctrl-C stops following; the preparation continues.',
    '',
    'A package that was there before is copied into the record. More: docs/prep.md',
  ],
  arguments: [
    ['<command>', 'cycle or loop: the command that reads the package'],
    ['[task...]', 'Task to prepare; - reads it from standard input'],
  ],
  options: [
    ['--auto', 'Ask nothing: what the agent recommends is an assumption in the package'],
    ['--interactive', 'Ask you what the project does not say (default)'],
    ['--edit', 'Then open the package in $VISUAL or $EDITOR, and check it again'],
    SANDBOX,
    DETACH,
    PLAIN,
  ],
  values: { '<command>': PREP_FOR, '--sandbox': SANDBOX_VALUES },
  examples: [
    'ratchet prep cycle "add password reset by mail"',
    'ratchet prep loop "speed up the search" --auto',
    'ratchet prep cycle - --edit < task.md',
  ],
  load: () => import('./run-prep.js'),
}
