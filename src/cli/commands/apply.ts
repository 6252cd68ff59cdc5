// ratchet apply: brings what a run committed into the working tree.
import { ID, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Applies the best state that a run measured to your working tree, as one change, and prints how many tests pass',
    'before and after it. It commits nothing and overwrites nothing of yours: conflicts are listed for you to resolve,',
    'with exit code 1. If the run broke a test that passed before, or is still open, it asks first; without a terminal',
    'it needs --yes.',
  ],
  arguments: [ID],
  options: [['--yes', 'Apply even if the run broke tests or is still open']],
  examples: ['ratchet apply WFS-test-shop'],
  load: () => import('../run/run-apply.js'),
}
