// Judges one execution of the test command by its exit, its output and its report.
import type { FileRef } from '../../contract/files.js'
import type { StoredTest } from '../../contract/test-run.js'
import { NO_SECRETS, type Redactor } from '../../core/text/redact.js'
import { ERROR_OUTSIDE, hasRun, notLoaded } from '../../core/test-results/stand-ins.js'
import { lostTests, printedFailures } from '../../core/test-results/summary.js'
import { judgeExecution, type Execution } from '../../core/test-results/test-agreement.js'
import { lastChars } from '../../core/text/test-text.js'
import type { Ended } from '../process/limited.js'
import type { TestPlan } from './command.js'
import { errorsOutside } from './reports/errors-outside.js'
import { readReport, type ReportFormat } from './reports/read-report.js'
import { BrokenReportError, joined, Tests, type Report, type Unloaded } from './reports/report.js'
import { reasonFor } from './reasons.js'
import type { Found } from './reports/report-files.js'

/** What of an execution's input its verdict depends on. */
export type JudgedInput = {
  plan: TestPlan
  cwd: string
  timeoutMs: number
  redact?: Redactor | undefined
  /** See `Execution.workedBefore`. */
  workedBefore: boolean
}

export type Executed =
  | { kind: 'measured'; tests: StoredTest[]; output: FileRef; note?: string }
  /**
   * `reported`: what the report says all the same, where there is one; `unloaded`: entries of the
   * files that it says could not be loaded.
   */
  | {
      kind: 'not_started' | 'cannot_execute'
      reason: string
      tail: string
      output?: FileRef
      reported?: StoredTest[]
      unloaded?: StoredTest[]
    }

/** Longest tail of the output in a result, in characters, as in `NotMeasured.tail`. */
export const TAIL = 2_000

/** Noted once in a run. */
const NOT_EXITED =
  'the test command had written its whole report and did not exit: it was ended, and its exit code was not asked'

/** Returns the tests of an execution, or why it measured nothing. */
export function judged(
  input: JudgedInput,
  ended: Ended & { commandMissing: boolean },
  text: string,
  found: Found,
  output: FileRef | undefined,
): Executed {
  const { plan, cwd, redact = NO_SECRETS } = input
  const read = readReports(found, plan.report.format, cwd, redact)
  const report = 'tests' in read ? read : undefined
  const outside = errorsOutside(text, cwd, plan.runner).map((one) => ({
    ...one,
    error: redact.text(one.error),
  }))
  const { tests, unloaded, uncertain } = withoutLost(
    report ?? { tests: [], unloaded: [], failures: 0 },
    lostTests(plan.runner, text),
    outside,
  )
  const of = (status: StoredTest['status']) => tests.filter((one) => one.status === status).length
  const seen: Execution = {
    runner: plan.runner,
    ...ended,
    report: 'tests' in read ? 'read' : read.state,
    executed: of('passed') + of('flaky') + of('failed'),
    failed: of('failed'),
    skipped: of('skipped'),
    unloaded: unloaded.length,
    unhandled: outside.length,
    uncertain,
    listed: report?.failures ?? 0,
    // Another report may be of another command of the same line.
    printed: plan.report.by === 'path' ? undefined : printedFailures(plan.runner, text),
    workedBefore: input.workedBefore,
  }
  const verdict = judgeExecution(seen)
  if (verdict.kind === 'measured' && output !== undefined)
    return {
      kind: 'measured',
      tests: [...tests, ...standIns(tests, unloaded, outside)],
      output,
      ...noteOf(ended, input.timeoutMs),
    }
  const redacted = redact.text(text.trimEnd())
  const facts = {
    ...seen,
    command: plan.display,
    cwd,
    timeoutMs: ended.extended ? 2 * input.timeoutMs : input.timeoutMs,
    unloaded,
    report: 'tests' in read ? '' : read.where,
    lastLine: redacted.slice(redacted.lastIndexOf('\n') + 1).trim(),
  }
  const problem = verdict.kind === 'measured' ? 'command_missing' : verdict.problem
  return {
    kind: verdict.kind === 'measured' ? 'cannot_execute' : verdict.kind,
    reason: reasonFor(problem, facts),
    tail: lastChars(redacted, TAIL),
    ...(output && { output }),
    ...('tests' in read && {
      reported: tests,
      unloaded: joined(unloaded.filter((one) => one.holdsNoTest !== true).map(notLoaded)),
    }),
  }
}

function noteOf({ finished, extended }: Ended, timeoutMs: number): { note?: string } {
  const longer = `the tests took longer than test.timeout, so it was extended once: set it to "${Math.ceil((3 * timeoutMs) / 60_000)}m"`
  const notes = [...(finished ? [NOT_EXITED] : []), ...(extended ? [longer] : [])]
  return notes.length === 0 ? {} : { note: notes.join('; ') }
}

// A file whose tests ran was loaded: its error came after them. A package without tests has no test
// whose run could repair an entry of its own: its error is gone once it builds.
function standIns(
  tests: readonly StoredTest[],
  unloaded: readonly Unloaded[],
  outside: readonly Unloaded[],
): StoredTest[] {
  const apart = unloaded.filter((one) => one.holdsNoTest === true || hasRun(one.file, tests))
  const errors = new Tests()
  for (const { file, error } of [
    ...apart,
    ...outside.filter((one) => !unloaded.some(({ error: known }) => known === one.error)),
  ])
    errors.add({ file, test: ERROR_OUTSIDE, status: 'failed', error })
  return [...joined(unloaded.filter((one) => !apart.includes(one)).map(notLoaded)), ...errors.list]
}

// A report may call tests passed that never ran because their process died. They took no time;
// their file counts as not loaded.
function withoutLost(
  { tests, unloaded, untimed = [] }: Report,
  lost: number,
  outside: readonly Unloaded[],
): Pick<Report, 'tests' | 'unloaded'> & { uncertain: boolean } {
  if (lost === 0) return { tests, unloaded, uncertain: false }
  if (lost !== untimed.length) return { tests, unloaded, uncertain: true }
  const files = new Set(untimed)
  const error = outside.find((one) => /worker/i.test(one.error))?.error ?? 'its tests did not run'
  return {
    tests: tests.filter(({ file }) => !files.has(file)),
    unloaded: [...unloaded, ...[...files].map((file) => ({ file, error }))],
    uncertain: false,
  }
}

// Keeps the names of files: tests run again by them.
function readReports(
  found: Found,
  format: ReportFormat,
  cwd: string,
  redact: Redactor,
): Report | { state: 'missing' | 'stale' | 'broken'; where: string } {
  if (found.state !== 'found') return found
  try {
    const reports = found.files.map((file) => readReport(file, format, cwd))
    return {
      tests: joined(reports.flatMap((one) => one.tests)).map((one) => ({
        ...one,
        test: redact.text(one.test),
        ...(one.error !== undefined && { error: redact.text(one.error) }),
      })),
      unloaded: reports
        .flatMap((one) => one.unloaded)
        .map((one) => ({ ...one, error: redact.text(one.error) })),
      failures: reports.reduce((sum, one) => sum + one.failures, 0),
      untimed: reports.flatMap((one) => one.untimed ?? []),
    }
  } catch (error) {
    if (error instanceof BrokenReportError)
      return { state: 'broken', where: `${error.file}, ${error.message}` }
    throw error
  }
}
