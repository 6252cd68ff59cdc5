// Reads the errors outside of any test from the output of vitest: its JUnit report does not list them.
import { projectFile } from './project-file.js'
import { errorText, NO_FILE } from './report.js'
import type { Unloaded } from './report.js'

const SECTION = /^⎯+ (?:Unhandled|Uncaught) (?!Errors ).*⎯+$/m

/** The errors, with the test file that was running. A global set-up that threw leaves no summary. */
export function errorsOutside(output: string, cwd: string): Unloaded[] {
  const summary = output.lastIndexOf('Test Files ')
  const count = summary === -1 ? Number(/^⎯+ Unhandled Errors? ⎯+$/m.test(output)) : Number(/^\s*Errors\s+(\d+) errors?\s*$/m.exec(output.slice(summary))?.[1] ?? 0)
  if (count === 0) return []
  const heading = output.lastIndexOf(' Unhandled Error')
  const begin = Math.max(0, output.lastIndexOf('Vitest caught ', heading))
  // They are on the error output: the summary may stand before, behind or between them.
  const found = output.slice(begin).split(SECTION).slice(1).map((section): Unloaded => {
    const file = /^This error originated in "(.+?)" test file/m.exec(section)?.[1]
    return { file: file === undefined ? NO_FILE : projectFile(file, cwd), error: errorText(section.split(/^This error originated|^⎯{8,}$|^ Test Files {2}/m, 1)[0] ?? '') }
  })
  const unique = found.filter((one, at) => found.findIndex((other) => other.file === one.file && firstLine(other) === firstLine(one)) === at)
  return unique.length > 0 ? unique : [{ file: NO_FILE, error: `${count} error${count === 1 ? '' : 's'} outside of any test: see the output` }]
}

function firstLine({ error }: Unloaded): string {
  return error.split('\n', 1)[0] ?? ''
}
