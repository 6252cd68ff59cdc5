// What lies in this package, found from the sources, from dist and from the merged files in
// dist/chunks alike.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of our package.json. */
const ROOT = above(path.dirname(fileURLToPath(import.meta.url)))

/**
 * Absolute path of a file that is shipped, given from the package's root: `roles/fix.md`,
 * `dist/worker/main.js`.
 */
export function packaged(file: string): string {
  return path.join(ROOT, file)
}

/** Version of the package. A supervisor keeps the one it was started with, also over an upgrade. */
export const VERSION = (
  JSON.parse(readFileSync(packaged('package.json'), 'utf8')) as { version: string }
).version

function above(directory: string): string {
  if (existsSync(path.join(directory, 'package.json'))) return directory
  if (path.dirname(directory) === directory)
    throw new Error('the package.json of ratchet-cycles is missing: install it again')
  return above(path.dirname(directory))
}
