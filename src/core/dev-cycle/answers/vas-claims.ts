// Compares VAS's claims about the tests with Ratchet's measurement. A claim decides nothing; one
// that differs is reported, and one that repeats a measured failure is no second issue.
import { knownBefore } from '../../run/known-before.js'
import type { Claimed } from '../../../contract/dev-cycle/phase-reading.js'
import type { Measured } from '../../../contract/test-run.js'
import { passRate } from '../../test-results/pass-rate.js'
import { meantRemovals } from '../../test-results/removed-tests.js'
import { firstSentence } from '../../text/short-text.js'
import { textKey } from '../documents/same-text.js'

/** How far a claimed pass rate may be from the measured one, in points: what rounding takes. */
export const CLAIM_TOLERANCE = 0.1

/** Shortest name of a test that can be told apart from ordinary words. */
const NAME_CHARS = 4

/**
 * What differs between a claim and the run it is about, in one sentence; `undefined` where nothing
 * does.
 *
 * Tests that VAS names as removed on purpose count neither way: it may leave them out of its rate
 * or count them as failing. An empty list of failed tests may also be one that was not given: it
 * claims something only where VAS says nothing else about the tests.
 */
export function falseClaim(claimed: Claimed, measured: Measured): string | undefined {
  const removed = meantRemovals(measured, claimed.removedTests ?? []).total
  const run = { passed: measured.passed, total: measured.total - removed }
  // What failed before the run keeps nothing from being ready.
  const fails = run.passed + (knownBefore(measured)?.total ?? 0) < run.total
  const isRate = (rate: number): boolean => isMeasured(rate, run) || isMeasured(rate, measured)
  const wrong = [
    ...(claimed.passRate === null || isRate(claimed.passRate)
      ? []
      : [`a pass rate of ${claimed.passRate} %`]),
    ...(claimed.ready === true && fails ? ['that it is ready for production'] : []),
    ...(fails &&
    claimed.failedTests.length === 0 &&
    claimed.passRate === null &&
    claimed.ready === null
      ? ['no failing test']
      : []),
  ]
  return wrong.length === 0
    ? undefined
    : `claimed ${wrong.join(' and ')}; measured: ${passRate(run.passed, run.total)} % (${run.passed} of ${run.total}${removed === 0 ? '' : `, without ${removed} removed on purpose`})`
}

// 100 is the one number that must not be reached by rounding.
function isMeasured(claimed: number, run: Pick<Measured, 'passed' | 'total'>): boolean {
  if (claimed === 100) return run.passed === run.total
  return Math.abs(claimed - (run.passed * 100) / run.total) <= CLAIM_TOLERANCE + 1e-9
}

/**
 * Whether a text says of a measured failing test that it fails: in words, by its name alone, or by
 * its name before its file or its error, as a list of failures has them.
 */
export function repeatsFailure(text: string, run: Measured): boolean {
  const said = ` ${textKey(text)} `
  const fails = /\b(fail\w*|errors?|broken|not pass\w*)\b/.test(said)
  return run.failures.some(({ test, file, error }) => {
    const names = [test, test.split(' > ').at(-1) ?? '', `${file} ${test}`].map(textKey)
    const about = [file, firstSentence(error)]
      .filter((one) => one.trim() !== '')
      .map((one) => ` ${textKey(one)} `)
    return names.some(
      (name) =>
        said.trim() === name ||
        (said.startsWith(` ${name} `) &&
          about.some((one) => said.slice(name.length + 1).includes(one))) ||
        (name.length >= NAME_CHARS &&
          said.includes(` ${name} `) &&
          (fails || name.length * 2 >= said.length)),
    )
  })
}
