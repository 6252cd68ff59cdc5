// ratchet answer: answers the open questions of a run, or lists them.
import { ID, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Without an answer, asks every open question in turn; without a terminal or with --json, lists them.',
    'Between the iterations of an interactive cycle, `extend` adds a further task. Text after `finish`, `stop` or `exit`',
    'becomes part of the reason; after any other choice of a menu it reaches the agents. A decision of a cycle and a',
    'question of a loop also accept free text. An approval takes `approve`, `stop`, or the change that you want in your',
    'own words.',
    'For a test-fix run that ended with proposed test changes, `accept` applies exactly these patches and starts the run',
    'again; `refuse` rejects them.',
  ],
  arguments: [
    ID,
    ['[answer...]', 'One of the options, or free text (default: ask each open question)'],
  ],
  options: [['--question <id>', 'Question to answer if several are open']],
  examples: [
    'ratchet answer WFS-test-shop allow',
    'ratchet answer WFS-test-shop accept',
    'ratchet answer cycle-v1-20261120T200203-4k2j9x0q extend "also write the docs"',
  ],
  load: () => import('../run/run-answer.js'),
}
