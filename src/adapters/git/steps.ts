// Steps that move a workspace's branch, exactly once: the same input gives the same commit, however
// often and from which point a killed attempt is repeated.
//
// Every command before the last `update-ref` can be repeated without a trace but snapshots; after
// it the commit itself, known by its trailers and its parent, says that the step is done. One step
// at a time per workspace: that is the workflow's business, nothing here holds a lock.
import type { CommitInput, CommitResult, Workspace } from '../../contract/workspace.js'
import { leftOnBranches, noteCloneBranches } from './clone/clone-branches.js'
import { keepCandidate, stepTrailers } from './candidates.js'
import { advanceBranch, commitTree, treeOf } from './commits.js'
import { git } from './git.js'
import { changedAttributes, newAttributes } from './attributes.js'
import { restoredSettings } from './git-settings.js'
import { keepIndex, stage, withOwnIndex, type PrivateIndex } from './index-file.js'
import { keepForStep, keptByStep } from './kept-work.js'
import { openWorkspace } from './open-workspace.js'
import { commitInParts, commitsOfStep, findDone, partsIn, type Split } from './parts.js'
import { headRef, inRepo, resolve, type Repo } from './repo.js'
import {
  findTampering,
  repairFiles,
  writeEntries,
  type Guard,
  type Repair,
  type RestoreParts,
} from './tamper.js'
import { changedBytes } from './tracked-bytes.js'
import { diffTrees } from './tree-diff.js'
import { attach, putBack, settled } from './work-tree.js'

export {
  changedFiles,
  measuringTree,
  restoreTree,
  showTree,
  snapshotUncommitted,
} from './work-tree.js'

/** Files that travel with a result. */
const FILES_SHOWN = 50
const TAMPERED_SHOWN = 20
const CHANGED_TESTS_SHOWN = 20

/** Input of `goBackStep`. `toTree` is a commit whose tree comes back. */
export type GoBackStep = CommitInput & { toTree: string }

/**
 * Commits the whole work tree as one step on top of `expectHead`.
 *
 * What the agent did with git in its clone makes no difference, its files do. Attributes that
 * decide how files are staged are restored first, then the other guarded files, which are compared
 * by bytes too.
 *
 * @param guard whether changes to a file, relative to the repository, are restored whole
 * @param opts.restore repairs files that are guarded in part
 * @param opts.isTest which files are tests, where a step may change them: those it changed are
 * named
 * @param opts.added whether those that it added are named as well
 * @param opts.split groups the changed files: each group is a commit of its own
 */
