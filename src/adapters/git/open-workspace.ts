// Opens the repository of a workspace for a step: Ratchet's own for a clone, without what a killed
// git left in it; in place the user's, with the settings that it had before the agent's turn.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workspace } from '../../contract/workspace.js'
import { stopwatch } from '../stopwatch.js'
import { needPlace, WorkspaceMissingError } from './git.js'
import { restoreGitSettings } from './git-settings.js'
import { sweepPrivate } from './index-file.js'
import { alternatesOf, findRepo, ownRepo, type Repo } from './repo.js'

/** How long a living git may keep a lock before that is an error, in milliseconds. */
const LOCK_WAIT_MS = 10_000

/**
 * Opens a workspace for a step. What the agent did to the `.git` of its clone makes no difference.
 *
 * @throws WorkspaceMissingError where the tree, Ratchet's git directory or the user's objects were
 * removed
 */
export async function openWorkspace(workspace: Workspace): Promise<Repo> {
  needPlace(workspace.root)
  if (workspace.isolation === 'in-place') {
    await restoreGitSettings(workspace)
    const repo = await findRepo(workspace.root)
    await sweepPrivate(repo)
    return repo
  }
  const repo = ownRepo(workspace.root)
  needPlace(repo.gitDir)
  if (!existsSync(path.join(repo.gitDir, 'HEAD')) || !existsSync(path.join(repo.gitDir, 'refs')))
    throw new WorkspaceMissingError(repo.gitDir, 'broken')
  for (const store of await alternatesOf(path.join(repo.gitDir, 'objects')))
    if (!existsSync(store))
      throw new WorkspaceMissingError(existsSync(workspace.project) ? store : workspace.project)
  await sweepPrivate(repo)
  for (const lock of await lockFiles(repo.gitDir)) await removeStale(lock)
  return repo
}

async function lockFiles(gitDir: string): Promise<string[]> {
  const top = (await readdir(gitDir))
    .filter((name) => name.endsWith('.lock'))
    .map((name) => path.join(gitDir, name))
  const refs = await readdir(path.join(gitDir, 'refs'), { recursive: true })
  return [
    ...top,
    ...refs.filter((name) => name.endsWith('.lock')).map((name) => path.join(gitDir, 'refs', name)),
  ]
}

// Git writes no owner into its locks, but keeps them open until just before the rename.
async function removeStale(lock: string): Promise<void> {
  const waited = stopwatch()
  while (isOpen(lock)) {
    if (waited() > LOCK_WAIT_MS) throw new Error(`a git process still holds ${lock}`)
    await sleep(50)
  }
  await rm(lock, { force: true })
}

const GONE_OR_NOT_OURS = new Set(['ENOENT', 'EACCES', 'EPERM', 'ESRCH'])

function isOpen(file: string): boolean {
  if (process.platform !== 'linux') return lsofFinds(file)
  return readdirSync('/proc').some(
    (pid) =>
      /^\d+$/.test(pid) &&
      tolerant(() => {
        if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('git')) return false
        return readdirSync(`/proc/${pid}/fd`).some((fd) =>
          tolerant(() => readlinkSync(`/proc/${pid}/fd/${fd}`) === file),
        )
      }),
  )
}

function tolerant(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    if (GONE_OR_NOT_OURS.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function lsofFinds(file: string): boolean {
  try {
    return execFileSync('lsof', ['-t', '--', file], { encoding: 'utf8' }).trim() !== ''
  } catch (error) {
    if ((error as { status?: number }).status === 1) return false // no process has it open
    throw error
  }
}
