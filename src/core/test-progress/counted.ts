// Formats the progress of a test run for heartbeats and people: "pytest: 83 of 247, 2 failed".
import { z } from 'zod'
import type { StoredTest } from '../../contract/test-run.js'
import { runnerNamed } from '../runners/known-runners.js'
import type { Told } from './by-line.js'

/** `about`: the total is that of the last run of these tests. */
export const Counted = z.object({
  runner: z.string().max(40),
  unit: z.enum(['tests', 'files']),
  done: z.number().int().min(0),
  failed: z.number().int().min(0),
  total: z.number().int().min(0).optional(),
  about: z.boolean().optional(),
})
export type Counted = z.infer<typeof Counted>

/** The size of a suite in its last run. */
export type SuiteSize = { tests: number; files: number }

/** Returns the size of all these tests. */
export function sizeOf(tests: readonly Pick<StoredTest, 'file'>[]): SuiteSize {
  return { tests: tests.length, files: new Set(tests.map((one) => one.file)).size }
}

/**
 * Returns the size of the part that runs if only these files are named, or none for all; a runner
 * may run their packages.
 */
export function sizeOfPart(
  tests: readonly Pick<StoredTest, 'file'>[],
  files: readonly string[],
  runner: string,
): SuiteSize {
  if (files.length === 0) return sizeOf(tests)
  const place = runnerNamed(runner)?.placeOf ?? ((file: string) => file)
  const places = new Set(files.map(place))
  return sizeOf(tests.filter((one) => places.has(place(one.file))))
}

/**
 * Returns the runner's total, else that of the last run while it is plausible; `undefined` without
 * any progress.
 */
export function counted(
  runner: string,
  { unit, done, failed, total }: Told,
  last: SuiteSize | undefined,
): Counted | undefined {
  if (total !== undefined) return { runner, unit, done, failed, total }
  const about = last?.[unit] ?? 0
  if (about > 0 && done <= about) return { runner, unit, done, failed, total: about, about: true }
  return done === 0 ? undefined : { runner, unit, done, failed }
}

/**
 * Returns "pytest: 83 of about 247, 2 failed", "jest: 12 of 40 files" or "go: 83 tests";
 * `undefined` for an unknown format, as from another version.
 */
export function countedWords(value: unknown): string | undefined {
  const read = Counted.safeParse(value).data
  if (read === undefined) return undefined
  const { runner, unit, done, failed, total, about } = read
  const thing = done === 1 && total === undefined ? unit.slice(0, -1) : unit
  const far =
    total === undefined
      ? `${done} ${thing}`
      : `${done} of ${about === true ? 'about ' : ''}${total}${unit === 'files' ? ' files' : ''}`
  return `${runner}: ${far}${failed === 0 ? '' : `, ${failed} failed`}`
}
