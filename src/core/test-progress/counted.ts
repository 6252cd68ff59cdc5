// How far a test run is, as a heartbeat carries it and a person reads it: "pytest: 83 of 247, 2
// failed".
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

/** How large a suite was when it ran last. */
export type SuiteSize = { tests: number; files: number }

/** Of all these tests. */
export function sizeOf(tests: readonly Pick<StoredTest, 'file'>[]): SuiteSize {
  return { tests: tests.length, files: new Set(tests.map((one) => one.file)).size }
}

/**
 * How much of it runs where only these files are named, or none for all; a runner may run their
 * packages.
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
 * The runner's own word on the total, else that of the last run as long as it can be right;
 * `undefined` while there is nothing to say.
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
 * "pytest: 83 of about 247, 2 failed", "jest: 12 of 40 files", "go: 83 tests"; `undefined` for what
 * is no count, as from another version.
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
