// Test files of a project whose suite does not start: what the first measured run is compared with.
// Else a file that skips everything once the suite starts would be one that never had a test.
//
// The runner lists files that it could not load. Where it lists none, as behind an error in its
// set-up, files count by their name and text. Only clear ones do: an entry that no honest fix can
// repair would fail the run for good.
import picomatch from 'picomatch/posix.js'
import type { StoredRun, StoredTest } from '../../contract/test-run.js'
import { directoryOf, isStandIn, notLoaded } from './stand-ins.js'

const LANGUAGES: readonly { named: (file: string) => boolean; holdsTest: RegExp }[] = [
  { named: picomatch('**/test_*.py'), holdsTest: /^\s*(?:async\s+)?def test|^class \w*Test/m },
  {
    named: picomatch('**/*.test.{js,jsx,ts,tsx,mjs,cjs,mts,cts}'),
    holdsTest: /^\s*(?:test|it)\(/m,
  },
  { named: picomatch('**/*_test.go'), holdsTest: /^func Test/m },
]
/**
 * A file that says where it skips itself, or belongs to some builds only, may rightly run no test.
 */
const MAY_SKIP = /skip|todo|go:build|\+build/i
const BY_NAME = 'the suite did not start, and by its name this is a test file'

/** Whether a file can be a test file by its name. */
export function isNamedAsTest(file: string): boolean {
  return LANGUAGES.some(({ named }) => named(file))
}

/** The entries of files that are tests by name and text: a file each, for Go a package. */
export function entriesByName(files: readonly { file: string; text: string }[]): StoredTest[] {
  const tests = files.filter(
    ({ file, text }) =>
      !MAY_SKIP.test(text) &&
      LANGUAGES.some(({ named, holdsTest }) => named(file) && holdsTest.test(text)),
  )
  return [
    ...new Set(tests.map(({ file }) => (file.endsWith('.go') ? directoryOf(file) : file))),
  ].map((file) => notLoaded({ file, error: BY_NAME }))
}

/** The entries that the runner gave, and those by name that it did not. */
export function allEntries(
  listed: readonly StoredTest[],
  byName: readonly StoredTest[],
): StoredTest[] {
  const known = new Set(listed.map(({ file }) => file))
  return [...listed, ...byName.filter(({ file }) => !known.has(file))]
}

/** Whether a stored run holds such entries only: nothing was measured. */
export function isNotLoadedOnly({ tests }: Pick<StoredRun, 'tests'>): boolean {
  return tests.every(isStandIn)
}

/**
 * Without entries by name of folders of which the runner reports no file: it does not look there.
 */
export function withoutUnseen<R extends Pick<StoredRun, 'tests' | 'commit'>>(
  run: R,
  now: { tests: readonly StoredTest[]; commit: string },
): R {
  const seen = new Set(
    now.tests.flatMap(({ file }) => [directoryOf(file), ...(file.endsWith('.go') ? [] : [file])]),
  )
  const isSeen = (file: string): boolean => seen.has(file) || seen.has(directoryOf(file))
  return {
    ...run,
    tests: run.tests.filter(
      ({ file, error }) => error !== BY_NAME || (run.commit !== now.commit && isSeen(file)),
    ),
  }
}
