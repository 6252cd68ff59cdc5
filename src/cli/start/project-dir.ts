// Finds the project of a command. In a file of its own, as commands that only read load nothing
// else for it.
import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ProjectChoice } from '../context.js'
import { badInput } from '../output/errors.js'

/**
 * Returns the real path of the project: `--project`, else the current directory. Parent directories
 * are not searched.
 */
export function projectDir(project: Pick<ProjectChoice, 'named' | 'cwd'>): string {
  const dir = path.resolve(project.cwd, project.named ?? '.')
  if (!existsSync(dir))
    throw badInput(
      `directory not found: ${dir}`,
      '--project',
      'name the directory of your project with --project',
    )
  if (!statSync(dir).isDirectory())
    throw badInput(
      `${dir} is not a directory`,
      '--project',
      'name the directory of your project with --project',
    )
  return realpathSync(dir)
}

/** Returns the path even if the directory is gone, as a run may be left of it. */
export function projectPath(project: Pick<ProjectChoice, 'named' | 'cwd'>): string {
  const dir = path.resolve(project.cwd, project.named ?? '.')
  return existsSync(dir) ? projectDir(project) : dir
}
