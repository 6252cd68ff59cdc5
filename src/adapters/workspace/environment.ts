// The environment of commands that run in a workspace: the user's, but not pointed at the user's
// tree.
//
// With an activated virtual environment, or started through `npm run`, PATH and some variables name
// the project itself: `pip install` or `npm ci` in the workspace would then change the user's
// files.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { cleanEnv } from '../git/git.js'

/** Set by npm for the scripts of one package; wrong for any other directory. */
const OF_ONE_PACKAGE =
  /^(npm_config_local_prefix|npm_lifecycle_.*|npm_package_.*|npm_command|INIT_CWD|PWD|OLDPWD)$/
/** Variables that hold one directory. */
const DIRECTORIES = ['VIRTUAL_ENV', 'CONDA_PREFIX', 'NODE_PATH', 'PYTHONPATH']

/**
 * Returns `env` for commands in a workspace.
 *
 * Directories below `from` in PATH and the like become their counterparts below `to`; those without
 * one are left out.
 *
 * @param from top of the user's repository
 * @param to root of the workspace
 */
export function workspaceEnv(
  env: NodeJS.ProcessEnv,
  { from, to }: { from: string; to: string },
): NodeJS.ProcessEnv {
  const result = Object.fromEntries(
    Object.entries(cleanEnv(env)).filter(([name]) => !OF_ONE_PACKAGE.test(name)),
  )
  for (const name of ['PATH', ...DIRECTORIES]) {
    const value = result[name]
    if (value === undefined) continue
    const dirs = value.split(path.delimiter).flatMap((dir) => moved(dir, from, to))
    if (dirs.length > 0) result[name] = dirs.join(path.delimiter)
    else delete result[name]
  }
  return result
}

/** `workspaceEnv` for a prepared workspace; in place there is nothing to move. */
export function envOf(workspace: Workspace, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return workspaceEnv(env, { from: topOf(workspace), to: workspace.root })
}

/** Top of the user's repository that a workspace was made from. */
export function topOf({ project, cwd, root }: Workspace): string {
  return path.resolve(project, path.relative(cwd, root))
}

function moved(dir: string, from: string, to: string): string[] {
  if (!path.isAbsolute(dir)) return [dir]
  const inside = isInside(dir, from) ? path.relative(from, dir) : throughLink(dir, from)
  if (inside === undefined) return [dir]
  const counterpart = path.join(to, inside)
  return existsSync(counterpart) ? [counterpart] : []
}

// The same directory by another name, as in a shell that came through a link.
function throughLink(dir: string, from: string): string | undefined {
  const top = existsSync(from) ? realpathSync(from) : from
  for (let above = dir; above !== path.dirname(above); above = path.dirname(above))
    if (existsSync(above) && realpathSync(above) === top) return path.relative(above, dir)
  return undefined
}

/** Whether a path is a directory or below it. Both absolute. */
export function isInside(file: string, dir: string): boolean {
  const relative = path.relative(dir, file)
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  )
}
