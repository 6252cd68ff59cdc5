// Snapshot refs: work that a step does not keep on the branch stays reachable in the workspace.
import type { CommitInput } from '../../contract/workspace.js'
import { commitTree, readCommit, refPart, type Commit } from './commits.js'
import { inRepo, refsBelow, resolve, type Repo } from './repo.js'

/** Below it lies every snapshot of a workspace. */
export const SNAPSHOTS = 'refs/ratchet/snapshots'
const TAMPERED = '-tampered'

/** Which step a snapshot belongs to. */
export type StepKey = Pick<CommitInput, 'run' | 'step' | 'expectHead' | 'at'>

/** A snapshot of a step. */
export type Kept = { ref: string; commit: Commit }

/**
 * Keeps a tree and the commits below it under a ref of the step. The same content gives the same
 * ref.
 */
export async function keepForStep(
  repo: Repo,
  key: StepKey,
  content: { tree: string; parents: string[]; tampered?: boolean },
): Promise<string> {
  const tampered = content.tampered === true
  const commit = await commitTree(repo, {
    tree: content.tree,
    parents: content.parents,
    at: key.at,
    subject: tampered
      ? 'Changes to guarded files that were not kept'
      : 'Work that was found before the step',
    trailers: {
      'Ratchet-Run': key.run,
      'Ratchet-Step': key.step,
      'Ratchet-Expect': key.expectHead,
    },
  })
  const ref = `${SNAPSHOTS}/${refPart(key.step)}-${tampered ? `${commit.slice(0, 10)}${TAMPERED}` : commit.slice(0, 10)}`
  await inRepo(repo, ['update-ref', ref, commit])
  return ref
}

/** What earlier attempts at a step have kept, first the work found before it, then tampering. */
export async function keptByStep(
  repo: Repo,
  key: StepKey,
): Promise<{ moved: Kept[]; tampered: Kept[] }> {
  const prefix = `${SNAPSHOTS}/${refPart(key.step)}-`
  const moved: Kept[] = []
  const tampered: Kept[] = []
  for (const { ref, sha } of await refsBelow(repo, SNAPSHOTS)) {
    if (!ref.startsWith(prefix)) continue
    const commit = await readCommit(repo, sha)
    const { trailers } = commit
    if (
      trailers.get('Ratchet-Run') !== key.run ||
      trailers.get('Ratchet-Step') !== key.step ||
      trailers.get('Ratchet-Expect') !== key.expectHead
    )
      continue
    ;(ref.endsWith(TAMPERED) ? tampered : moved).push({ ref, commit })
  }
  return { moved, tampered }
}

/** Keeps a tree under a label; what the label held before stays reachable through it. */
export async function keepAs(
  repo: Repo,
  label: string,
  content: { tree: string; parents: string[]; at: number },
): Promise<string> {
  const ref = `${SNAPSHOTS}/${refPart(label)}`
  const earlier = await resolve(repo, ref)
  if (earlier !== undefined) {
    const { tree, parents } = await readCommit(repo, earlier)
    if (tree === content.tree && content.parents.every((parent) => parents.includes(parent)))
      return ref
  }
  const commit = await commitTree(repo, {
    ...content,
    parents: [...content.parents, ...(earlier === undefined ? [] : [earlier])],
    subject: `Uncommitted work: ${label}`,
  })
  await inRepo(repo, ['update-ref', ref, commit])
  return ref
}
