// Replaces the results of some test files in an earlier run: after a person has accepted a change
// to those files, the run of that change is what later runs are compared with.
import type { StoredRun } from '../../contract/test-run.js'
import type { Earlier } from './settle.js'
import { isNotLoaded } from './stand-ins.js'
import { testId } from './test-merge.js'

type Results = Pick<StoredRun, 'tests' | 'missing'>

/**
 * The tests of some files that a run misses, by id: a change of these files cannot be what lost
 * them. In a file that could not be loaded no test is lost for itself.
 */
export function lostBefore(
  before: Results | undefined,
  files: readonly string[],
): ReadonlySet<string> {
  const unloaded = new Set(before?.tests.filter(isNotLoaded).map(({ file }) => file))
  const lost = before?.missing.filter(({ file }) => files.includes(file) && !unloaded.has(file))
  return new Set(lost?.map(testId))
}

/**
 * A run without the tests of some files, and without what it knows of them.
 *
 * @param lost see `lostBefore`: the run keeps these tests, so they stay missing
 */
export function withoutFiles<R extends Results & Pick<StoredRun, 'memory' | 'listings'>>(
  run: R,
  files: readonly string[],
  lost: ReadonlySet<string> = new Set(),
): R {
  const isOther = ({ file }: { file: string }): boolean => !files.includes(file)
  const stays = (one: { file: string; test: string }): boolean =>
    isOther(one) || lost.has(testId(one))
  return {
    ...run,
    tests: run.tests.filter(stays),
    missing: run.missing.filter(stays),
    ...(run.memory === undefined ? {} : { memory: run.memory.filter(isOther) }),
    ...(run.listings === undefined ? {} : { listings: run.listings.filter(isOther) }),
  }
}

/** A run with the tests of some files as another run has them. */
export function withFilesOf<R extends Results & Pick<StoredRun, 'memory'>>(
  run: R,
  files: readonly string[],
  from: Results,
): R {
  const others = withoutFiles(run, files)
  const isTheirs = ({ file }: { file: string }): boolean => files.includes(file)
  return {
    ...others,
    tests: [...others.tests, ...from.tests.filter(isTheirs)],
    missing: [...others.missing, ...from.missing.filter(isTheirs)],
  }
}

/**
 * Earlier runs with some files as this run has them: a test in those is neither repaired nor broken
 * by it.
 */
export function replacing(earlier: Earlier, files: readonly string[], now: Results): Earlier {
  if (files.length === 0) return earlier
  const of = (run: StoredRun | undefined): StoredRun | undefined =>
    run === undefined ? undefined : withFilesOf(run, files, now)
  return {
    baseline: of(earlier.baseline),
    before: of(earlier.before),
    best: of(earlier.best),
    start: of(earlier.start),
    lastFull: earlier.lastFull,
  }
}
