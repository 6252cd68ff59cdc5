// Links of a report to files beside it: relative, so that the folder can be moved as a whole.
import path from 'node:path'

/**
 * Address of a file from the directory of the report. Every part is encoded: no name can become a
 * scheme or a query.
 */
export function linkTo(file: string, from: string): string {
  const parts = path.relative(from, file).split(path.sep).map(encodeURIComponent).join('/')
  return parts.startsWith('..') ? parts : `./${parts}`
}
