// Candidates: commits of a fix that no verdict has judged yet. The branch of a workspace shows one
// while it is measured; no other branch ever does.
//
// A candidate names its ref in a trailer. The ref keeps it, also after its verdict, until the refs
// of the run are removed.
import type { CommitInput, Workspace } from '../../contract/workspace.js'
import { readCommit, refPart, type Commit } from './commits.js'
import { candidateName, keptName, keptRefs } from './ratchet-refs.js'
import { inRepo, isAncestor, refsBelow, resolve, type Repo } from './repo.js'

const PENDING = 'Ratchet-Pending'
/** Candidate that an accepted commit was measured as. */
export const CANDIDATE = 'Ratchet-Candidate'

type Place = Pick<Workspace, 'branch'>

/** Trailers of a commit of a step; a candidate has its name in them. */
export function stepTrailers({
  run,
  step,
  candidate,
}: Pick<CommitInput, 'run' | 'step' | 'candidate'>): Record<string, string> {
  return {
    'Ratchet-Run': run,
    'Ratchet-Step': step,
    ...(candidate === undefined ? {} : { [PENDING]: candidateName(refPart(candidate)) }),
  }
}

/** Points the ref of a candidate to it. What the ref held before stays reachable. */
export async function keepCandidate(repo: Repo, place: Place, commit: string): Promise<void> {
  const ref = refOf(place, await readCommit(repo, commit))
  if (ref !== undefined) await pointTo(repo, place, ref, commit)
}

/** Points a ref of a candidate to a commit of the repository. */
export async function pointTo(
  repo: Repo,
  place: Place,
  ref: string,
  commit: string,
): Promise<void> {
  const there = await resolve(repo, ref)
  if (there === commit) return
  if (there !== undefined && !(await isAncestor(repo, there, commit)))
    await inRepo(repo, ['update-ref', keptRefs.old(keptName(place.branch), there), there])
  await inRepo(repo, ['update-ref', ref, commit])
}

/** Whether a commit is a candidate that its ref keeps. */
export async function isKeptCandidate(repo: Repo, place: Place, commit: string): Promise<boolean> {
  const ref = refOf(place, await readCommit(repo, commit))
  const kept = ref === undefined ? undefined : await resolve(repo, ref)
  return kept !== undefined && (await isAncestor(repo, commit, kept))
}

/** Candidates of a run, by ref. */
export async function candidatesOf(
  repo: Repo,
  place: Place,
): Promise<{ ref: string; sha: string }[]> {
  const folder = keptRefs.below(keptName(place.branch))
  const refs = await refsBelow(repo, folder)
  return refs.filter(({ ref }) => ref.startsWith(`${folder}/${candidateName('')}`))
}

/** The newest commit that is no candidate: the commit itself, or the one its candidates follow. */
export async function acceptedAt(repo: Repo, commit: string): Promise<string> {
  let at = await readCommit(repo, commit)
  const run = at.trailers.get('Ratchet-Run')
  for (;;) {
    const [parent] = at.parents
    if (!at.trailers.has(PENDING) || at.trailers.get('Ratchet-Run') !== run || parent === undefined)
      return at.sha
    at = await readCommit(repo, parent)
  }
}

/** The candidate that a commit was measured as, if it has the same tree. */
export async function measuredAs(repo: Repo, commit: string): Promise<string | undefined> {
  const { tree, trailers } = await readCommit(repo, commit)
  const named = trailers.get(CANDIDATE)
  const candidate = named === undefined ? undefined : await resolve(repo, named)
  if (candidate === undefined) return undefined
  return (await readCommit(repo, candidate)).tree === tree ? candidate : undefined
}

function refOf(place: Place, { trailers }: Commit): string | undefined {
  const name = trailers.get(PENDING)
  return name === undefined || name !== refPart(name)
    ? undefined
    : keptRefs.candidate(keptName(place.branch), name)
}
