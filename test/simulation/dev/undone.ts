// Whether the work of a task is gone from the branch, and whether two tasks revert each other: that
// ends after one round, and a person decides.
import { changedIn, type Code, type Project } from './project.js'

/** A commit in the branch. `own`: the developer's part of a merge. */
export type Work = { commit: string; own?: string; at: number }

/** The commits that are work of a task itself. */
export function commitsOf(work: readonly Work[]): string[] {
  return work.map(({ own, commit }) => own ?? commit)
}

/** Commits of a task that are followed. */
const FOLLOWED = 5

/**
 * Whether nothing is left of the commits of a task: every file is as it was before the first one that
 * changed it, or at the base, if that one left it otherwise.
 */
export function isGone(
  { base, treeOf, before }: Pick<Project, 'base' | 'treeOf' | 'before'>,
  own: readonly string[],
  head: string,
): boolean {
  const commits = [...new Set(own)]
  const first = new Map<string, string>()
  for (const commit of commits)
    for (const file of changedIn(before(commit), treeOf(commit)))
      if (!first.has(file)) first.set(file, commit)
  const isSame = (file: string, one: Code, other: Code): boolean =>
    !changedIn(one, other).includes(file)
  return (
    first.size > 0 &&
    commits.length <= FOLLOWED &&
    [...first].every(
      ([file, commit]) =>
        isSame(file, before(commit), treeOf(head)) ||
        (isSame(file, base, treeOf(head)) && !isSame(file, base, treeOf(commit))),
    )
  )
}

/** Whether one of two tasks reverted the work of the other, and the other then that of the first. */
export function contradict(
  project: Pick<Project, 'base' | 'treeOf' | 'before'>,
  one: readonly Work[],
  other: readonly Work[],
): boolean {
  const reverts = (commits: readonly Work[], work: readonly Work[]): Work[] =>
    commits.filter(({ commit, at }) =>
      isGone(project, commitsOf(work.filter((before) => before.at < at)), commit),
    )
  const isRound = (first: readonly Work[], second: readonly Work[]): boolean =>
    reverts(first, second).some(({ at }) => reverts(second, first).some((later) => later.at > at))
  return isRound(one, other) || isRound(other, one)
}
