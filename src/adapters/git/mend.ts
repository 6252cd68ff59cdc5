// A clone as Ratchet needs it before a step, whatever an agent or a killed git left in it: stale lock
// files, a half-finished merge, changed excludes. Only ever applied to clones that Ratchet made.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workspace } from '../../contract/workspace.js'
import { identify } from '../process/identity.js'
import { stopwatch } from '../stopwatch.js'
import { sweepIndexes } from './index-file.js'
import type { Repo } from './repo.js'
import { livingRepo } from './repo.js'
import { textOf } from '../text-of.js'

/** State of unfinished merges, rebases and the like, inside a git directory. */
const OPERATIONS = [
  'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'MERGE_RR', 'AUTO_MERGE', 'SQUASH_MSG', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'sequencer',
  'rebase-merge', 'rebase-apply', 'BISECT_LOG', 'BISECT_START', 'BISECT_NAMES', 'BISECT_TERMS', 'BISECT_EXPECTED_REV', 'BISECT_ANCESTORS_OK',
]
/** How long a living git may keep a lock before that is an error, in milliseconds. */
const LOCK_WAIT_MS = 10_000

/** Excludes of a workspace as they were prepared, beside the clone and out of the agents' way. */
export function savedExcludes(root: string): string {
  return path.join(path.dirname(root), 'exclude')
}

/**
 * Opens a workspace for a step.
 *
 * @throws PlaceGone where it was removed or broken
 */
export async function openWorkspace(workspace: Workspace): Promise<Repo> {
  const repo = await livingRepo(workspace)
  await sweepIndexes(repo, (pid) => identify(pid) === undefined)
  if (workspace.isolation === 'in-place') return repo // the user's own repository: nothing is mended there
  for (const lock of await lockFiles(repo.gitDir)) await removeStale(lock)
  await restoreExcludes(repo)
  return repo
}

/** Forgets unfinished merges and the like of a clone; their commits stay in a snapshot. */
export async function endOperations(workspace: Workspace, repo: Repo): Promise<void> {
  if (workspace.isolation === 'in-place') return
  for (const name of OPERATIONS) await rm(path.join(repo.gitDir, name), { recursive: true, force: true })
}

async function restoreExcludes(repo: Repo): Promise<void> {
  const saved = await textOf(savedExcludes(repo.root))
  const file = path.join(repo.gitDir, 'info', 'exclude')
  if (saved !== undefined && (await textOf(file)) !== saved) await writeFile(file, saved)
}

async function lockFiles(gitDir: string): Promise<string[]> {
  const top = (await readdir(gitDir)).filter((name) => name.endsWith('.lock')).map((name) => path.join(gitDir, name))
  const refs = await readdir(path.join(gitDir, 'refs'), { recursive: true })
  return [...top, ...refs.filter((name) => name.endsWith('.lock')).map((name) => path.join(gitDir, 'refs', name))]
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
  return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && tolerant(() => {
    if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('git')) return false
    return readdirSync(`/proc/${pid}/fd`).some((fd) => tolerant(() => readlinkSync(`/proc/${pid}/fd/${fd}`) === file))
  }))
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
    if ((error as { status?: number }).status === 1) return false // nobody has it open
    throw error
  }
}
