// Reads the prep package of a project, or the one that `--prep` names, as far as a cycle can use
// it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import {
  checkPrepPackage,
  type CheckedPrep,
} from '../../../core/dev-cycle/documents/prep-package.js'
import { oneLine } from '../../../core/text/one-line.js'
import { cycleFiles } from './cycle-paths.js'

/** `warning`: why the package that is there is not used. */
export type PrepFile =
  | { state: 'none' }
  | { state: 'ignored'; warning: string }
  | { state: 'used'; file: string; checked: Extract<CheckedPrep, { ok: true }> }

/**
 * `named`: the file that `--prep` names, absolute or relative to the project; `now`: epoch
 * milliseconds.
 */
export type PrepAsked = { typed: string; named?: string | undefined; now: number }

/**
 * Reads and checks a package.
 *
 * @throws RefusalError `BadInput` where a package that `--prep` names cannot be used
 */
export function readPrepFile(project: string, { typed, named, now }: PrepAsked): PrepFile {
  const file = named === undefined ? cycleFiles(project).prep : path.resolve(project, named)
  const unusable = (...problems: string[]): PrepFile => {
    const warning = `${path.relative(project, file)} is not used: ${problems.join('; ')}`
    if (named === undefined) return { state: 'ignored', warning }
    throw new RefusalError(BAD_INPUT, warning, file, 'correct the package, or leave --prep out')
  }
  if (!existsSync(file))
    return named === undefined ? { state: 'none' } : unusable('there is no such file')
  let raw: unknown
  try {
    raw = JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (error) {
    return unusable(
      `${error instanceof SyntaxError ? 'it is no JSON' : 'it cannot be read'}: ${oneLine((error as Error).message, 200)}`,
    )
  }
  const checked = checkPrepPackage(raw, { project, now, typed, named: named !== undefined })
  return checked.ok ? { state: 'used', file, checked } : unusable(...checked.problems)
}
