// What Ratchet measured, as the agents of a cycle are told: names and errors are bounded, one line each.
import type { TestRun } from '../../contract/test-run.js'
import { code, LINE_SHOWN } from '../one-line.js'
import { fenced } from '../prompt-parts.js'
import { describeRun } from '../test-fix-view.js'

/** Failing tests that a prompt names, flaky ones, and characters of an error. */
export const FAILING_SHOWN = 20
const FLAKY_SHOWN = 10
const ERROR_CHARS = 200
const TAIL_CHARS = 1_500

/** A run with its failing tests; for one that says nothing about the code, why. */
export function measuredLines(run: TestRun): string[] {
  if (run.kind !== 'measured') return ['The tests could not be measured, so there is no pass rate:', '', fenced(run.reason.slice(0, TAIL_CHARS)), '', 'The last lines of the output:', '', fenced(run.tail.slice(-TAIL_CHARS))]
  const shown = run.failures.slice(0, FAILING_SHOWN)
  const more = run.failuresTotal - shown.length
  return [
    `- **Pass rate**: ${describeRun(run)}`,
    `- **Passed**: ${run.passed}, **failed**: ${run.failed}, **skipped**: ${run.skipped}, **flaky**: ${run.flaky}`,
    `- **Output**: ${code(run.output.path)}, where you can read it`,
    ...run.flakyTests.slice(0, FLAKY_SHOWN).map((name) => `- Flaky: ${code(name)}`),
    '',
    ...(run.failuresTotal === 0 ? ['No test fails.'] : ['Failing tests:', '', ...shown.map(failing), ...(more > 0 ? [`- … and ${more} more, not shown`] : [])]),
  ]
}

function failing({ file, test, error, missing }: { file: string; test: string; error: string; missing?: boolean | undefined }): string {
  const why = missing === true ? 'no longer run, or skipped; it ran before' : code(error, ERROR_CHARS)
  return `- ${code(file, LINE_SHOWN)} ${code(test, LINE_SHOWN)}: ${why}`
}