export async function commitStep(
  input: CommitInput,
  guard: Guard,
  opts: {
    restore?: RestoreParts
    isTest?: (path: string) => boolean
    added?: boolean
    split?: Split | undefined
  } = {},
): Promise<CommitResult> {
  const { workspace, expectHead, step } = input
  const repo = await openWorkspace(workspace)
  await noteCloneBranches(repo, input)
  const done = await findDone(repo, input)
  if (done !== undefined) await settle(workspace, repo, done)
  else if (!(await holds(repo, input)))
    throw new Error(`commit ${expectHead} is not in ${workspace.root}`)

  const head =
    done ??
    (await withOwnIndex(repo, expectHead, async (index) => {
      const undo = (repairs: readonly Repair[]): Promise<void> =>
        undoUnseen(repo, index, input, repairs)
      await undo(await changedAttributes(repo, index, expectHead, guard))
      const unseen = await changedBytes(repo, index, expectHead, (file) => guard(file, 'changed'))
      const { tree } = await stage(repo, index, {
        head: expectHead,
        beforeAdding: async (files) => undo(await newAttributes(repo, expectHead, files, guard)),
      })
      await moveTo(repo, input, tree)
      const repairs = await findTampering(repo, expectHead, tree, guard, opts.restore)
      if (repairs.length > 0) {
        await keepTampering(repo, input, tree, repairs)
        await repairFiles(repo, index, repairs)
      }
      // What a filter or the line ends hide from git: the blob is the same, the bytes are not.
      const seen = new Set((await diffTrees(repo, expectHead, tree)).map((change) => change.path))
      await undo(unseen.filter((repair) => !seen.has(repair.path)))
      const final =
        repairs.length === 0 ? tree : await inRepo(repo, ['write-tree'], { env: index.env })
      const made =
        opts.split === undefined
          ? await commitOnce(repo, input, final)
          : await commitInParts(repo, input, final, opts.split)
      await keepIndex(repo, index, made)
      return made
    }))
  if (done === undefined) await settled(workspace, repo, head)
  const result = withNamed(
    await restoredSettings(workspace, step),
    await resultOf(repo, input, head, async (tree) =>
      (await findTampering(repo, expectHead, tree, guard, opts.restore)).map(
        (repair) => repair.path,
      ),
    ),
  )
  const tests =
    opts.isTest === undefined ? undefined : await filesIn(repo, expectHead, head, opts.isTest)
  const changedTests = (tests ?? [])
    .filter(({ before }) => opts.added === true || before !== undefined)
    .map(({ path }) => path)
    .slice(0, CHANGED_TESTS_SHOWN)
  const left = await leftOnBranches(repo, input, head)
  const noTests = opts.added === false && tests?.length === 0
  return {
    ...result,
    ...(changedTests.length === 0 ? {} : { changedTests }),
    ...(left === undefined ? {} : { leftBranches: left }),
    ...(noTests ? { noTests: true as const } : {}),
    ...(opts.split === undefined || head === expectHead
      ? {}
      : { parts: partsIn(await commitsOfStep(repo, input, head)) }),
  }
}

function withNamed(settings: readonly string[], result: CommitResult): CommitResult {
  if (settings.length === 0) return result
  return {
    ...result,
    tampered: [...settings, ...result.tampered].slice(0, TAMPERED_SHOWN),
    tamperedTotal: (result.tamperedTotal ?? 0) + settings.length,
  }
}

// Nothing is asked of git where the branch is there already.
async function holds(repo: Repo, { workspace, expectHead }: CommitInput): Promise<boolean> {
  return (
    (await resolve(repo, `refs/heads/${workspace.branch}`)) === expectHead ||
    (await resolve(repo, expectHead)) === expectHead
  )
}

// Keeps the bytes as they lie there, which no staging would, then restores the files.
async function undoUnseen(
  repo: Repo,
  index: PrivateIndex,
  input: CommitInput,
  repairs: readonly Repair[],
): Promise<void> {
  if (repairs.length === 0) return
  await writeEntries(
    repo,
    index,
    repairs.map(({ path, found }) => ({ path, entry: found })),
    input.expectHead,
  )
  await keepTampering(repo, input, await inRepo(repo, ['write-tree'], { env: index.env }), repairs)
  await repairFiles(repo, index, repairs)
}

// Those that were added or changed, not those that were removed.
async function filesIn(
  repo: Repo,
  before: string,
  after: string,
  isTest: (path: string) => boolean,
): ReturnType<typeof diffTrees> {
  const changes = before === after ? [] : await diffTrees(repo, before, after)
  return changes.filter((change) => change.after !== undefined && isTest(change.path))
}

/**
 * Makes a new commit with the tree of an earlier one. Uncommitted work is kept under a ref, not in
 * the commit.
 */
export async function goBackStep(input: GoBackStep): Promise<CommitResult> {
  const { workspace, expectHead, toTree } = input
  const repo = await openWorkspace(workspace)
  const done = await findDone(repo, input)
  await putBack(workspace, repo, done ?? expectHead, input)
  const head = done ?? (await commitOnce(repo, input, await treeOf(repo, toTree)))
  if (head !== (done ?? expectHead)) await putBack(workspace, repo, head, input)
  return resultOf(repo, input, head, () => Promise.resolve([]))
}

/**
 * Makes a new commit of a tree that is stored already. Uncommitted work is kept under a ref, not in
 * the commit.
 */
