// Steps that move a workspace's branch, exactly once: the same input gives the same commit, however
// often and from whatever point a killed attempt is repeated. Source: architecture §5 "Exactly once".
//
// Every command before the last `update-ref` can be repeated without a trace but snapshots; after it
// the commit itself, known by its trailers and its parent, says that the step is done. One step at a
// time per workspace: that is the workflow's business, nothing here holds a lock.
import type { CommitInput, CommitResult, Workspace } from '../../contract/workspace.js'
import { commitTree, readCommit, treeOf } from './commits.js'
import { git } from './git.js'
import { keepIndex, stage, withOwnIndex } from './index-file.js'
import { keepForStep, keptByStep } from './kept-work.js'
import { endOperations, openWorkspace } from './mend.js'
import type { Repo } from './repo.js'
import { headRef, inRepo, resolve } from './repo.js'
import type { Guard, Repair, RestoreParts } from './tamper.js'
import { findTampering, repairFiles } from './tamper.js'
import { diffTrees } from './tree-diff.js'
import { attach, putBack } from './work-tree.js'

export { changedFiles, restoreTree, showTree, snapshotUncommitted } from './work-tree.js'

/** Files that travel with a result. */
const FILES_SHOWN = 50
const TAMPERED_SHOWN = 20
const CHANGED_TESTS_SHOWN = 20

/** Input of `rollbackStep`. `toTree` is a commit whose tree comes back. */
export type RollbackInput = CommitInput & { toTree: string }

/**
 * Commits the whole work tree as one step on top of `expectHead`.
 *
 * Commits, branch switches and resets by the agent are undone with the files left as they are, so they
 * become part of the step. Guarded files are restored first.
 *
 * @param guard whether what was done to a file, relative to the repository, is put back whole
 * @param opts.restore repairs files that are guarded in part
 * @param opts.isTest which files are tests, where a step may change them: those it changed are named
 */
export async function commitStep(input: CommitInput, guard: Guard, opts: { restore?: RestoreParts; isTest?: (path: string) => boolean } = {}): Promise<CommitResult> {
  const { workspace, expectHead } = input
  const repo = await openWorkspace(workspace)
  const done = await findDone(repo, input)
  if (done !== undefined) await settle(workspace, repo, done)
  else if ((await resolve(repo, expectHead)) !== expectHead) throw new Error(`commit ${expectHead} is not in ${workspace.root}`)

  const head = done ?? (await withOwnIndex(repo, expectHead, async (index) => {
    const { tree } = await stage(repo, index)
    await moveTo(repo, input, tree)
    const repairs = await findTampering(repo, expectHead, tree, guard, opts.restore)
    if (repairs.length > 0) {
      await keepTampering(repo, input, tree, repairs)
      await repairFiles(repo, index, repairs)
    }
    const made = await commitOnce(repo, input, repairs.length === 0 ? tree : await inRepo(repo, ['write-tree'], { env: index.env }))
    await keepIndex(repo, index)
    await endOperations(workspace, repo)
    return made
  }))
  const result = await resultOf(repo, input, head, async (tree) => (await findTampering(repo, expectHead, tree, guard, opts.restore)).map((repair) => repair.path))
  const changedTests = opts.isTest === undefined ? [] : await changedIn(repo, expectHead, head, opts.isTest)
  return changedTests.length === 0 ? result : { ...result, changedTests }
}

async function changedIn(repo: Repo, before: string, after: string, isTest: (path: string) => boolean): Promise<string[]> {
  const changes = before === after ? [] : await diffTrees(repo, before, after)
  return changes.filter((change) => change.before !== undefined && change.after !== undefined && isTest(change.path)).map(({ path }) => path).slice(0, CHANGED_TESTS_SHOWN)
}

/** Makes a new commit with the tree of an earlier one. Uncommitted work is kept under a ref, not in the commit. */
export async function rollbackStep(input: RollbackInput): Promise<CommitResult> {
  const { workspace, expectHead, toTree } = input
  const repo = await openWorkspace(workspace)
  const done = await findDone(repo, input)
  await putBack(workspace, repo, done ?? expectHead, input)
  const head = done ?? (await commitOnce(repo, input, await treeOf(repo, toTree)))
  if (head !== (done ?? expectHead)) await putBack(workspace, repo, head, input)
  return resultOf(repo, input, head, () => Promise.resolve([]))
}

