// Decides where a run begins: the commit, the branch and its old tip. Every attempt of a
// preparation has the same plan.
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { acceptedAt } from '../git/candidates.js'
import { chooseBranch, keptRefs } from '../git/ratchet-refs.js'
import { resolve, type Repo } from '../git/repo.js'
import { snapshotWorkTree } from '../git/user-repository/snapshot.js'
import { listTree } from '../git/tree-diff.js'
import { checkTree, type ProjectRepo } from './checks.js'
import { findContinuation, lostWarning, type ContinueFrom } from './continue.js'
import { branchHead, type Plan } from './state.js'

export type PlanInput = {
  /** Absolute path; may be a subfolder of its repository. */
  project: string
  /** Workflow id. A workspace belongs to one run. */
  run: string
  /** Run id of the workflow's first execution: another one for an id that is started again. */
  chain: string
  /** Time of the snapshot, epoch milliseconds, from the workflow. */
  at: number
  /** Revision to start from instead of the working tree. */
  base?: string | undefined
  /**
   * The session was started earlier: it continues at its branch, or from the start if nothing is
   * left of the branch.
   */
  continueFrom?: ContinueFrom | undefined
  onProgress?: (text: string) => void
}

/** Makes the plan. It adds objects to the user's repository and changes no ref. */
export async function makePlan(
  place: ProjectRepo,
  name: string,
  dir: string,
  input: PlanInput,
): Promise<Plan> {
  const { repo } = place
  const { run, chain, project, at, base, continueFrom } = input
  const begun =
    continueFrom === undefined ? undefined : await findContinuation(repo, name, dir, continueFrom)
  if (begun !== undefined) input.onProgress?.('continuing where it was left')
  else input.onProgress?.('taking a snapshot of the working tree')
  const start =
    begun !== undefined
      ? { commit: begun.head, nested: [] }
      : base === undefined
        ? await snapshotWorkTree(repo, { run, at })
        : { commit: await baseCommit(repo, base), nested: [] }
  checkTree(place, await listTree(repo, start.commit), start.nested)
  const accepted = begun === undefined ? undefined : await acceptedAt(repo, begun.head)
  const { branch, oldTip, warnings } =
    begun !== undefined && (await resolve(repo, `refs/heads/${begun.branch}`)) === accepted
      ? // Also where it is checked out: it is not moved
        { branch: begun.branch, oldTip: accepted, warnings: [] }
      : await chooseBranch(repo, name)
  const oldKept =
    oldTip !== undefined && (await resolve(repo, keptRefs.old(name, oldTip))) !== undefined
  const lost =
    continueFrom !== undefined && begun === undefined
      ? [lostWarning(continueFrom, base ?? 'your working tree')]
      : []
  return {
    schema: 1,
    run,
    chain,
    project,
    branch,
    base: begun?.base ?? start.commit,
    ...(begun !== undefined && { head: begun.head }),
    ...(begun !== undefined && accepted !== begun.head && { accepted }),
    ...(oldTip !== undefined && { oldTip }),
    ...(oldKept && { oldKept }),
    warnings: [...lost, ...warnings],
  }
}

async function baseCommit(repo: Repo, base: string): Promise<string> {
  const commit = await resolve(repo, base)
  if (commit === undefined)
    throw new RefusalError(
      BAD_INPUT,
      `base: ${JSON.stringify(base)} is not a commit`,
      repo.root,
      'name a branch, a tag or a commit of the repository',
    )
  return commit
}

/** Returns whether a plan still fits: others may have moved or created its branch since. */
export async function holds(user: Repo, plan: Plan): Promise<boolean> {
  const tip = await resolve(user, `refs/heads/${plan.branch}`)
  return tip === plan.oldTip || tip === branchHead(plan)
}
