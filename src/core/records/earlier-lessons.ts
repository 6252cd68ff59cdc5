// What earlier sessions of the project learned about failures like these, for the next analysis.
import { errorPattern, helped, namesOf, type KnownFix } from '../test-fix/fix-history-match.js'

/** What worked and what did not, the closest first. */
export type EarlierLessons = { worked: KnownFix[]; failed: KnownFix[] }

/** Most fixes of each list. */
const FIXES = 5
/** Letters that an error needs, so that it says something about its cause. */
const LETTERS = 8
const SAME_TEST = 1_000

type Failing = { test: string; file: string; error: string }

/**
 * Returns the fixes of other sessions for the same tests or the same errors. A repair that was
 * rolled back, or changed nothing, says what does not work.
 */
export function earlierLessons(
  failures: readonly Failing[],
  fixes: readonly KnownFix[],
  session: string,
): EarlierLessons {
  const tests = namesOf(failures)
  const errors = new Set(failures.map(({ error }) => patternOf(error)).filter((one) => one !== ''))
  const near = fixes
    .filter((fix) => fix.session !== session && fix.modification_points.length > 0)
    .map((fix, age) => ({ fix, age, score: scoreOf(fix, tests, errors) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.age - a.age)
    .map(({ fix }) => fix)
  return {
    worked: near.filter(helped).slice(0, FIXES),
    failed: near.filter((fix) => !helped(fix)).slice(0, FIXES),
  }
}

function scoreOf(fix: KnownFix, tests: Set<string>, errors: Set<string>): number {
  return fix.failures.reduce(
    (sum, failure) =>
      sum +
      (tests.has(nameOf(failure)) ? SAME_TEST : 0) +
      (errors.has(patternOf(failure.error)) ? 1 : 0),
    0,
  )
}

const nameOf = ({ file, test }: Failing): string => `${file} > ${test}`

// An error without words is like any other.
function patternOf(error: string): string {
  const pattern = errorPattern(error)
  return pattern.replace(/[^\p{L}]/gu, '').length < LETTERS ? '' : pattern
}
