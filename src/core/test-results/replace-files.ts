// Replaces the results of some test files in an earlier run: after a person has accepted a change
// to those files, the run of that change is what later runs are compared with.
import type { StoredRun } from '../../contract/test-run.js'
import type { Earlier } from './settle.js'

type Results = Pick<StoredRun, 'tests' | 'missing'>

/** A run without the tests of some files, and without what it knows of them. */
export function withoutFiles<R extends Results & Pick<StoredRun, 'memory' | 'listings'>>(
  run: R,
  files: readonly string[],
): R {
  const isOther = ({ file }: { file: string }): boolean => !files.includes(file)
  return {
    ...run,
    tests: run.tests.filter(isOther),
    missing: run.missing.filter(isOther),
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
