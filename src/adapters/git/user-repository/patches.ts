// What a commit of a run changed, as a diff for people: bounded, since an agent may have committed
// anything.
import { existsSync } from 'node:fs'
import type { ChangedFile, Patch } from '../../../core/report/model.js'
import { GitError, splitZ } from '../git.js'
import { findRepo, inRepo, ownRepo, resolve, type Repo } from '../repo.js'

/** Changed lines of one file that are shown, and of one commit. */
const FILE_LINES = 600
const COMMIT_LINES = 1_500
/** Files of a commit that are listed. */
const FILES = 200
/** A longer line is cut: what is minified has all of it in one. */
const LINE_CHARS = 400
/** Of a repository that has nothing yet. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const PLAIN = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  '-U3',
] as const

/**
 * Repositories in which the commits of a run may be: the user's, and the clone that its agents
 * worked in.
 */
export async function reposOf(project: string | null, clone: string | undefined): Promise<Repo[]> {
  const found: Repo[] = []
  if (project !== null && existsSync(project)) {
    try {
      found.push(await findRepo(project))
    } catch (error) {
      if (!(error instanceof GitError)) throw error
    }
  }
  if (clone !== undefined && existsSync(clone) && existsSync(ownRepo(clone).gitDir))
    found.push(ownRepo(clone))
  return found
}

/**
 * What lies between two commits.
 *
 * @param from `parent` for what the commit itself changed
 */
export async function patchBetween(
  repos: readonly Repo[],
  from: string,
  to: string,
): Promise<Patch> {
  for (const repo of repos) {
    if ((await resolve(repo, to)) === undefined) continue
    const before =
      from === 'parent'
        ? ((await resolve(repo, `${to}^`)) ?? EMPTY_TREE)
        : await resolve(repo, from)
    if (before === undefined) continue
    const files = choose(await changes(repo, before, to))
    const shown = files.filter((file) => file.shown).map((file) => `:(top,literal)${file.path}`)
    const text =
      shown.length === 0 ? '' : await inRepo(repo, ['diff', ...PLAIN, before, to, '--', ...shown])
    return { state: 'known', from: before, to, files, text: cutLines(text) }
  }
  return {
    state: 'gone',
    to,
    why:
      repos.length === 0
        ? 'the repository is not here'
        : 'its commit is not in the repository any more: the branch and the workspace were removed',
  }
}

async function changes(repo: Repo, from: string, to: string): Promise<ChangedFile[]> {
  const items = splitZ(
    await inRepo(repo, [
      'diff',
      '--numstat',
      '-z',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      from,
      to,
    ]),
  )
  return items.map((line) => {
    const [added = '-', removed = '-', ...name] = line.split('\t')
    const lines = (text: string): number | null => (text === '-' ? null : Number(text))
    return { path: name.join('\t'), added: lines(added), removed: lines(removed), shown: false }
  })
}

// Small files first would tear a change apart: they are taken in git's order, until it is enough.
function choose(files: ChangedFile[]): ChangedFile[] {
  let left = COMMIT_LINES
  return files.slice(0, FILES).map((file) => {
    const lines = (file.added ?? 0) + (file.removed ?? 0)
    const shown = lines <= FILE_LINES && lines <= left
    if (shown) left -= lines
    return { ...file, shown }
  })
}

function cutLines(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line.length > LINE_CHARS && !/^(diff --git|---|\+\+\+) /.test(line)
        ? `${line.slice(0, LINE_CHARS)}…`
        : line,
    )
    .join('\n')
}
