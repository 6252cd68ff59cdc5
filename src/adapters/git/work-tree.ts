// Work trees of workspaces: restored to a commit, saved, compared. Nothing is discarded without a
// snapshot.
import type { Workspace } from '../../contract/workspace.js'
import { readCommit, treeOf } from './commits.js'
import { isKeptCandidate } from './candidates.js'
import { leaveClone } from './agent-clone.js'
import { removeStrayAttributes } from './attributes.js'
import { git, WorkspaceMissingError } from './git.js'
import { noteGitSettings } from './git-settings.js'
import { asIgnoreLine, keepIndex, NEVER_ADDED, stage, withOwnIndex } from './index-file.js'
import { keepAs, keepForStep, type StepKey } from './kept-work.js'
import { openWorkspace } from './open-workspace.js'
import { headRef, inRepo, isAncestor, resolve, type Repo } from './repo.js'
import { restoreBytes } from './tracked-bytes.js'
import { diffTrees } from './tree-diff.js'

/**
 * Puts branch and work tree exactly at a commit; ignored files and `.ratchet` stay.
 *
 * @param known commits whose files need not be kept, as after `showTree`
 * @returns the ref that keeps what was there, commits included; `undefined` where nothing was lost
 * @throws WorkspaceMissingError where the workspace was removed
 */
export async function restoreTree(
  workspace: Workspace,
  head: string,
  known: readonly string[] = [],
): Promise<string | undefined> {
  return putBack(workspace, await openWorkspace(workspace), head, undefined, known)
}

/**
 * Makes the work tree the measuring tree of a commit: as `restoreTree`, then every tracked file is
 * compared by bytes with what the user's filters make of the commit, and restored where it differs.
 *
 * A workspace in place is the user's own tree, whose files are the user's: there it is
 * `restoreTree`.
 *
 * @throws WorkspaceMissingError where the workspace was removed
 */
export async function measuringTree(workspace: Workspace, commit: string): Promise<void> {
  const repo = await openWorkspace(workspace)
  await putBack(workspace, repo, commit)
  if (repo.own) await withOwnIndex(repo, commit, (index) => restoreBytes(repo, index, commit))
}

/**
 * Puts the files of another commit into a work tree that has just been restored. Branch and HEAD
 * stay where they are, so that a killed attempt leaves nothing behind that `restoreTree` would not
 * undo.
 */
export async function showTree(workspace: Workspace, commit: string): Promise<void> {
  const repo = await openWorkspace(workspace)
  await withOwnIndex(repo, await currentCommit(repo, workspace), async (index) => {
    const { environments } = await stage(repo, index)
    if (repo.own) await removeStrayAttributes(repo, commit)
    await inRepo(repo, ['read-tree', '--reset', '-u', commit], { env: index.env })
    await clean(workspace, repo, index.env, environments)
  })
}

/**
 * Saves uncommitted work, untracked files included, to `refs/ratchet/snapshots/<label>`. The work
 * tree stays as it is.
 *
 * @returns the ref, or `undefined` where the work tree is clean
 * @throws WorkspaceMissingError where the workspace was removed
 */
export async function snapshotUncommitted(
  workspace: Workspace,
  label: string,
): Promise<string | undefined> {
  const repo = await openWorkspace(workspace)
  const here = await currentCommit(repo, workspace)
  return withOwnIndex(repo, here, async (index) => {
    const { tree } = await stage(repo, index, { head: here })
    if (tree === (await treeOf(repo, here))) return undefined
    return keepAs(repo, label, { tree, parents: [here], at: Date.now() })
  })
}

/**
 * Files that differ from a commit, relative to the repository: committed since, uncommitted and
 * untracked.
 *
 * @param given without it the commit that the run's branch is at
 */
export async function changedFiles(workspace: Workspace, given?: string): Promise<string[]> {
  const repo = await openWorkspace(workspace)
  const since = given ?? (await currentCommit(repo, workspace))
  return withOwnIndex(repo, since, async (index) => {
    const { tree } = await stage(repo, index, { head: since })
    return tree === (await treeOf(repo, since))
      ? []
      : (await diffTrees(repo, since, tree)).map((change) => change.path)
  })
}

/**
 * `restoreTree` on an open workspace; with a step, what was there is kept under the step's name.
 */
