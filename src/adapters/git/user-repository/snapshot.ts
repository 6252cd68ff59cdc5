// The user's working tree as a commit, taken without touching anything of the user's: a copy of the
// index, new objects, and no ref.
import { commitTree } from '../commits.js'
import { stage, withCopiedIndex } from '../index-file.js'
import { resolve, type Repo } from '../repo.js'

export type Snapshot = {
  commit: string
  tree: string
  /** Nested repositories that are not part of it, as `path/`. */
  nested: string[]
}

/** Working tree as a tree object: uncommitted and untracked files included, ignored ones not. */
export async function workTree(repo: Repo): Promise<{ tree: string; nested: string[] }> {
  return withCopiedIndex(repo, (index) => stage(repo, index))
}

/**
 * Commits the working tree on top of HEAD, without a ref.
 *
 * @param run workflow id, for the `Ratchet-Run` trailer
 * @param at time of the commit, epoch milliseconds: the same tree at the same time is the same
 * commit
 */
export async function snapshotWorkTree(
  repo: Repo,
  { run, at }: { run: string; at: number },
): Promise<Snapshot> {
  const head = await resolve(repo, 'HEAD')
  if (head === undefined) throw new Error(`no commit yet in ${repo.root}`)
  const { tree, nested } = await workTree(repo)
  const commit = await commitTree(repo, {
    tree,
    parents: [head],
    at,
    subject: 'Snapshot of the working tree',
    trailers: { 'Ratchet-Run': run },
  })
  return { commit, tree, nested }
}
