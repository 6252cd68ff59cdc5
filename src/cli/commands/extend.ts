// ratchet extend: gives a test-fix run more iterations, or a dev cycle or loop a further task.
import {
  AUTO,
  DETACH,
  ID,
  INTERACTIVE,
  PLAIN,
  SANDBOX,
  SANDBOX_VALUES,
  type Definition,
} from '../definition.js'

export const command: Definition = {
  text: [
    'An open run takes them at once: a test-fix run gets more iterations, a cycle starts the task in its next iteration',
    'and adds one if it is in its last, a loop adds it to its tasks. A closed run is started again and followed; a',
    'test-fix session only if it has not succeeded.',
  ],
  arguments: [
    ID,
    ['[text...]', 'fix: number of further iterations; cycle, loop: the further task'],
  ],
  options: [
    [
      '--max-iterations <n>',
      'fix: total iterations instead of further ones; cycle, loop: iterations for the further task',
    ],
    AUTO,
    INTERACTIVE,
    SANDBOX,
    DETACH,
    PLAIN,
  ],
  values: { '--sandbox': SANDBOX_VALUES },
  examples: [
    'ratchet extend WFS-test-shop 3',
    'ratchet extend cycle-v1-20261120T200203-4k2j9x0q "also expire the links after an hour"',
  ],
  load: () => import('../run/run-extend.js'),
}
