// Decides which commits an agent has left on other branches of its clone. Ratchet commits the files
// of the work tree, so what lies on another branch alone is not part of the result.
import type { LeftBranches } from '../../contract/workspace.js'
import { oneLine } from '../text/one-line.js'
import { shortList } from '../text/short-text.js'

/** A commit as an agent's clone stores it. */
export type CloneCommit = { tree: string; parents: readonly string[]; subject: string }

/**
 * Branches of an agent's clone. Commits are named by hash. `head`: what is checked out. `commits`:
 * those that could be read. `known`: those that Ratchet has.
 */
export type CloneBranches = {
  head: string | undefined
  tips: readonly { branch: string; commit: string }[]
  commits: ReadonlyMap<string, CloneCommit>
  known: ReadonlySet<string>
}

/** Branches and subjects that travel, and the characters of each. */
const BRANCHES = 10
const SUBJECTS = 3
const CHARS = 80

/**
 * Returns the branches with commits that are neither Ratchet's nor in the history of what is
 * checked out. A branch whose tip has the files of the new commit has lost nothing.
 *
 * @param tree of the new commit
 */
export function leftBranches(clone: CloneBranches, tree: string): LeftBranches | undefined {
  const { head, tips, commits, known } = clone
  const checkedOut = new Set(head === undefined ? [] : newBelow(head, clone))
  const left = tips.flatMap(({ branch, commit }) => {
    if (known.has(commit) || commits.get(commit)?.tree === tree) return []
    const own = newBelow(commit, clone).filter((one) => !checkedOut.has(one))
    if (own.length === 0) return []
    const subjects = own.flatMap((one) => {
      const subject = oneLine(commits.get(one)?.subject ?? '', CHARS)
      return subject === '' ? [] : [subject]
    })
    return [
      {
        branch: oneLine(branch, CHARS),
        commits: own.length,
        subjects: subjects.slice(0, SUBJECTS),
      },
    ]
  })
  return left.length === 0 ? undefined : { branches: left.slice(0, BRANCHES), total: left.length }
}

/** A commit and its history as far as it was read and Ratchet does not have it, newest first. */
function newBelow(commit: string, { commits, known }: CloneBranches): string[] {
  const found = new Set([commit].filter((one) => !known.has(one)))
  for (const one of found)
    for (const parent of commits.get(one)?.parents ?? []) if (!known.has(parent)) found.add(parent)
  return [...found]
}

/** Returns the warning about them. */
export function leftBranchesText({ branches, total }: LeftBranches): string {
  const named = branches.map(({ branch, commits, subjects }) =>
    subjects.length === 0
      ? branch
      : `${branch} (${shortList(
          subjects.map((subject) => JSON.stringify(subject)),
          commits,
          SUBJECTS,
        )})`,
  )
  return `the agent left commits on other branches of its clone, and they are not part of the result: ${shortList(named, total, 5)}. Only the files of its work tree are committed`
}
