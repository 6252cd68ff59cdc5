// ratchet extend: more iterations for a test-fix run, a further task for a dev cycle or loop.
import { AUTO, DETACH, ID, INTERACTIVE, PLAIN, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'An open run takes them as it goes; a cycle begins a further task in its next iteration, and adds one where it is in',
    'its last; a loop has it among its tasks at once. A closed run is started again with them, and followed: a session that',
    'has not succeeded, a cycle or loop in any case.',
  ],
  arguments: [ID, ['[text...]', 'fix: how many further iterations; cycle, loop: the further task']],
  options: [
    [
      '--max-iterations <n>',
      'fix: iterations in all, instead of further ones; cycle, loop: iterations for the further task',
    ],
    AUTO,
    INTERACTIVE,
    DETACH,
    PLAIN,
  ],
  examples: [
    'ratchet extend WFS-test-shop 3',
    'ratchet extend cycle-v1-20261120T200203-4k2j9x0q "also expire the links after an hour"',
  ],
  run: async (...given) => (await import('../run/run-extend.js')).run(...given),
}
