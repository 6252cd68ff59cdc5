// Errors outside of any test, from the output of a runner whose report does not list them.
import { runnerNamed } from '../../../core/runners/known-runners.js'
import { projectFile } from './project-file.js'
import { errorText, NO_FILE, type Unloaded } from './report.js'

/** The errors, each once, with the test file that was running. */
export function errorsOutside(output: string, cwd: string, runner: string): Unloaded[] {
  const { count, errors } = runnerNamed(runner)?.errorsOutside?.(output) ?? { count: 0, errors: [] }
  if (count === 0) return []
  const found = errors.map(({ file, error }): Unloaded => ({
    file: file === undefined ? NO_FILE : projectFile(file, cwd),
    error: errorText(error),
  }))
  const unique = found.filter(
    (one, at) =>
      found.findIndex((other) => other.file === one.file && firstLine(other) === firstLine(one)) ===
      at,
  )
  return unique.length > 0
    ? unique
    : [
        {
          file: NO_FILE,
          error: `${count} error${count === 1 ? '' : 's'} outside of any test: see the output`,
        },
      ]
}

function firstLine({ error }: Unloaded): string {
  return error.split('\n', 1)[0] ?? ''
}
