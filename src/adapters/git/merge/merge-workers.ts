// Joins the work of parallel workers on the run's branch: a commit for each clone, one merge, one
// move of the branch. Exactly once, like every step: the same input gives the same commits from any
// point at which a killed attempt is repeated, and answers to its conflicts continue where it had
// stopped.
//
// Until every conflict is answered the run's workspace does not change; refs of the run hold the
// workers' commits.
import type { MergeWorkersAnswer } from '../../../contract/dev-loop/loop-step.js'
import { PARALLEL_ACTIONS, type ParallelAction } from '../../../contract/dev-loop/loop-input.js'
import type { CommitResult, LeftBranches, Workspace } from '../../../contract/workspace.js'
import { failpoint } from '../../failpoint.js'
import { advanceBranch, commitTree, refPart } from '../commits.js'
import { withOwnIndex } from '../index-file.js'
import { bringLfsSince } from '../lfs.js'
import { openWorkspace } from '../open-workspace.js'
import { mergeMany, type Choices, type ManyMerged, type Side } from './merge-many.js'
import { keptName, keptRefs, removeRef } from '../ratchet-refs.js'
import { bringObjects, inRepo, ownRepo, resolve, type Repo } from '../repo.js'
import { commitStep } from '../steps.js'
import { writeEntries, type Guard, type RestoreParts } from '../tamper.js'
import { diffTrees } from '../tree-diff.js'
import { putBack } from '../work-tree.js'

/** Conflicts and files that travel with an answer. */
const SHOWN = 50

export type MergeWorkers = {
  run: string
  step: string
  workspace: Workspace
  /** Head that the clones were made at. */
  expectHead: string
  /** Epoch milliseconds, from the workflow. */
  at: number
  subject: string
  /**
   * `guard`: what a worker may not change, which is restored and named. `isTest`: those it changed
   * are named.
   */
  workers: readonly {
    action: ParallelAction
    workspace: Workspace
    guard: Guard
    isTest?: (path: string) => boolean
  }[]
  restore?: RestoreParts
  /** One for a file without a conflict is ignored. */
  choices: Choices
}

/**
 * `changedTests`: tests that were there before and that a worker changed, the first 20.
 * `leftBranches`: what it committed on other branches of its clone alone.
 */
export type WorkersMerged = Omit<MergeWorkersAnswer, 'warnings' | 'workers'> & {
  workers: (MergeWorkersAnswer['workers'][number] & {
    changedTests?: string[]
    leftBranches?: LeftBranches
  })[]
}

type Committed = { action: ParallelAction; result: CommitResult }

/**
 * Commits each clone's work and merges it on `expectHead`, in the order develop, debug, validate.
 *
 * One worker's changes become the head as they are; those of several get a merge of their commits.
 * With open conflicts the answer names them and the head stays.
 *
 * @throws WorkspaceMissingError where the workspace or a clone was removed
 */
export async function mergeWorkers(input: MergeWorkers): Promise<WorkersMerged> {
  const { workspace, expectHead } = input
  failpoint('merge:begin')
  const repo = await openWorkspace(workspace)
  if (
    (await resolve(repo, `refs/heads/${workspace.branch}`)) !== expectHead &&
    (await resolve(repo, expectHead)) !== expectHead
  )
    throw new Error(`commit ${expectHead} is not in ${workspace.root}`)
  const committed = await commitEach(input, repo)
  const sides = committed.flatMap(({ action, result }): Side[] =>
    result.commit === null ? [] : [{ action, commit: result.commit }],
  )
  failpoint('merge:commits')

  const workers = committed.map(
    ({ action, result: { commit, files, filesTotal, tampered, changedTests, leftBranches } }) => ({
      action,
      commit,
      files,
      filesTotal,
      undone: tampered,
      changedTests,
      leftBranches,
    }),
  )
  const merged =
    sides.length < 2 ? undefined : await mergeMany(repo, expectHead, sides, input.choices)
  if (merged !== undefined && merged.open.length > 0)
    return {
      head: expectHead,
      commits: [],
      files: [],
      filesTotal: 0,
      conflicts: merged.open
        .slice(0, SHOWN)
        .map((one) => ({ ...one, resolution: 'manual' as const })),
      conflictsTotal: merged.open.length,
      workers,
    }

  const head =
    merged === undefined
      ? (sides[0]?.commit ?? expectHead)
      : await commitMerge(input, repo, sides, merged)
  await moveTo(input, repo, head)
  for (const { action } of input.workers) await removeRef(repo, workerRef(input, action))
  const files =
    head === expectHead ? [] : (await diffTrees(repo, expectHead, head)).map(({ path }) => path)
  const commits = [...new Set([...sides.map(({ commit }) => commit), head])].filter(
    (commit) => commit !== expectHead,
  )
  return {
    head,
    commits,
    files: files.slice(0, SHOWN),
    filesTotal: files.length,
    conflicts: [],
    conflictsTotal: 0,
    workers,
  }
}

