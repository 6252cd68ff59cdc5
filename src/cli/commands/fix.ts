// ratchet fix: fixes the failing tests of a project.
import { AUTO, DETACH, INTERACTIVE, PLAIN, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Each iteration analyses the failures, lets an agent change the code, and runs your test command. A fix that costs',
    'more than 10 points of the pass rate, or breaks more tests than it repairs, is rolled back. The run ends at 100 %,',
    'from 95 % with only low failures (marked for review), or when the budget is spent. Its branch is then at the best',
    'state that was measured.',
    'Your working tree is not touched. The result is the branch ratchet/<session>; apply it with `ratchet apply <id>`.',
    'Ctrl-C stops following; the run continues.',
    '',
    'An unfinished session in .workflow or .workflow/active that no run works on is continued; if there are several, they',
    'are listed. A session continues from its files alone, even if the server has lost it.',
    '',
    '--interactive waits for your approval of each plan before its fix is made, and of tests before and after they are',
    'written. At the end it offers to apply the branch. More: docs/approvals.md',
    '',
    '--generate-tests measures coverage first and writes nothing where nothing is missing. Written tests pass two gates:',
    'their code, and their quality with measured coverage, assertions and mutants of the code under test. It has no effect',
    'on a session that already has tasks.',
    '',
    '--ci asks nothing: every question gets its recommended answer. At the end it writes junit.xml, ctrf.json and',
    'summary.md about the last full test run, and adds the summary to the file that GITHUB_STEP_SUMMARY names.',
  ],
  options: [
    ['--session <name>', 'Start a new session, WFS-test-… (default: named after the directory)'],
    [
      '--resume-session <session>',
      'Continue this session: follow its run, or start it again if it has not succeeded',
    ],
    ['--max-iterations <n>', 'Iterations before giving up (default: limits.maxIterations, else 5)'],
    ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
    [
      '--generate-tests [what]',
      'Let an agent write missing tests first: for these words, for what @file asks for, or for all code',
    ],
    ['--from <run>', 'With --generate-tests: for what an earlier session, cycle or loop changed'],
    [
      '--follow-up <n>',
      'Start what an archived run left to do; `ratchet archive` lists the numbers',
    ],
    ['--ci', 'Run unattended: plain lines on stderr, and reports at the end'],
    [
      '--ci-dir <dir>',
      'Directory for the reports of --ci (default: ci in the record of the session)',
    ],
    AUTO,
    INTERACTIVE,
    DETACH,
    PLAIN,
  ],
  values: {
    '--resume-session': ({ runs }) => runs().filter(({ value }) => value.startsWith('WFS-')),
    '--from': ({ runs }) => runs(),
    '--ci-dir': 'files',
  },
  examples: [
    "ratchet fix --json | jq -r '.failures[].test'",
    'ratchet fix --ci --ci-dir test-reports',
    'ratchet fix --generate-tests "the parser"',
    'ratchet fix --generate-tests @docs/parser.md',
  ],
  load: () => import('../run/run-fix.js'),
}
