import { existsSync } from 'node:fs'
import path from 'node:path'

/** How many directories above the project a runner's root is looked for. */
const LEVELS = 8

/**
 * A test file as the project names it: relative to `cwd`, forward slashes.
 *
 * A runner names files relative to its own root, which may be a directory above (pytest) or below
 * (vitest `root`). A name that leads to no file stays as it is.
 */
export function projectFile(file: string, cwd: string): string {
  const name = file.replaceAll('\\', '/')
  if (path.isAbsolute(name)) return inside(path.relative(cwd, name)) ?? name
  let root = cwd
  for (let level = 0; level < LEVELS; level++, root = path.dirname(root))
    if (existsSync(path.join(root, name)))
      return inside(path.relative(cwd, path.join(root, name))) ?? name
  return path.posix.normalize(name)
}

function inside(relative: string): string | undefined {
  return relative === '' || relative.startsWith('..') ? undefined : relative
}
