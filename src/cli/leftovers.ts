// What a run leaves outside the working tree: workspace, branch, refs, stored turns. They are found
// by the name of its record, which is also that of its branch.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { testFixWorkflowId, sessionProblem } from '../contract/ids.js'
import {
  removeBranch,
  removeRefs,
  removeTree,
  removeWorkspace,
} from '../adapters/git/user-repository/clean.js'
import { findRepo, inRepo } from '../adapters/git/repo.js'
import { keptIn } from './find/run-record.js'
import { ownerOf } from './find/record-owner.js'
import { diskUse } from '../adapters/files/disk-use.js'
import { layout, projectKey, type Dirs } from '../adapters/state-dir.js'
import { readRecord } from './find/session-record.js'
import type { Server } from './start/server.js'

export type Leftovers = {
  dirs: Dirs
  project: string
  key: string
  name: string
  workflowId: string
  branch: string
}

/** `bytes`: size on disk; `null` if it is unknown. */
export type Removed = {
  name: string
  workspace: boolean
  branch: string | null
  refs: number
  turns: number
  bytes: number | null
}

/** Returns the names of everything that runs of a project have left. */
export async function namesOf(dirs: Dirs, project: string): Promise<string[]> {
  const workspaces = path.join(dirs.state, 'workspaces', projectKey(project))
  const names = new Set(existsSync(workspaces) ? readdirSync(workspaces) : [])
  const refs = await inRepo(await findRepo(project), [
    'for-each-ref',
    '--format=%(refname)',
    'refs/heads/ratchet/',
    'refs/heads/ratchet-runs/',
    'refs/ratchet/',
  ])
  for (const ref of refs.split('\n')) {
    const name = /^refs\/(?:heads\/ratchet(?:-runs)?|ratchet\/old|ratchet)\/([^/]+)/.exec(ref)?.[1]
    // Another project in the same repository has its own session of that branch.
    if (
      name !== undefined &&
      name !== 'old' &&
      (readRecord(project, name) !== undefined || keptIn(project, name) !== undefined)
    )
      names.add(name)
  }
  return [...names].sort()
}

/** Returns everything that has one of these names. */
export function leftovers(dirs: Dirs, project: string, name: string): Leftovers {
  const key = projectKey(project)
  const session = readRecord(project, name)
  const derived = sessionProblem(name) === undefined ? testFixWorkflowId(name, key) : name
  const kept = session === undefined ? keptIn(project, name) : undefined
  return {
    dirs,
    project,
    key,
    name,
    workflowId: ownerOf(dirs, key, name) ?? session?.workflow_id ?? kept?.id ?? derived,
    branch: session?.branch ?? kept?.branch ?? `ratchet/${name}`,
  }
}

/** Returns whether a run still needs them. */
export async function isOpen({ ratchet }: Server, { workflowId }: Leftovers): Promise<boolean> {
  return (await ratchet.find(workflowId)) === 'open'
}

/** Removes them, or with `dryRun` only lists them; keeps a run whose branch must stay. */
export async function remove(
  { dirs, project, key, name, workflowId, branch }: Leftovers,
  { force, dryRun = false }: { force: boolean; dryRun?: boolean },
): Promise<Removed | { kept: string }> {
  const removal = await removeBranch(project, branch, { force, dryRun })
  const stays = !removal.removed && !(removal.reason ?? '').startsWith('there is no branch')
  if (stays && !force) return { kept: removal.reason ?? `the branch ${branch} stays` }
  const refs = await removeRefs(project, name, { dryRun })
  const place = layout.workspace(dirs, key, name)
  const turns = turnsOfRun(dirs, workflowId)
  // Usage ledger, the hooks that were called, the choice of a sandbox, the environment.
  const notes = [
    layout.ledger,
    layout.hooks,
    layout.sandboxChoice,
    layout.environment,
    layout.keptEnvironment,
  ].map((of) => of(dirs, workflowId))
  const bytes = (await diskUse([place, ...turns, ...notes])) ?? null
  const workspace = dryRun ? existsSync(place) : await removeWorkspace(dirs, key, name)
  if (!dryRun) for (const dir of [...turns, ...notes]) await removeTree(dir)
  return {
    name,
    workspace,
    branch: removal.removed ? branch : null,
    refs: refs.length,
    turns: turns.length,
    bytes,
  }
}

function turnsOfRun(dirs: Dirs, workflowId: string): string[] {
  const turns = path.join(dirs.state, 'turns')
  const entries = existsSync(turns)
    ? readdirSync(turns).map((entry) => path.join(turns, entry))
    : []
  return entries.filter((dir) => runOf(path.join(dir, 'claim.json')) === workflowId)
}

function runOf(claim: string): string | undefined {
  return readField(claim, 'run')
}

function readField(file: string, field: string): string | undefined {
  try {
    const value = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[field]
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
