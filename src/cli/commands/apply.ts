// ratchet apply: brings what a run committed into the working tree.
import { ID, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Brings the best state that a run measured, as one change, and says how many tests pass before and after it. Nothing is',
    'committed and nothing of yours is overwritten: what conflicts is listed and left to you, with exit code 1. Where the run',
    'broke a test that passed before, it asks; without a terminal it needs --yes.',
  ],
  arguments: [ID],
  options: [['--yes', 'Apply it although tests are broken']],
  examples: ['ratchet apply WFS-test-shop'],
  run: async (...given) => (await import('../run/run-apply.js')).run(...given),
}
