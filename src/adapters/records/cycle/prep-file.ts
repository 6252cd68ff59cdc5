// The prep package of a project, as far as it can be used. Whatever stands there never keeps a cycle from its
// begin: what does not hold is left aside, and every reason is told. Source: ccw §1.3.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkPrepPackage } from '../../../core/cycle/prep-package.js'
import type { CheckedPrep } from '../../../core/cycle/prep-package.js'
import { oneLine } from '../../../core/one-line.js'
import { cycleFiles } from './place.js'

/** `warning`: why the package that is there is not used. */
export type PrepFile = { state: 'none' } | { state: 'ignored'; warning: string } | { state: 'used'; checked: Extract<CheckedPrep, { ok: true }> }

/** Reads and checks it. `now`: epoch milliseconds. */
export function readPrepFile(project: string, now: number): PrepFile {
  const file = cycleFiles(project).prep
  if (!existsSync(file)) return { state: 'none' }
  const ignored = (...problems: string[]): PrepFile => ({ state: 'ignored', warning: `${path.relative(project, file)} is not used: ${problems.join('; ')}` })
  let raw: unknown
  try {
    raw = JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (error) {
    return ignored(`${error instanceof SyntaxError ? 'it is no JSON' : 'it cannot be read'}: ${oneLine((error as Error).message, 200)}`)
  }
  const checked = checkPrepPackage(raw, { project, now })
  return checked.ok ? { state: 'used', checked } : ignored(...checked.problems)
}
