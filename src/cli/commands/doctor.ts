// ratchet doctor: checks the machine and the project, and says how to fix what is wrong.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'FAIL keeps runs from working. warn does not: it reports what is slow, or what dead processes left behind.',
    '--fix removes files and processes of runs whose worker died, and workspaces of deleted projects that hold no',
    'commits; it writes the ignore file of .workflow and registers search attributes. It asks before each repair.',
  ],
  options: [
    ['--explain', 'Explain each check'],
    ['--fix', 'Make the repairs that are safe; asks before each'],
    ['--yes', 'With --fix: do not ask'],
    ['--sandbox', 'Prove the sandboxes that are installed, and try the tests in one'],
  ],
  examples: ['ratchet doctor --fix', "ratchet doctor --json | jq '.checks[] | select(.ok | not)'"],
  load: () => import('../run/run-doctor.js'),
}
