import { expect, test } from 'vitest'
import {
  judgeExecution,
  lostSuite,
  type Execution,
} from '../../../../src/core/test-results/test-agreement.js'

const GREEN: Execution = {
  runner: 'vitest',
  exitCode: 0,
  signal: null,
  timedOut: false,
  commandMissing: false,
  report: 'read',
  executed: 3,
  failed: 0,
  skipped: 0,
  unloaded: 0,
  unhandled: 0,
  uncertain: false,
  listed: 0,
  printed: undefined,
  finished: false,
  workedBefore: false,
}

// prettier-ignore
const rows: { why: string; seen: Partial<Execution>; says: string }[] = [
  { why: 'all passed, exit 0', seen: {}, says: 'measured' },
  { why: 'one failed, exit 1', seen: { exitCode: 1, failed: 1 }, says: 'measured' },
  { why: 'one failed, exit 1, pytest', seen: { runner: 'pytest', exitCode: 1, failed: 1 }, says: 'measured' },
  { why: 'one failed, exit 2, any other runner', seen: { runner: 'other', exitCode: 2, failed: 1 }, says: 'measured' },
  { why: 'the limit, despite the report', seen: { timedOut: true, exitCode: null }, says: 'not_started timed_out' },
  { why: 'no command', seen: { commandMissing: true, exitCode: null, report: 'missing' }, says: 'cannot_execute command_missing' },
  { why: 'no command where there was one', seen: { commandMissing: true, exitCode: 127, report: 'missing', workedBefore: true }, says: 'not_started command_missing' },
  { why: 'killed, with a report', seen: { exitCode: null, signal: 'SIGKILL' }, says: 'not_started ended_by_signal' },
  { why: 'exit 0 without report', seen: { report: 'missing' }, says: 'cannot_execute no_report' },
  { why: 'exit 0 with a broken report', seen: { report: 'broken' }, says: 'cannot_execute broken_report' },
  { why: 'exit 0 with a stale report', seen: { report: 'stale' }, says: 'cannot_execute stale_report' },
  { why: 'exit 1 without report', seen: { exitCode: 1, report: 'missing' }, says: 'not_started no_report' },
  { why: 'exit 1 with a broken report', seen: { exitCode: 1, report: 'broken' }, says: 'not_started broken_report' },
  { why: 'exit 1 with a stale report', seen: { exitCode: 1, report: 'stale' }, says: 'not_started stale_report' },
  { why: 'failures behind exit 0', seen: { failed: 1 }, says: 'cannot_execute exit_hides_failures' },
  { why: 'an unloaded file behind exit 0', seen: { unloaded: 1 }, says: 'cannot_execute exit_hides_failures' },
  { why: 'an unloaded file with passed tests', seen: { exitCode: 1, unloaded: 1 }, says: 'measured' },
  { why: 'an unloaded file with failed tests', seen: { exitCode: 1, unloaded: 1, failed: 1 }, says: 'measured' },
  { why: 'an unloaded file, and nothing that runs', seen: { exitCode: 1, unloaded: 1, executed: 0 }, says: 'not_started unloaded_files' },
  { why: 'an unloaded file, and only skipped tests where some ran', seen: { exitCode: 1, unloaded: 1, executed: 0, skipped: 2, workedBefore: true }, says: 'not_started unloaded_files' },
  { why: 'an error outside of tests with failed tests', seen: { exitCode: 1, failed: 1, unhandled: 1 }, says: 'measured' },
  { why: 'an error outside of tests with passed tests', seen: { exitCode: 1, unhandled: 1 }, says: 'measured' },
  { why: 'an error outside of tests that the command allows', seen: { unhandled: 1 }, says: 'measured' },
  { why: 'an error outside of tests, and nothing that runs', seen: { exitCode: 1, unhandled: 1, executed: 0 }, says: 'not_started unhandled_errors' },
  { why: 'some unknown tests called passed never ran', seen: { exitCode: 1, unhandled: 1, uncertain: true }, says: 'not_started unhandled_errors' },
  { why: 'fewer failures in the report than printed', seen: { exitCode: 1, failed: 1, listed: 1, printed: 2 }, says: 'cannot_execute report_differs' },
  { why: 'the same where an earlier run was measured', seen: { printed: 2, workedBefore: true }, says: 'not_started report_differs' },
  { why: 'more failures in the report than printed', seen: { exitCode: 1, failed: 3, listed: 3, printed: 2 }, says: 'measured' },
  { why: 'ended behind its complete report, all passed', seen: { exitCode: null, signal: 'SIGTERM', finished: true }, says: 'measured' },
  { why: 'ended behind its complete report, one failed', seen: { exitCode: null, signal: 'SIGTERM', finished: true, failed: 1 }, says: 'measured' },
  { why: 'the same with pytest', seen: { runner: 'pytest', exitCode: null, signal: 'SIGTERM', finished: true, failed: 1 }, says: 'measured' },
  { why: 'ended behind a complete report that has no tests', seen: { exitCode: null, signal: 'SIGTERM', finished: true, executed: 0 }, says: 'cannot_execute no_tests' },
  { why: 'pytest exit 2 with results', seen: { runner: 'pytest', exitCode: 2, failed: 1 }, says: 'not_started runner_error' },
  { why: 'pytest that stops at a file that it cannot load', seen: { runner: 'pytest', exitCode: 2, unloaded: 1 }, says: 'not_started unloaded_files' },
  { why: 'pytest exit 3 with results', seen: { runner: 'pytest', exitCode: 3, failed: 1 }, says: 'not_started runner_error' },
  { why: 'pytest exit 5, no tests', seen: { runner: 'pytest', exitCode: 5, executed: 0 }, says: 'cannot_execute no_tests' },
  { why: 'nextest: tests failed', seen: { runner: 'nextest', exitCode: 100, failed: 1 }, says: 'measured' },
  { why: 'nextest: a failed set-up script with failed tests', seen: { runner: 'nextest', exitCode: 105, failed: 1 }, says: 'not_started runner_error' },
  { why: 'nextest: nothing to run', seen: { runner: 'nextest', exitCode: 4, executed: 0 }, says: 'cannot_execute no_tests' },
  { why: 'mocha: as many failures as its exit code', seen: { runner: 'mocha', exitCode: 3, failed: 3 }, says: 'measured' },
  { why: 'no tests, exit 0', seen: { executed: 0 }, says: 'cannot_execute no_tests' },
  { why: 'no tests where there were some', seen: { executed: 0, workedBefore: true }, says: 'not_started no_tests' },
  { why: 'only skipped tests', seen: { executed: 0, skipped: 2 }, says: 'cannot_execute no_tests' },
  { why: 'only skipped tests where some ran', seen: { executed: 0, skipped: 2, workedBefore: true }, says: 'measured' },
  { why: 'exit 1 though nothing failed', seen: { exitCode: 1 }, says: 'not_started exit_without_failures' },
]
test.each(rows)('$why -> $says', ({ seen, says }) => {
  const verdict = judgeExecution({ ...GREEN, ...seen })
  expect(verdict.kind === 'measured' ? verdict.kind : `${verdict.kind} ${verdict.problem}`).toBe(
    says,
  )
})

test.each([
  { why: 'the project has no tests yet', hadSuite: false, is: undefined },
  { why: 'there was one', hadSuite: true, is: 'not_started' },
])('a commit without a test command: $why', ({ hadSuite, is }) => {
  expect(lostSuite('c1', 'no test command was found', hadSuite)?.kind).toBe(is)
})
