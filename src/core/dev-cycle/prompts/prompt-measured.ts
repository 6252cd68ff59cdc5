// Describes Ratchet's measurements to the agents of a cycle: names and errors are bounded, one line
// each.
import { knownBefore } from '../../run/known-before.js'
import type { TestFailure, TestRun } from '../../../contract/test-run.js'
import { code, LINE_SHOWN } from '../../text/one-line.js'
import { fenced, section } from '../../prompts/prompt-parts.js'
import { describeRun } from '../../run/describe-run.js'
import { shownId } from '../../test-results/test-merge.js'

/** Failing tests that a prompt names, flaky ones, and characters of an error. */
export const FAILING_SHOWN = 20
const FLAKY_SHOWN = 10
const ERROR_CHARS = 200
/** Characters of an error, and of the name of a file. A test keeps its own name whole. */
export type FailureDetail = { error: number; file: number }
const WHOLE: FailureDetail = { error: ERROR_CHARS, file: LINE_SHOWN }
const TAIL_CHARS = 1_500

/** A run with its failing tests; for one that says nothing about the code, why. */
export function measuredLines(run: TestRun, detail = WHOLE): string[] {
  if (run.kind !== 'measured')
    return [
      'The tests could not be measured, so there is no pass rate:',
      '',
      fenced(run.reason.slice(0, TAIL_CHARS)),
      '',
      'The last lines of the output:',
      '',
      fenced(run.tail.slice(-TAIL_CHARS)),
    ]
  const shown = run.failures.slice(0, FAILING_SHOWN)
  const more = run.failuresTotal - shown.length
  return [
    `- **Pass rate**: ${describeRun(run)}`,
    `- **Passed**: ${run.passed}, **failed**: ${run.failed}, **skipped**: ${run.skipped}, **flaky**: ${run.flaky}`,
    `- **Output**: ${code(run.output.path)}, where you can read it`,
    ...run.flakyTests.slice(0, FLAKY_SHOWN).map((name) => `- Flaky: ${code(name)}`),
    '',
    ...(run.failuresTotal === 0
      ? ['No test fails.']
      : [
          'Failing tests:',
          '',
          ...shown.map((one) => failing(one, knownBefore(run)?.tests ?? [], detail)),
          ...(more > 0 ? [`- … and ${more} more, not shown`] : []),
        ]),
  ]
}

function failing(one: TestFailure, known: readonly string[], detail: FailureDetail): string {
  const { file, test, error, missing } = one
  const why =
    missing === true ? 'no longer run, or skipped; it ran before' : code(error, detail.error)
  return `- ${code(file, detail.file)} ${code(test, LINE_SHOWN)}${known.includes(shownId(one)) ? ' (failed before the run, too)' : ''}: ${why}`
}

/** The section for who repairs what fails; empty where nothing fails. */
export function failingSection(run: TestRun | undefined, detail?: FailureDetail): string {
  if (run === undefined || (run.kind === 'measured' && run.failuresTotal === 0)) return ''
  return section('## MEASURED BY RATCHET', measuredLines(run, detail))
}
