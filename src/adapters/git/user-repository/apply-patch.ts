// Applies patches to tests, in an index of Ratchet's own: neither the work tree nor an agent has a
// part in it.
//
// Git reads a patch leniently, so its word alone is not taken: the trees before and after are
// compared, and exactly the named files may differ, each a plain file before and after. Nothing
// here decides which files are tests.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { CommitInput, CommitResult, Workspace } from '../../../contract/workspace.js'
import { partsToStrip, type Proposal } from '../../../core/test-fix/answers/test-change-answer.js'
import { GitError } from '../git.js'
import { withCopiedIndex, withOwnIndex, type PrivateIndex } from '../index-file.js'
import { openWorkspace } from '../open-workspace.js'
import { findRepo, inRepo, type Repo } from '../repo.js'
import { commitTreeStep } from '../steps.js'
import { diffTrees, isPlain } from '../tree-diff.js'

/** A patch for one file, relative to the project. */
export type FilePatch = Pick<Proposal, 'file' | 'patch'>

/** Why a patch cannot be applied. */
export type PatchRefused = { file: string; reason: string }

/** Why a patch cannot be applied to a commit, or `undefined`. */
export async function patchProblem(
  workspace: Workspace,
  commit: string,
  patch: FilePatch,
): Promise<string | undefined> {
  const repo = await openWorkspace(workspace)
  const end = await withOwnIndex(repo, commit, (index) =>
    patchedTree(repo, index, { commit, prefix: prefixOf(workspace), patches: [patch] }),
  )
  return 'refused' in end ? end.refused.reason : undefined
}

/**
 * Commits patches on top of `expectHead`, exactly once; refuses all of them where one cannot be
 * applied.
 */
export async function applyPatchesStep(
  input: CommitInput,
  patches: readonly FilePatch[],
): Promise<CommitResult | { refused: PatchRefused }> {
  const { workspace, expectHead } = input
  const repo = await openWorkspace(workspace)
  const end = await withOwnIndex(repo, expectHead, (index) =>
    patchedTree(repo, index, { commit: expectHead, prefix: prefixOf(workspace), patches }),
  )
  return 'refused' in end ? end : commitTreeStep(input, end.tree)
}

/**
 * Why patches cannot be applied to a commit in the repository around a project, or `undefined`.
 * Writes nothing.
 *
 * @param revision as of a branch that a run has published
 */
export async function patchesProblem(
  project: string,
  revision: string,
  patches: readonly FilePatch[],
): Promise<PatchRefused | undefined> {
  const repo = await findRepo(project)
  const prefix = path.relative(repo.root, realpathSync(project)).split(path.sep).join('/')
  return withCopiedIndex(repo, async (index) => {
    await inRepo(repo, ['read-tree', '--reset', revision], { env: index.env })
    for (const patch of patches) {
      const reason = await tryPatch(repo, index, prefix, patch, ['--check'])
      if (reason !== undefined) return { file: patch.file, reason }
    }
    return undefined
  })
}

type Patching = { commit: string; prefix: string; patches: readonly FilePatch[] }

/** Tree of a commit with patches applied, by an index that is at the commit. */
export async function patchedTree(
  repo: Repo,
  index: PrivateIndex,
  { commit, prefix, patches }: Patching,
): Promise<{ tree: string } | { refused: PatchRefused }> {
  for (const { file, patch } of patches) {
    const reason = await tryPatch(repo, index, prefix, { file, patch })
    if (reason !== undefined) return { refused: { file, reason } }
  }
  const tree = await inRepo(repo, ['write-tree'], { env: index.env })
  const changes = await diffTrees(repo, commit, tree)
  const wanted = patches.map(({ file }) => path.posix.join(prefix, file))
  for (const { path: changed, before, after } of changes) {
    const file = patches[0]?.file ?? changed
    if (!wanted.includes(changed))
      return { refused: { file, reason: `the patch changes ${changed}` } }
    if (
      (before !== undefined && !isPlain(before)) ||
      (after !== undefined && !isPlain(after)) ||
      (before !== undefined && after !== undefined && before.mode !== after.mode)
    )
      return { refused: { file, reason: `${changed} is no plain file, before or after the patch` } }
  }
  const idle = patches.find((_, n) => !changes.some((change) => change.path === wanted[n]))
  return idle === undefined
    ? { tree }
    : { refused: { file: idle.file, reason: 'the patch changes nothing in it' } }
}

// Agents count lines badly, so git counts them itself; and they leave out the lines behind a
// change, which git takes for the end of the file unless it is said otherwise. The lines that stand
// in the patch must be there all the same.
const TRIES: readonly (readonly string[])[] = [[], ['--unidiff-zero']]

async function tryPatch(
  repo: Repo,
  index: PrivateIndex,
  prefix: string,
  patch: FilePatch,
  more: readonly string[] = [],
): Promise<string | undefined> {
  const place = prefix === '' ? [] : [`--directory=${prefix}`]
  let reason: string | undefined
  for (const loosely of TRIES) {
    try {
      await inRepo(
        repo,
        [
          'apply',
          '--cached',
          '--recount',
          '--whitespace=nowarn',
          ...loosely,
          ...more,
          `-p${partsToStrip(patch)}`,
          ...place,
        ],
        { env: index.env, input: patch.patch },
      )
      return undefined
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      reason ??= `the patch does not apply: ${gitReason(error)}`
    }
  }
  return reason
}

function prefixOf({ root, cwd }: Workspace): string {
  return path.relative(root, cwd).split(path.sep).join('/')
}

function gitReason({ stderr }: GitError): string {
  return (
    stderr.split('\n').find((line) => line.startsWith('error: ')) ??
    stderr.split('\n')[0] ??
    ''
  )
    .replace(/^error: /, '')
    .slice(0, 200)
}
