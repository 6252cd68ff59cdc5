// Paths of a repository as its project sees them, which may be a subfolder.
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'

/** Turns a path in the repository into one relative to the project, where the file lies in it. */
export function ownPath({ root, cwd }: Workspace): (file: string) => string {
  const prefix = path.relative(root, cwd)
  return (file) => {
    const own = prefix === '' ? file : path.posix.relative(prefix, file)
    return own.startsWith('../') ? file : own
  }
}
