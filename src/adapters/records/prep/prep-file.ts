// Reads the prep package of a project, or the one that `--prep` names, as far as its command can
// use it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import type { PrepFor } from '../../../contract/prep/prep-input.js'
import { checkPrepPackage } from '../../../core/dev-cycle/documents/prep-package.js'
import { checkLoopPackage } from '../../../core/dev-loop/loop-package.js'
import { oneLine } from '../../../core/text/one-line.js'
import { packageFile } from './prep-paths.js'

const CHECKS = { cycle: checkPrepPackage, loop: checkLoopPackage } as const
type Checked<F extends PrepFor> = Extract<ReturnType<(typeof CHECKS)[F]>, { ok: true }>

/** `problems`: why the package that is there is not used; `warning` is one sentence of them. */
export type PrepFile<F extends PrepFor> =
  | { state: 'none' }
  | { state: 'ignored'; warning: string; problems: string[] }
  | { state: 'used'; file: string; checked: Checked<F> }

/**
 * `named`: the file that `--prep` names, absolute or relative to the project; `now`: epoch
 * milliseconds; `brought`: path of the file from the project, if the repository brings it.
 */
export type PrepAsked = {
  typed: string
  named?: string | undefined
  now: number
  brought?: string | undefined
}

/** Returns the file of a package: the one that `--prep` names, or that of the command. */
export function prepFileOf(command: PrepFor, project: string, named: string | undefined): string {
  return named === undefined ? packageFile(project, command) : path.resolve(project, named)
}

/**
 * Reads and checks a package.
 *
 * @throws RefusalError `BadInput` where a package that `--prep` names cannot be used
 */
export function readPrepFile<F extends PrepFor>(
  command: F,
  project: string,
  { typed, named, now, brought }: PrepAsked,
): PrepFile<F> {
  const file = prepFileOf(command, project, named)
  const unusable = (...problems: string[]): PrepFile<F> => {
    const warning = `${path.relative(project, file)} is not used: ${problems.join('; ')}`
    if (named === undefined) return { state: 'ignored', warning, problems }
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
  const checked = CHECKS[command](raw, {
    project,
    now,
    typed,
    named: named !== undefined,
    brought,
  })
  return checked.ok
    ? { state: 'used', file, checked: checked as Checked<F> }
    : unusable(...checked.problems)
}
