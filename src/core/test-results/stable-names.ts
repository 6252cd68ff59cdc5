// Tests whose names differ from run to run, as with a random number or the date in them: they are
// compared by count.
//
// A file is listed twice on one commit when tests of it are first missing. A name that is not in
// both listings is unstable. Tests with unstable names get numbers in the order passed, flaky,
// failed, skipped, so that runs with equal counts have equal names, and every other rule compares
// them as it compares all tests.
import type { StoredRun, StoredTest, TestListing } from '../../contract/test-run.js'
import { isStandIn } from './stand-ins.js'

const UNSTABLE = '(name differs from run to run) '
const ORDER: readonly StoredTest['status'][] = ['passed', 'flaky', 'failed', 'skipped']

type Named = { file: string; test: string }

/** Whether a name is the number of a test with an unstable name. */
export function isNumbered({ test }: Named): boolean {
  return test.startsWith(UNSTABLE)
}

/**
 * Compares a second listing of some files with the first one. `known`: what earlier listings said.
 */
export function listedAgain(
  known: readonly TestListing[],
  files: readonly string[],
  first: readonly Named[],
  second: readonly Named[],
): TestListing[] {
  const namesIn = (tests: readonly Named[], file: string): string[] =>
    tests
      .filter((one) => one.file === file && !isStandIn(one) && !isNumbered(one))
      .map(({ test }) => test)
  const now = new Map(known.map((one) => [one.file, one]))
  for (const file of files) {
    const then = now.get(file)?.stable ?? namesIn(first, file)
    const there = new Set(namesIn(second, file))
    const stable = then.filter((name) => there.has(name))
    // A file that ran no test the second time says nothing of its names.
    const isStable =
      there.size === 0 || (stable.length === then.length && now.get(file)?.stable === undefined)
    now.set(file, isStable ? { file } : { file, stable })
  }
  return [...now.values()]
}

/**
 * Whether another listing of a file may say more: none was made, or some of its names are unstable.
 */
export function mayBeUnstable(listings: readonly TestListing[], file: string): boolean {
  const known = listings.find((one) => one.file === file)
  return known === undefined || known.stable !== undefined
}

/** Tests with numbers in place of unstable names. The name of a failing test is in its error. */
export function withStableNames(
  tests: readonly StoredTest[],
  listings: readonly TestListing[],
): StoredTest[] {
  const isUnstable = unstableIn(listings)
  const numbers = new Map<string, number>()
  const renamed = tests
    .filter(isUnstable)
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
    .map((one): StoredTest => {
      const n = (numbers.get(one.file) ?? 0) + 1
      numbers.set(one.file, n)
      // Behind a blank line: it is no part of the failure's signature.
      return {
        ...one,
        test: `${UNSTABLE}${n}`,
        ...(one.status === 'failed'
          ? { error: `${one.error ?? ''}\n\nits name in this run: ${one.test}`.trimStart() }
          : {}),
      }
    })
  return renamed.length === 0
    ? [...tests]
    : [...tests.filter((one) => !isUnstable(one)), ...renamed]
}

/** The same of a stored run. */
export function runWithStableNames(run: StoredRun, listings: readonly TestListing[]): StoredRun {
  const isUnstable = unstableIn(listings)
  const isKept = (one: Named): boolean => !isUnstable(one)
  return {
    ...run,
    tests: withStableNames(run.tests, listings),
    missing: run.missing.filter(isKept),
    ...(run.memory === undefined ? {} : { memory: run.memory.filter(isKept) }),
  }
}

function unstableIn(listings: readonly TestListing[]): (one: Named) => boolean {
  const stable = new Map(
    listings.flatMap((one) =>
      one.stable === undefined ? [] : [[one.file, new Set(one.stable)] as const],
    ),
  )
  return (one) =>
    stable.get(one.file)?.has(one.test) === false && !isStandIn(one) && !isNumbered(one)
}
