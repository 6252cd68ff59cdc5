// Errors outside of any test, as vitest 4.1 prints them.
import { expect, test } from 'vitest'
import { errorsOutside } from '../../../../src/adapters/test-runners/reports/errors-outside.js'

const LINE = '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯'
const error = (what: string, file?: string): string =>
  `⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯\n${what}\n ❯ b.test.js:1:39\n\n${file === undefined ? '' : `This error originated in "${file}" test file. It doesn't mean the error was thrown inside the file itself, but while it was running.\n`}${LINE}\n\n`
const errors = (...all: string[]): string =>
  `⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught ${all.length} unhandled errors during the test run.\nThis might cause false positive tests. Resolve unhandled errors to make sure your tests are not affected.\n\n${all.join('')}`
const summary = (n: number): string =>
  `\n Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 2 passed (3)\n${n === 0 ? '' : `     Errors  ${n} error${n === 1 ? '' : 's'}\n`}   Start at  15:48:51\n`

test.each<{ why: string; output: string; says: string[] }>(
  // prettier-ignore
  [
  { why: 'none', output: summary(0), says: [] },
  { why: 'one', output: errors(error('Error: boo', 'b.test.js')) + summary(1), says: ['b.test.js: Error: boo'] },
  { why: 'one, the summary before it', output: summary(1) + errors(error('Error: boo', 'b.test.js')), says: ['b.test.js: Error: boo'] },
  { why: 'two of two files', output: errors(error('Error: boo', 'b.test.js'), error('Error: boo', 'c.test.js')) + summary(2), says: ['b.test.js: Error: boo', 'c.test.js: Error: boo'] },
  { why: 'the same twice', output: errors(error('Error: boo', 'b.test.js'), error('Error: boo', 'b.test.js')) + summary(2), says: ['b.test.js: Error: boo'] },
  { why: 'of no file', output: errors(error('Error: [vitest-pool]: Worker forks emitted error.')) + summary(1), says: ['(no file): Error: [vitest-pool]: Worker forks emitted error.'] },
  { why: 'of a global set-up, which leaves no summary', output: errors(error('Error: gs')), says: ['(no file): Error: gs'] },
  { why: 'counted, and not printed', output: summary(3), says: ['(no file): 3 errors outside of any test: see the output'] },
  { why: 'printed by a test that runs vitest, and not counted', output: errors(error('Error: boo', 'b.test.js')) + summary(1) + summary(0), says: [] },
],
)('$why', ({ output, says }) =>
  expect(
    errorsOutside(output, '/project', 'vitest').map(
      (one) => `${one.file}: ${one.error.split('\n', 1)[0] ?? ''}`,
    ),
  ).toEqual(says),
)