// This very step's commit, where an earlier attempt got that far.
async function findDone(repo: Repo, { workspace, run, step, expectHead }: CommitInput): Promise<string | undefined> {
  const tip = await resolve(repo, `refs/heads/${workspace.branch}`)
  if (tip === undefined || tip === expectHead) return undefined
  const { parents, trailers } = await readCommit(repo, tip)
  const isOurs = trailers.get('Ratchet-Run') === run && trailers.get('Ratchet-Step') === step && parents.length === 1 && parents[0] === expectHead
  return isOurs ? tip : undefined
}

// The files are there since before the commit; index and HEAD may not be.
async function settle(workspace: Workspace, repo: Repo, head: string): Promise<void> {
  await withOwnIndex(repo, head, async (index) => {
    await git(repo.root, ['update-index', '-q', '--refresh'], { env: { ...repo.env, ...index.env }, okCodes: [1] })
    await attach(workspace, repo, head)
    await keepIndex(repo, index)
    await endOperations(workspace, repo)
  })
}

// One ref at a time, each kept before it is moved, so that a repeated attempt keeps the same things.
async function moveTo(repo: Repo, input: CommitInput, tree: string): Promise<void> {
  const { workspace, expectHead } = input
  const branch = `refs/heads/${workspace.branch}`
  const attached = (await headRef(repo)) === branch
  const tip = await resolve(repo, branch)
  if (tip !== undefined && tip !== expectHead) await keepForStep(repo, input, { tree, parents: [tip] })
  if (tip !== expectHead) await inRepo(repo, ['update-ref', '-m', 'ratchet: move', branch, expectHead, tip ?? ''])
  if (attached) return
  const elsewhere = await resolve(repo, 'HEAD')
  if (elsewhere !== undefined && elsewhere !== expectHead) await keepForStep(repo, input, { tree, parents: [elsewhere] })
  await inRepo(repo, ['symbolic-ref', '-m', 'ratchet: attach', 'HEAD', branch])
}

// Not again what an earlier attempt has kept: it may have restored a part of it already.
async function keepTampering(repo: Repo, input: CommitInput, tree: string, repairs: readonly Repair[]): Promise<void> {
  const { tampered } = await keptByStep(repo, input)
  for (const { commit } of tampered) {
    const missing = new Set((await diffTrees(repo, commit.tree, tree)).map((change) => change.path))
    if (repairs.every((repair) => !missing.has(repair.path))) return
  }
  await keepForStep(repo, input, { tree, parents: [input.expectHead], tampered: true })
}

async function commitOnce(repo: Repo, input: CommitInput, tree: string): Promise<string> {
  const { workspace, run, step, expectHead, at, subject, body } = input
  if (tree === (await treeOf(repo, expectHead))) return expectHead
  const trailers = { 'Ratchet-Run': run, 'Ratchet-Step': step }
  const commit = await commitTree(repo, { tree, parents: [expectHead], at, subject, ...(body !== undefined && { body }), trailers })
  await inRepo(repo, ['update-ref', '-m', `ratchet: ${step}`, `refs/heads/${workspace.branch}`, commit, expectHead])
  return commit
}

// From what is stored only, so that a repeated attempt answers the same.
async function resultOf(repo: Repo, input: CommitInput, head: string, tamperedIn: (tree: string) => Promise<string[]>): Promise<CommitResult> {
  const files = head === input.expectHead ? [] : (await diffTrees(repo, input.expectHead, head)).map((change) => change.path)
  const kept = await keptByStep(repo, input)
  const tampered = new Set<string>()
  for (const { commit } of kept.tampered) for (const file of await tamperedIn(commit.tree)) tampered.add(file)
  const snapshot = kept.moved.at(-1)?.ref ?? kept.tampered.at(-1)?.ref
  return {
    head, commit: head === input.expectHead ? null : head,
    files: files.slice(0, FILES_SHOWN), filesTotal: files.length,
    tampered: [...tampered].sort().slice(0, TAMPERED_SHOWN), tamperedTotal: tampered.size,
    ...(snapshot !== undefined && { snapshot }),
  }
}
