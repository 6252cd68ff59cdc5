// ratchet resume: continues a paused run, or a session, cycle or loop whose run has ended.
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
    'A run that was stopped, blocked or lost, or that failed, is started again under its id and continues where its',
    'record ends. If its iterations are spent, it needs more: --max-iterations, or `ratchet extend`. A completed cycle or',
    'loop needs a further task.',
  ],
  arguments: [ID],
  options: [
    ['--max-iterations <n>', 'Total iterations before giving up; more than the run has now'],
    ['--mode <mode>', 'Mode in which the loop continues: interactive, auto or parallel'],
    AUTO,
    INTERACTIVE,
    SANDBOX,
    DETACH,
    PLAIN,
  ],
  values: {
    '--sandbox': SANDBOX_VALUES,
    '--mode': ['interactive', 'auto', 'parallel'],
  },
  examples: ['ratchet resume WFS-test-shop --detach'],
  load: () => import('../run/run-resume.js'),
}
