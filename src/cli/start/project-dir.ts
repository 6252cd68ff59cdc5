// Which project a command is about. A file of its own: commands that only look load nothing else
// for it.
import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Context } from '../context.js'
import { badInput } from '../output/errors.js'

/**
 * Real path of the project: `--project`, else the current directory. No directory above it is
 * searched.
 */
export function projectDir(context: Pick<Context, 'project' | 'cwd'>): string {
  const dir = path.resolve(context.cwd, context.project ?? '.')
  if (!existsSync(dir))
    throw badInput(
      `there is no directory ${dir}`,
      '--project',
      'name the directory of your project',
    )
  if (!statSync(dir).isDirectory())
    throw badInput(`${dir} is not a directory`, '--project', 'name the directory of your project')
  return realpathSync(dir)
}

/** The same, also where that directory is gone: a run may be left of it. */
export function projectPath(context: Pick<Context, 'project' | 'cwd'>): string {
  const dir = path.resolve(context.cwd, context.project ?? '.')
  return existsSync(dir) ? projectDir(context) : dir
}