/** Holds a worker's commit in the run's repository until it is part of the branch. */
function workerRef({ workspace: { branch }, step }: MergeWorkers, action: ParallelAction): string {
  return keptRefs.worker(keptName(branch), `${refPart(step)}-${action}`)
}

async function commitEach(input: MergeWorkers, repo: Repo): Promise<Committed[]> {
  const { run, step, expectHead, at, subject, restore } = input
  const committed: Committed[] = []
  for (const action of PARALLEL_ACTIONS) {
    const worker = input.workers.find((one) => one.action === action)
    if (worker === undefined) continue
    const { workspace, guard, isTest } = worker
    const result = await commitStep(
      {
        workspace,
        run,
        step: `${step}/${action}`,
        expectHead,
        at,
        subject: `${subject}: ${action}`,
      },
      guard,
      { ...(restore && { restore }), ...(isTest && { isTest }) },
    )
    if (result.commit !== null) {
      await fetchCommit(repo, workspace, result.commit, workerRef(input, action))
      await bringLfsSince(ownRepo(workspace.root), repo, { base: expectHead, head: result.commit })
    }
    committed.push({ action, result })
  }
  return committed
}

async function fetchCommit(
  repo: Repo,
  from: Workspace,
  commit: string,
  ref: string,
): Promise<void> {
  await bringObjects(ownRepo(from.root), repo, `refs/heads/${from.branch}`, ref)
  if ((await resolve(repo, ref)) !== commit)
    throw new Error(`the branch ${from.branch} moved after its commit in ${from.root}`)
}

async function commitMerge(
  { run, step, expectHead, at, subject }: MergeWorkers,
  repo: Repo,
  sides: readonly Side[],
  { writes, chosen }: ManyMerged,
): Promise<string> {
  const tree = await withOwnIndex(repo, expectHead, async (index) => {
    await writeEntries(
      repo,
      index,
      [...writes].map(([path, entry]) => ({ path, entry })),
      expectHead,
      { bytes: true },
    )
    return inRepo(repo, ['write-tree'], { env: index.env })
  })
  const taken = chosen.map(
    ({ file, whose }) =>
      `${file}: ${whose === 'base' ? 'left as it was' : `the version of ${whose}`}`,
  )
  return commitTree(repo, {
    tree,
    parents: sides.map(({ commit }) => commit),
    at,
    subject,
    body: taken.slice(0, SHOWN).join('\n'),
    trailers: { 'Ratchet-Run': run, 'Ratchet-Step': step },
  })
}

// Uncommitted work in the run's workspace is kept before the branch moves.
async function moveTo(input: MergeWorkers, repo: Repo, head: string): Promise<void> {
  const { workspace, expectHead } = input
  const ref = `refs/heads/${workspace.branch}`
  const isDone = (await resolve(repo, ref)) === head
  await putBack(workspace, repo, isDone ? head : expectHead, input)
  if (isDone || head === expectHead) return
  await advanceBranch(repo, input, head)
  failpoint('merge:moved')
  await putBack(workspace, repo, head, input)
}