export async function commitTreeStep(input: CommitInput, tree: string): Promise<CommitResult> {
  const { workspace, expectHead } = input
  const repo = await openWorkspace(workspace)
  const done = await findDone(repo, input)
  await putBack(workspace, repo, done ?? expectHead, input)
  const head = done ?? (await commitOnce(repo, input, tree))
  await putBack(workspace, repo, head, input)
  return resultOf(repo, input, head, () => Promise.resolve([]))
}

// The files are there since before the commit; index and HEAD may not be.
async function settle(workspace: Workspace, repo: Repo, head: string): Promise<void> {
  await withOwnIndex(repo, head, async (index) => {
    await git(repo.root, ['update-index', '-q', '--refresh'], {
      env: { ...repo.env, ...index.env },
      okCodes: [1],
    })
    await attach(workspace, repo, head)
    await keepIndex(repo, index, head)
  })
  await settled(workspace, repo, head)
}

// One ref at a time, each kept before it is moved, so that a repeated attempt keeps the same
// things.
async function moveTo(repo: Repo, input: CommitInput, tree: string): Promise<void> {
  const { workspace, expectHead } = input
  const branch = `refs/heads/${workspace.branch}`
  const attached = repo.own || (await headRef(repo)) === branch
  const tip = await resolve(repo, branch)
  if (tip !== undefined && tip !== expectHead)
    await keepForStep(repo, input, { tree, parents: [tip] })
  if (tip !== expectHead)
    await inRepo(repo, ['update-ref', '-m', 'ratchet: move', branch, expectHead, tip ?? ''])
  if (attached) return
  const elsewhere = await resolve(repo, 'HEAD')
  if (elsewhere !== undefined && elsewhere !== expectHead)
    await keepForStep(repo, input, { tree, parents: [elsewhere] })
  await inRepo(repo, ['symbolic-ref', '-m', 'ratchet: attach', 'HEAD', branch])
}

// Not again what an earlier attempt has kept: it may have restored a part of it already.
async function keepTampering(
  repo: Repo,
  input: CommitInput,
  tree: string,
  repairs: readonly Repair[],
): Promise<void> {
  const { tampered } = await keptByStep(repo, input)
  for (const { commit } of tampered) {
    const missing = new Set((await diffTrees(repo, commit.tree, tree)).map((change) => change.path))
    if (repairs.every((repair) => !missing.has(repair.path))) return
  }
  await keepForStep(repo, input, { tree, parents: [input.expectHead], tampered: true })
}

async function commitOnce(repo: Repo, input: CommitInput, tree: string): Promise<string> {
  const { expectHead, at, subject, body } = input
  if (tree === (await treeOf(repo, expectHead))) return expectHead
  const commit = await commitTree(repo, {
    tree,
    parents: [expectHead],
    at,
    subject,
    ...(body !== undefined && { body }),
    trailers: stepTrailers(input),
  })
  if (input.candidate !== undefined) await keepCandidate(repo, input.workspace, commit)
  await advanceBranch(repo, input, commit)
  return commit
}

// From what is stored only, so that a repeated attempt answers the same.
async function resultOf(
  repo: Repo,
  input: CommitInput,
  head: string,
  tamperedIn: (tree: string) => Promise<string[]>,
): Promise<CommitResult> {
  const files =
    head === input.expectHead
      ? []
      : (await diffTrees(repo, input.expectHead, head)).map((change) => change.path)
  const kept = await keptByStep(repo, input)
  const tampered = new Set<string>()
  for (const { commit } of kept.tampered)
    for (const file of await tamperedIn(commit.tree)) tampered.add(file)
  const snapshot = kept.moved.at(-1)?.ref ?? kept.tampered.at(-1)?.ref
  return {
    head,
    commit: head === input.expectHead ? null : head,
    files: files.slice(0, FILES_SHOWN),
    filesTotal: files.length,
    tampered: [...tampered].sort().slice(0, TAMPERED_SHOWN),
    tamperedTotal: tampered.size,
    ...(snapshot !== undefined && { snapshot }),
  }
}
