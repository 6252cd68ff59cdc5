// The files of a project as git sees them: what is ignored, as dependencies and build results, is
// none.
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { needPlace, splitZ } from './git.js'
import { inRepo, workspaceRepo } from './repo.js'

/** Ratchet's own folders. */
const OWN = ['.ratchet/', '.workflow/']

/**
 * Tracked and new files below a workspace's `cwd`, relative to it, sorted.
 *
 * @throws WorkspaceMissingError where the workspace was removed
 */
export async function projectFiles(workspace: Workspace): Promise<string[]> {
  needPlace(workspace.root)
  const repo = await workspaceRepo(workspace)
  needPlace(repo.gitDir)
  const prefix = path.relative(workspace.root, workspace.cwd).split(path.sep).join('/')
  const below = prefix === '' ? '' : `${prefix}/`
  const listed = splitZ(
    await inRepo(repo, [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--',
      ...(prefix === '' ? [] : [`:(literal)${below}`]),
    ]),
  )
  return [...new Set(listed.map((file) => file.slice(below.length)))]
    .filter((file) => !OWN.some((own) => file.startsWith(own)))
    .sort()
}
