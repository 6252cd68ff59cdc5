// ratchet answer: answers the open questions of a run, or lists them.
import { ID, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Without an answer every open question is asked, one after the other; where nobody sits at a terminal, or with --json,',
    'they are listed. Between the iterations of an interactive cycle `extend` takes the further task along, and words behind',
    'another choice of a menu reach the agents. A decision of a cycle and a question of a loop also take own words.',
    'A test-fix run that has ended with proposed test changes takes `accept`, which applies exactly these patches and',
    'starts the run again, or `refuse`.',
  ],
  arguments: [
    ID,
    ['[answer...]', 'One of the options, or text; without it each open question is asked'],
  ],
  options: [['--question <id>', 'Which question, where several are open']],
  examples: [
    'ratchet answer WFS-test-shop allow',
    'ratchet answer WFS-test-shop accept',
    'ratchet answer cycle-v1-20261120T200203-4k2j9x0q extend "also write the docs"',
  ],
  run: async (...given) => (await import('../run/run-answer.js')).run(...given),
}
