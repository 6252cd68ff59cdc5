// What the tests of a run see although no commit of it holds it.
import { shortList } from '../../core/text/short-text.js'
import { lfsFiles } from '../git/lfs.js'
import type { Repo } from '../git/repo.js'
import type { Entry } from '../git/tree-diff.js'

/**
 * Names what a clone holds besides its commit: files of `workspace.copy`, submodules, contents of
 * Git LFS.
 *
 * @param files of the commit
 * @param copied files of `workspace.copy`, relative to the project
 */
export async function measuredWith(
  repo: Repo,
  files: ReadonlyMap<string, Entry>,
  { submodules, copied }: { submodules: Iterable<string>; copied: readonly string[] },
): Promise<string[]> {
  const kinds = {
    'workspace.copy': copied,
    submodules: [...submodules],
    'Git LFS': await lfsFiles(repo, files),
  }
  return Object.entries(kinds).flatMap(([kind, names]) =>
    names.length === 0 ? [] : [`${kind}: ${shortList(names)}`],
  )
}