export async function putBack(
  workspace: Workspace,
  repo: Repo,
  head: string,
  step?: StepKey,
  others: readonly string[] = [],
): Promise<string | undefined> {
  const here = await currentCommit(repo, workspace)
  const kept = await withOwnIndex(repo, here, async (index) => {
    const { tree, environments } = await stage(repo, index, { head: here })
    const ref = await keepWhatWas(workspace, repo, { here, head, tree, others }, step)
    if (repo.own) await removeStrayAttributes(repo, head)
    if (!repo.own || tree !== (await treeOf(repo, head)))
      await inRepo(repo, ['read-tree', '--reset', '-u', head], { env: index.env })
    await clean(workspace, repo, index.env, environments)
    await attach(workspace, repo, head)
    await keepIndex(repo, index, head)
    return ref
  })
  await settled(workspace, repo, head)
  return kept
}

/**
 * The end of each step: agents find the branch at its head, and in place the settings are noted as
 * they are.
 */
export async function settled(workspace: Workspace, repo: Repo, head: string): Promise<void> {
  if (repo.own) await leaveClone(repo, workspace, head)
  else await noteGitSettings(workspace)
}

/** Makes the branch point to a commit, and HEAD to the branch. */
export async function attach(workspace: Workspace, repo: Repo, head: string): Promise<void> {
  const branch = `refs/heads/${workspace.branch}`
  const tip = await resolve(repo, branch)
  if (tip !== head)
    await inRepo(repo, ['update-ref', '-m', 'ratchet: move', branch, head, tip ?? ''])
  if (!repo.own && (await headRef(repo)) !== branch)
    await inRepo(repo, ['symbolic-ref', '-m', 'ratchet: attach', 'HEAD', branch])
}

/** The commit of a workspace. In place HEAD, which may be on another branch, or on one without. */
export async function currentCommit(
  repo: Repo,
  { branch, root, base }: Workspace,
): Promise<string> {
  const found =
    (repo.own ? undefined : await resolve(repo, 'HEAD')) ??
    (await resolve(repo, `refs/heads/${branch}`)) ??
    (await resolve(repo, base))
  if (found === undefined)
    throw repo.own
      ? new WorkspaceMissingError(repo.gitDir, 'broken')
      : new Error(`the workspace has lost its history: ${root}`)
  return found
}

async function keepWhatWas(
  workspace: Workspace,
  repo: Repo,
  {
    here,
    head,
    tree,
    others,
  }: { here: string; head: string; tree: string; others: readonly string[] },
  step: StepKey | undefined,
): Promise<string | undefined> {
  const tip = repo.own ? undefined : await resolve(repo, `refs/heads/${workspace.branch}`)
  const found = [...new Set([here, ...(tip === undefined ? [] : [tip])])]
  const losesCommits = (
    await Promise.all(
      found.map(
        async (commit) =>
          (await isAncestor(repo, commit, head)) || isKeptCandidate(repo, workspace, commit),
      ),
    )
  ).includes(false)
  // The tree before the step is what a killed one leaves behind: it is in the history.
  const { parents, tree: target } = await readCommit(repo, head)
  const known = new Set([target])
  for (const commit of [here, parents[0], step?.expectHead, ...others])
    if (commit !== undefined) known.add(await treeOf(repo, commit))
  if (known.has(tree) && !losesCommits) return undefined
  if (step !== undefined) return keepForStep(repo, step, { tree, parents: found })
  return keepAs(repo, `restored-${tree.slice(0, 10)}`, {
    tree,
    parents: found,
    at: (await readCommit(repo, here)).at,
  })
}

// Nested repositories and environments go only from clones. A file that cannot be removed stays and
// is seen by the next step.
async function clean(
  { isolation }: Workspace,
  repo: Repo,
  env: Record<string, string>,
  environments: readonly string[],
): Promise<void> {
  const kept = isolation === 'in-place' ? environments.map(asIgnoreLine) : []
  await git(
    repo.root,
    [
      'clean',
      isolation === 'in-place' ? '-fdq' : '-ffdq',
      ...[...NEVER_ADDED, ...kept].flatMap((name) => ['-e', name]),
    ],
    { env: { ...repo.env, ...env }, okCodes: [1] },
  )
}
