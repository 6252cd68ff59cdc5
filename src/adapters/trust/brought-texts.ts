// Finds whether a text of `.workflow` is the repository's. git is asked once, when a run is
// prepared; later its answer is read from the run's state.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { isBrought } from '../../core/prompts/from-repository.js'
import { readPrepared } from '../workspace/state.js'
import { trackedOf } from './brought-programs.js'
import { repoOf } from './record-links.js'

/** Returns the path of a file from the project if it is the repository's. */
export type BroughtPath = (file: string) => string | undefined

/** Looks files up as the preparation of a run found them, in the project or in its clone. */
export function broughtIn({ project, root, cwd, keep }: Workspace): BroughtPath {
  const listed = readPrepared(keep ?? path.dirname(root))?.brought
  const tracked = listed && new Set(listed)
  const tops = [project, cwd].flatMap((top) => (existsSync(top) ? [top, realpathSync(top)] : [top]))
  return (file) =>
    tops
      .map((top) => path.relative(top, file).split(path.sep).join('/'))
      .find((name) => isBrought(name, tracked))
}

/** Asks git about one file, in `.workflow` or elsewhere; without git it is the repository's. */
export async function broughtFile(project: string, file: string): Promise<string | undefined> {
  const [found] = await trackedOf(await repoOf(project), [file])
  return found && path.relative(project, found).split(path.sep).join('/')
}
