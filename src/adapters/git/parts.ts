// Commits of the causes of one fix: the turn's changes in groups of files, a commit each, and the
// tree without some of them.
//
// The commits become part of the branch by one change of its ref, so a killed step leaves either
// all of them or none, and a repeated one makes the same.
import { MOST_CAUSES, type FixPart } from '../../contract/test-fix/task.js'
import type { CommitInput } from '../../contract/workspace.js'
import { keepCandidate, stepTrailers } from './candidates.js'
import { advanceBranch, commitTree, readCommit, treeOf, type Commit } from './commits.js'
import { withOwnIndex } from './index-file.js'
import { inRepo, resolve, type Repo } from './repo.js'
import { writeEntries } from './tamper.js'
import { diffTrees, type Change } from './tree-diff.js'

/** Groups changed files, all of them, by task; none in two groups. */
export type Split = (files: readonly string[]) => { task: string; files: readonly string[] }[]

/** Trailer of a commit that was made for one task. */
export const TASK = 'Ratchet-Task'

/** Commits a tree as one commit for each group of files. Returns the new head. */
export async function commitInParts(
  repo: Repo,
  input: CommitInput,
  tree: string,
  split: Split,
): Promise<string> {
  const { expectHead, at, subject, body } = input
  const changes = await diffTrees(repo, expectHead, tree, { bytes: true })
  const named = new Map(changes.map((change) => [textOf(change.path), change]))
  const groups = split([...named.keys()])
  let [head, done] = [expectHead, [] as Change[]]
  for (const [n, { task, files }] of groups.entries()) {
    done = [...done, ...files.flatMap((file) => named.get(file) ?? [])]
    head = await commitTree(repo, {
      tree: n === groups.length - 1 ? tree : await treeWith(repo, expectHead, done),
      parents: [head],
      at,
      subject: `${task}: ${subject}`,
      ...(body !== undefined && { body }),
      trailers: { ...stepTrailers(input), [TASK]: task },
    })
  }
  if (input.candidate !== undefined) await keepCandidate(repo, input.workspace, head)
  if (head !== expectHead) await advanceBranch(repo, input, head)
  return head
}

/** The newest commits of a branch, since `expectHead`, that one step has made; the oldest first. */
export async function commitsOfStep(
  repo: Repo,
  { run, step, expectHead }: Pick<CommitInput, 'run' | 'step'> & { expectHead?: string },
  tip: string,
): Promise<Commit[]> {
  const found: Commit[] = []
  let sha: string | undefined = tip
  while (sha !== undefined && sha !== expectHead && found.length < MOST_CAUSES) {
    const commit: Commit = await readCommit(repo, sha)
    const isOurs =
      commit.trailers.get('Ratchet-Run') === run &&
      commit.trailers.get('Ratchet-Step') === step &&
      commit.parents.length === 1
    if (!isOurs) break
    found.unshift(commit)
    sha = commit.parents[0]
  }
  return found
}

/** This very step's last commit, where an earlier attempt got that far. */
export async function findDone(repo: Repo, input: CommitInput): Promise<string | undefined> {
  const { workspace, expectHead } = input
  const tip = await resolve(repo, `refs/heads/${workspace.branch}`)
  if (tip === undefined || tip === expectHead) return undefined
  const made = await commitsOfStep(repo, input, tip)
  return made[0]?.parents[0] === expectHead ? tip : undefined
}

/** The tasks that commits were made for. */
export function partsIn(commits: readonly Commit[]): FixPart[] {
  return commits.flatMap(({ sha, trailers }) => {
    const task = trailers.get(TASK)
    return task === undefined ? [] : [{ task, commit: sha }]
  })
}

/** Tree before the first of some parts, with the changes of those that are not left out. */
export async function treeWithout(
  repo: Repo,
  parts: readonly FixPart[],
  out: readonly string[],
): Promise<string> {
  const kept = parts.filter(({ task }) => !out.includes(task))
  const changes = await Promise.all(
    kept.map(({ commit }) => diffTrees(repo, `${commit}^`, commit, { bytes: true })),
  )
  return treeWith(repo, await treeOf(repo, `${parts[0]?.commit ?? ''}^`), changes.flat())
}

/** Files that a part changed. */
export async function filesOfPart(repo: Repo, { commit }: FixPart): Promise<string[]> {
  return (await diffTrees(repo, `${commit}^`, commit)).map(({ path }) => path)
}

async function treeWith(repo: Repo, from: string, changes: readonly Change[]): Promise<string> {
  return withOwnIndex(repo, from, async (index) => {
    const entries = changes.map(({ path, after }) => ({ path, entry: after }))
    await writeEntries(repo, index, entries, from, { bytes: true })
    return inRepo(repo, ['write-tree'], { env: index.env })
  })
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
