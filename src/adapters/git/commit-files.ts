// Files of a commit as text: what is tracked, and nothing that an agent left in the tree. Links are
// not followed, long files not read.
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { holdsSecrets } from '../../core/test-fix/code/failing-code.js'
import { ownPath } from '../workspace/own-path.js'
import { git } from './git.js'
import { inRepo, workspaceRepo, type Repo } from './repo.js'
import { diffTrees, isPlain, listTree, readBlob } from './tree-diff.js'

/** Largest file that is read, in bytes, and largest one whose patch is made. */
const FILE_BYTES = 200_000
/** Most files in a patch. */
const PATCH_FILES = 20

export type CommitFiles = {
  has: (file: string) => boolean
  /** `undefined` if it is no file, no text, or too long. */
  read: (file: string) => Promise<string | undefined>
  /** Name of the content of a file. */
  blobOf: (file: string) => string | undefined
}

/** The files of a commit below the project, by paths relative to it. */
export async function commitFiles(workspace: Workspace, commit: string): Promise<CommitFiles> {
  const repo = await workspaceRepo(workspace)
  const own = ownPath(workspace)
  const entries = [...(await listTree(repo, commit))].filter(([, entry]) => isPlain(entry))
  const prefix = prefixOf(workspace)
  const blobs = new Map(
    entries.flatMap(([file, { sha }]) => (file.startsWith(prefix) ? [[own(file), sha]] : [])),
  )
  return {
    has: (file) => blobs.has(file),
    blobOf: (file) => blobs.get(file),
    async read(file) {
      const sha = blobs.get(file)
      if (sha === undefined) return undefined
      const bytes = Number(await inRepo(repo, ['cat-file', '-s', sha]))
      if (bytes > FILE_BYTES) return undefined
      const text = await readBlob(repo, sha)
      return text.includes('\u0000') || text.includes('\ufffd') ? undefined : text
    },
  }
}

/** What the paths of the project's own files begin with, in the repository. */
function prefixOf({ root, cwd }: Workspace): string {
  const folder = path.relative(root, cwd)
  return folder === '' ? '' : `${folder}/`
}

/** Files that differ between two commits, relative to the project. */
export async function filesBetween(
  workspace: Workspace,
  before: string,
  after: string,
): Promise<string[]> {
  if (before === after) return []
  const repo = await workspaceRepo(workspace)
  return (await diffTrees(repo, before, after)).map(({ path }) => ownPath(workspace)(path))
}

/**
 * What a commit changed in the project as a patch, of the first files and without those that hold
 * secrets; empty if they are long or none.
 *
 * @param first the first of several commits that are one change
 */
export async function patchOf(
  workspace: Workspace,
  commit: string,
  first = commit,
): Promise<string> {
  const repo = await workspaceRepo(workspace)
  const { code } = await git(repo.root, ['cat-file', '-e', `${first}^`], {
    env: repo.env,
    okCodes: [1, 128],
  })
  if (code !== 0) return ''
  const prefix = prefixOf(workspace)
  return patchBetween(repo, `${first}^`, commit, {
    isWanted: (file) => file.startsWith(prefix) && !holdsSecrets(file),
    context: 3,
  })
}

/**
 * What changed between two commits as a patch, of the first files; empty if they are long or none.
 *
 * @param p.context unchanged lines around a change
 */
export async function patchBetween(
  repo: Repo,
  from: string,
  to: string,
  p: { isWanted?: (file: string) => boolean; context: number },
): Promise<string> {
  const changes = (await diffTrees(repo, from, to))
    .filter(({ path: file }) => p.isWanted?.(file) ?? true)
    .slice(0, PATCH_FILES)
  const small: string[] = []
  for (const { path, before, after } of changes) {
    const sides = [before, after].filter((side) => side !== undefined)
    if (!sides.every(isPlain)) continue
    const sizes = await Promise.all(
      sides.map(({ sha }) => inRepo(repo, ['cat-file', '-s', sha]).then(Number)),
    )
    if (sizes.every((bytes) => bytes <= FILE_BYTES)) small.push(path)
  }
  if (small.length === 0) return ''
  return inRepo(repo, [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-renames',
    `-U${p.context}`,
    from,
    to,
    '--',
    ...small.map((file) => `:(top,literal)${file}`),
  ])
}
