// The files of `.workflow` that a repository brings: sessions, whose texts go to agents, and links,
// through which Ratchet would write somewhere else.
import { readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import type { Executable } from '../../contract/trust.js'
import { GitError, splitZ } from '../git/git.js'
import { findRepo, inRepo, type Repo } from '../git/repo.js'
import { digest } from '../state-dir.js'
import { isInside } from '../workspace/environment.js'

/** `<mode> <object> <stage>\t<name>` of `git ls-files -s`. */
const ENTRY = /^(\d+) ([0-9a-f]+) \d\t([^]*)$/
/** git's mode of a symbolic link. */
const LINK = '120000'

/** `name`: from `root`; `below`: the project from there. */
type Tracked = { root: string; below: string; files: { mode: string; id: string; name: string }[] }

/** Returns the repository of a project; `undefined` if it has none. */
export async function repoOf(project: string): Promise<Repo | undefined> {
  try {
    return await findRepo(project)
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/** Returns the tracked files as one entry, or none. */
export async function trackedSessions(
  repo: Repo | undefined,
  project: string,
): Promise<Executable[]> {
  const { files } = await tracked(repo, project)
  if (files.length === 0) return []
  const ids = files.map(({ id, name }) => `${id} ${name}`).join('\n')
  return [
    {
      what: '.workflow',
      value: `${files.length} tracked file${files.length === 1 ? '' : 's'}, ${digest(ids).slice(0, 16)}`,
    },
  ]
}

/**
 * Refuses a repository with a link in `.workflow`, or in its place, that leads out of the project.
 *
 * @throws RefusalError `UnsupportedRepository`, naming the link and its target
 */
export async function refuseLinksOut(project: string): Promise<void> {
  const { root, files } = await tracked(await repoOf(project), project)
  for (const { name } of files.filter(({ mode }) => mode === LINK)) {
    const link = path.join(root, name)
    const target = targetOf(link)
    if (target === undefined || isInside(target, realpathSync(project))) continue
    throw new RefusalError(
      'UnsupportedRepository',
      `the repository has a link that leads out of the project, and Ratchet would write there: ${name} -> ${target}`,
      link,
      `remove it: git rm ${name}`,
    )
  }
}

/** Returns the tracked files as paths from the project, with slashes. */
export async function trackedRecords(repo: Repo, project: string): Promise<string[]> {
  const { below, files } = await tracked(repo, project)
  return files.map(({ name }) => path.posix.relative(below, name))
}

async function tracked(repo: Repo | undefined, project: string): Promise<Tracked> {
  if (repo === undefined) return { root: project, below: '', files: [] }
  const root = realpathSync(repo.root)
  const below = path.relative(root, realpathSync(project)).split(path.sep).join('/')
  const folder = path.posix.join(below, '.workflow')
  const listed = splitZ(
    await inRepo(repo, ['ls-files', '-s', '-z', '--full-name', '--', `:(top,literal)${folder}`]),
  )
  const files = listed.flatMap((line) => {
    const [, mode = '', id = '', name] = ENTRY.exec(line) ?? []
    return name === undefined ? [] : [{ mode, id, name }]
  })
  return { root, below, files }
}

/** Where a link leads, even if nothing is there yet; `undefined` if it is no link any more. */
function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    return path.resolve(path.dirname(link), readlinkSync(link))
  } catch (error) {
    if (['ENOENT', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
