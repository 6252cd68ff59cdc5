// Branches and refs that Ratchet keeps in the user's repository. Everything else there is the
// user's.
import { readCommit } from './commits.js'
import { checkedOut, inRepo, resolve, type Repo } from './repo.js'

/** Where runs have their branches: the second where a branch called `ratchet` blocks the first. */
const PREFIXES = ['ratchet', 'ratchet-runs'] as const

/** Record name in a branch of Ratchet's, or `undefined` for other branches. */
export function nameOfBranch(branch: string): string | undefined {
  const prefix = PREFIXES.find((one) => branch.startsWith(`${one}/`))
  return prefix === undefined ? undefined : branch.slice(prefix.length + 1)
}

/** Name below which the refs of a branch are kept. */
export function keptName(branch: string): string {
  return nameOfBranch(branch) ?? branch
}

/** Refs below which a run keeps what is not on its branch. */
export const keptRefs = {
  /** Head of a run whose branch could not be moved. */
  head: (name: string) => `refs/ratchet/${name}/head`,
  /** Folder of all of them. */
  below: (name: string) => `refs/ratchet/${name}`,
  /** A commit that is measured, or was measured and rolled back. */
  candidate: (name: string, candidate: string) => `refs/ratchet/${name}/${candidate}`,
  /** A worker's commit that is not merged yet. */
  worker: (name: string, worker: string) => `refs/ratchet/${name}/workers/${worker}`,
  /** Tips that a branch of the name had before. */
  old: (name: string, commit: string) => `refs/ratchet/old/${name}/${commit.slice(0, 10)}`,
} as const

/** Last part of the ref of a candidate. */
export function candidateName(candidate: string): string {
  return `candidate-${candidate}`
}

/** Removes a ref, where it is there. */
export async function removeRef(repo: Repo, ref: string): Promise<void> {
  if ((await resolve(repo, ref)) !== undefined) await inRepo(repo, ['update-ref', '-d', ref])
}

/**
 * Puts away the head that an earlier run could not put on the branch: it is not the head of the
 * next one.
 */
export async function retireHead(repo: Repo, name: string, branch: string): Promise<void> {
  const ref = keptRefs.head(keptName(branch))
  const commit = await resolve(repo, ref)
  if (commit === undefined) return
  await inRepo(repo, ['update-ref', keptRefs.old(name, commit), commit])
  await inRepo(repo, ['update-ref', '-d', ref])
}

/** A free or reusable branch; `oldTip` is what it points to now. */
export type BranchChoice = { branch: string; oldTip: string | undefined; warnings: string[] }

/** Attempts before giving up; reached only if such branches are created on purpose. */
const MAX_SUFFIX = 100

/**
 * Chooses the branch of a run. An existing branch of the name is reused only if nothing of the
 * user's is lost and no worktree has it checked out.
 *
 * @param here worktree that continues with its checked out branch, for `in-place`
 */
export async function chooseBranch(repo: Repo, name: string, here?: string): Promise<BranchChoice> {
  const warnings: string[] = []
  const prefix = await freePrefix(repo, warnings)
  const inUse = await checkedOut(repo)
  for (let suffix = 1; suffix <= MAX_SUFFIX; suffix++) {
    const branch = suffix === 1 ? `${prefix}/${name}` : `${prefix}/${name}-${suffix}`
    const problem = await blockedBy(repo, branch, inUse, here)
    if (problem === undefined)
      return { branch, oldTip: await resolve(repo, `refs/heads/${branch}`), warnings }
    warnings.push(`${problem}; the branch of this run has another name`)
  }
  throw new Error(`no free branch name for ${name} in ${repo.root}`)
}

async function freePrefix(repo: Repo, warnings: string[]): Promise<string> {
  for (const prefix of PREFIXES) {
    if ((await resolve(repo, `refs/heads/${prefix}`)) === undefined) return prefix
    warnings.push(
      `your branch "${prefix}" blocks branch names below ${prefix}/ in git; the branch of this run has another name`,
    )
  }
  throw new Error(
    `the branches ${PREFIXES.join(' and ')} leave no name for Ratchet in ${repo.root}`,
  )
}

async function blockedBy(
  repo: Repo,
  branch: string,
  inUse: Map<string, string>,
  here: string | undefined,
): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`
  if ((await inRepo(repo, ['for-each-ref', '--count=1', '--format=%(refname)', `${ref}/`])) !== '')
    return `branches below ${branch}/ exist`
  const worktree = inUse.get(ref)
  if (worktree !== undefined)
    return worktree === here ? undefined : `the branch ${branch} is checked out in ${worktree}`
  const tip = await resolve(repo, ref)
  if (
    tip === undefined ||
    (await readCommit(repo, tip)).ours ||
    (await reachableElsewhere(repo, tip, ref))
  )
    return undefined
  return `the branch ${branch} holds commits that are not Ratchet's`
}

/** Whether a commit is reachable from a ref other than the given one and Ratchet's own. */
export async function reachableElsewhere(
  repo: Repo,
  commit: string,
  except: string,
): Promise<boolean> {
  const refs = (
    await inRepo(repo, ['for-each-ref', '--format=%(refname)', '--contains', commit])
  ).split('\n')
  return refs.some(
    (ref) =>
      ref !== '' &&
      ref !== except &&
      !ref.startsWith('refs/ratchet/') &&
      !PREFIXES.some((prefix) => ref.startsWith(`refs/heads/${prefix}/`)),
  )
}

/**
 * Points a branch of Ratchet's to a commit. Its earlier tip stays reachable under
 * `refs/ratchet/old/`. Can be repeated.
 *
 * @throws GitError where the branch is not at `oldTip` any more
 */
export async function moveBranch(
  repo: Repo,
  name: string,
  { branch, oldTip }: { branch: string; oldTip: string | undefined },
  to: string,
): Promise<void> {
  const ref = `refs/heads/${branch}`
  if ((await resolve(repo, ref)) === to) return
  if (oldTip !== undefined) await inRepo(repo, ['update-ref', keptRefs.old(name, oldTip), oldTip])
  await inRepo(repo, ['update-ref', '-m', 'ratchet: start', ref, to, oldTip ?? ''])
}
