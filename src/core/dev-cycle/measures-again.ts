// Whether a cycle runs the suite once more on a commit that it has measured. The cause of a failure
// may lie outside of the commit: a database that was away, a test that is flaky.
import type { TestRun } from '../../contract/test-run.js'
import type { OpenItem } from '../run/open-evidence.js'

const OF_TESTS: readonly OpenItem['kind'][] = ['test', 'missing_test', 'not_measured']

/**
 * @param run the last run of the commit
 * @param items what is open of it
 * @param answered CD has ended a turn since, and changed nothing
 */
export function measuresAgain({
  run,
  items,
  answered,
}: {
  run: TestRun
  items: readonly OpenItem[]
  answered: boolean
}): boolean {
  return run.kind !== 'measured' || (answered && items.some(({ kind }) => OF_TESTS.includes(kind)))
}
