// Links from a report to files: relative, so that the folder can be moved as a whole.
import path from 'node:path'

/**
 * Returns the address of a file relative to the directory of the report. Every part is encoded, so
 * no name becomes a scheme or a query.
 */
export function linkTo(file: string, from: string): string {
  const parts = path.relative(from, file).split(path.sep).map(encodeURIComponent).join('/')
  return parts.startsWith('..') ? parts : `./${parts}`
}
