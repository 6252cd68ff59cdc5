// ratchet fix: fixes the failing tests of a project.
import { AUTO, DETACH, INTERACTIVE, PLAIN, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Each iteration analyses the failures, lets an agent change the code, runs your test command again, and rolls the',
    'change back if it broke more tests than it repaired. Ends at 100 %, or from 95 % with only low failures (marked',
    'for review), or when the budget is spent; its branch is at the best state that was measured.',
    'Your working tree is not touched: the result is the branch ratchet/<session>, taken over with `ratchet apply <id>`.',
    'Ctrl-C only stops the watching; the run goes on.',
    '',
    'A session that is unfinished, by its files in .workflow or .workflow/active, and that no run has, is taken up; where',
    'there are several, they are listed. A session goes on from its files alone, also where the server has lost it.',
    '',
    'With --ci nobody is asked: open questions get their recommended answer. At the end junit.xml, ctrf.json and summary.md',
    'tell of the last full test run; the summary is also added to the file that GITHUB_STEP_SUMMARY names.',
  ],
  options: [
    [
      '--session <name>',
      'Start a new session, WFS-test-… (default: named after the directory, with a number where taken)',
    ],
    [
      '--resume-session <session>',
      'Go on with this session: follow its run, or start it again where it has not succeeded',
    ],
    ['--max-iterations <n>', 'Iterations before giving up (default: limits.maxIterations, else 5)'],
    ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
    [
      '--generate-tests',
      'Let an agent write tests first; no effect on a session that has its tasks already',
    ],
    ['--ci', 'Run with nobody at the terminal: plain lines on stderr, and reports at the end'],
    ['--ci-dir <dir>', 'Where --ci writes its reports (default: ci in the record of the session)'],
    AUTO,
    INTERACTIVE,
    DETACH,
    PLAIN,
  ],
  values: {
    '--resume-session': ({ runs }) => runs().filter(({ value }) => value.startsWith('WFS-')),
    '--ci-dir': 'files',
  },
  examples: [
    "ratchet fix --json | jq -r '.failures[].test'",
    'ratchet fix --ci --ci-dir test-reports',
  ],
  run: async (...given) => (await import('../run/run-fix.js')).run(...given),
}
