// `in-place`: the run works in the user's own tree, on its own branch.
//
// The tree must be clean. At the end the run's branch stays checked out, at the run's last commit;
// the branch the user came from is where it was: git switch <branch> goes back, git merge takes it
// over.
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import type { Workspace } from '../../contract/workspace.js'
import { readCommit } from '../git/commits.js'
import { noteGitSettings } from '../git/git-settings.js'
import { chooseBranch, moveBranch } from '../git/ratchet-refs.js'
import { headRef, inRepo, resolve } from '../git/repo.js'
import { workTree } from '../git/user-repository/snapshot.js'
import { listTree } from '../git/tree-diff.js'
import { checkTree, type ProjectRepo } from './checks.js'

/**
 * Creates the run's branch at HEAD and switches to it; no file changes. Can be repeated.
 *
 * @param keep directory of the run outside of the repository
 */
export async function prepareInPlace(
  place: ProjectRepo,
  name: string,
  keep: string,
  input: { project: string; base?: string },
): Promise<{ workspace: Workspace; head: string; warnings: string[] }> {
  const { repo } = place
  if (input.base !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      'base cannot be chosen with workspace.isolation "in-place"',
      input.project,
      'switch to the commit yourself, or set workspace.isolation to "clone"',
    )
  const head = await resolve(repo, 'HEAD')
  if (head === undefined) throw new Error(`no commit yet in ${repo.root}`)
  const { tree, nested } = await workTree(repo)
  if (
    tree !== (await readCommit(repo, head)).tree ||
    (await inRepo(repo, ['diff-index', '--cached', '--name-only', 'HEAD'])) !== ''
  )
    throw new RefusalError(
      'DirtyTree',
      'workspace.isolation "in-place" needs a clean tree',
      repo.root,
      'commit or stash your changes, or set workspace.isolation to "clone"',
    )
  checkTree(place, await listTree(repo, head), nested, { inPlace: true })

  const { branch, oldTip, warnings } = await chooseBranch(repo, name, repo.root)
  await moveBranch(repo, name, { branch, oldTip }, head)
  const ref = `refs/heads/${branch}`
  if ((await headRef(repo)) !== ref)
    await inRepo(repo, ['symbolic-ref', '-m', 'ratchet: start', 'HEAD', ref])
  const workspace: Workspace = {
    project: input.project,
    root: repo.root,
    keep,
    cwd: path.join(repo.root, place.folder),
    branch,
    base: head,
    isolation: 'in-place',
  }
  await noteGitSettings(workspace)
  return { workspace, head, warnings: [...warnings, IN_PLACE] }
}

/** What a workspace in place does without. */
const IN_PLACE =
  'workspace.isolation is "in-place": agents work in your own tree, with your .git. What is measured is what lies there, not a clean checkout of the commit; settings in .git (config, hooks, info) that change during a turn are restored'
