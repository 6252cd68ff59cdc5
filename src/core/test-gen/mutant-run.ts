// What the tests say of a mutant: whether one that passed without it fails with it.
import type { StoredTest } from '../../contract/test-run.js'
import { testId } from '../test-results/test-merge.js'

/**
 * `killed`: a test that passed fails, or the tests no longer end. `survived`: all of them pass
 * still. `void`: the code cannot be loaded with it, so it says nothing of the tests.
 */
export type MutantOutcome = 'killed' | 'survived' | 'void'

/** Tests that passed without a mutant, in the files that are asked. */
export function passingIn(tests: readonly StoredTest[], files: readonly string[]): Set<string> {
  return new Set(
    tests
      .filter(({ file, status }) => status === 'passed' && files.includes(file))
      .map((one) => testId(one)),
  )
}

/**
 * @param tests what the run with the mutant reports; `undefined` where it reports nothing
 *
 * @param timedOut it did not end within several times the time that it needs without one
 */
export function mutantOutcome(
  passing: ReadonlySet<string>,
  tests: readonly StoredTest[] | undefined,
  timedOut: boolean,
): MutantOutcome {
  const own = (tests ?? []).filter((one) => passing.has(testId(one)))
  if (timedOut || own.some(({ status }) => status === 'failed')) return 'killed'
  return own.length === passing.size && own.every(({ status }) => status === 'passed')
    ? 'survived'
    : 'void'
}

/** Limit of a run with a mutant, given how long it takes without one, in milliseconds. */
export function mutantLimit(withoutMs: number): number {
  return 3 * withoutMs + 10_000
}
