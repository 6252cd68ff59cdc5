// How many tests passed, failed and were skipped, from the JSON reports of Vitest.
import { readFileSync } from 'node:fs'

/** Counts of a report; a report that is not there is one failure: its run ended before it could write one. */
export function readReport(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    // A file that does not load fails no test of its own.
    return {
      passed: numPassedTests,
      failed: success ? numFailedTests : Math.max(1, numFailedTests),
      skipped: numPendingTests + numTodoTests,
    }
  } catch (error) {
    if (!(error instanceof SyntaxError) && error.code !== 'ENOENT') throw error
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** The plain closing line of a run. */
export function sumOf(counts) {
  const sum = (key) => counts.reduce((all, one) => all + one[key], 0)
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`
}
