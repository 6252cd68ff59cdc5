// Every path Ratchet writes outside a project. docs/files.md has the same table.
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { createFileSync, replaceFileSync } from './files/replace-file.js'
import { homeOf } from './home.js'

/** Where Ratchet keeps its state and cache. Pass it down; never read the environment twice. */
export type Dirs = { state: string; cache: string }

/** Where the directories of this user are, after XDG; nothing is made. */
export function dirsOf(env: NodeJS.ProcessEnv): Dirs {
  const home = homeOf(env)
  return {
    state: path.join(absolute(env['XDG_STATE_HOME']) ?? path.join(home, '.local/state'), 'ratchet'),
    cache: path.join(absolute(env['XDG_CACHE_HOME']) ?? path.join(home, '.cache'), 'ratchet'),
  }
}

/**
 * The directories of this user, after XDG. They are made, readable by the user only; a state
 * directory that others may read is closed to them.
 */
export function userDirs(env: NodeJS.ProcessEnv = process.env): Dirs {
  const dirs = dirsOf(env)
  for (const dir of [dirs.state, dirs.cache]) mkdirSync(dir, { recursive: true, mode: 0o700 })
  close(dirs.state)
  return dirs
}

// Transcripts and the database are no business of others. Where it is not ours to close, `ratchet
// doctor` says so.
function close(dir: string): void {
  const { mode, uid } = statSync(dir)
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
  try {
    chmodSync(dir, 0o700)
  } catch (error) {
    if (!['EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

// XDG: a relative path is invalid and counts as unset.
function absolute(dir: string | undefined): string | undefined {
  return dir !== undefined && path.isAbsolute(dir) ? dir : undefined
}

/** Layout below the state directory. */
export const layout = {
  hostId: (d: Dirs) => path.join(d.state, 'host-id'),
  project: (d: Dirs, key: string) => path.join(d.state, 'projects', `${key}.json`),
  /** What the user has agreed that a project may run. */
  trust: (d: Dirs, key: string) => path.join(d.state, 'trust', `${key}.json`),
  /**
   * Touched by a workflow worker when a run needs a project's agent worker; the supervisor starts
   * it.
   */
  wanted: (d: Dirs, key: string) => path.join(d.state, 'wanted', key),
  supervisor: (d: Dirs) => path.join(d.state, 'supervisor.json'),
  server: (d: Dirs) => path.join(d.state, 'server'),
  /** Address and identity of the local server. */
  serverRecord: (d: Dirs) => path.join(d.state, 'server', 'server.json'),
  logs: (d: Dirs) => path.join(d.state, 'logs'),
  /** Clone, test results and records of one run's workspace; `name` is the record name. */
  workspace: (d: Dirs, key: string, name: string) => path.join(d.state, 'workspaces', key, name),
  turn: (d: Dirs, turnKey: string) => path.join(d.state, 'turns', digest(turnKey).slice(0, 24)),
  /** What the turns of a run have cost, a file each. */
  ledger: (d: Dirs, run: string) => path.join(d.state, 'ledger', digest(run).slice(0, 24)),
  /**
   * Until when an agent is limited by its provider, or its provider is away; `id` is of its
   * definition.
   */
  limit: (d: Dirs, id: string) => path.join(d.state, 'limits', `${id}.json`),
  /** Is there once an agent has completed a turn on this host; `id` as of `limit`. */
  answered: (d: Dirs, id: string) => path.join(d.state, 'answered', id),
  /** Which events of a run its hooks have been told of, a file each. */
  hooks: (d: Dirs, run: string) => path.join(d.state, 'hooks', digest(run).slice(0, 24)),
  /** The sandbox that a person chose for a run. */
  sandboxChoice: (d: Dirs, run: string) =>
    path.join(d.state, 'sandbox', `${digest(run).slice(0, 24)}.json`),
  /** Digests of the variables that a run began with; their key is next to it. */
  environment: (d: Dirs, run: string) =>
    path.join(d.state, 'environments', `${digest(run).slice(0, 24)}.json`),
  /** The variables of an open run, where the user has them kept. */
  keptEnvironment: (d: Dirs, run: string) =>
    path.join(d.state, 'environments', 'kept', `${digest(run).slice(0, 24)}.json`),
  /** Signs what a private server may be asked. */
  signingKey: (d: Dirs) => path.join(d.state, 'signing-key'),
  slots: (d: Dirs) => path.join(d.state, 'slots'),
  locks: (d: Dirs) => path.join(d.state, 'locks'),
} as const

/** SHA-256 in hex. */
export function digest(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Key of a project: 12 hex digits of its real path. */
export function projectKey(project: string): string {
  return digest(realpathSync(project)).slice(0, 12)
}

/**
 * Random id of this host, made on first use; never its name. Two processes that make it at once
 * agree. A file that a full disk or a power loss left empty is no id: another one is agreed upon,
 * and takes its place.
 *
 * @throws where it cannot be written (ENOSPC and so on)
 */
export function hostId(dirs: Dirs): string {
  const file = layout.hostId(dirs)
  const known = idIn(file)
  if (known !== undefined) return known
  createFileSync(file, newId(), 0o600)
  const made = idIn(file)
  if (made !== undefined) return made
  const next = `${file}.next`
  createFileSync(next, newId(), 0o600)
  const id = idIn(next)
  if (id === undefined)
    throw new Error(`there is no host id in ${file}, nor in ${next}: remove both`)
  replaceFileSync(file, id, { mode: 0o600 }) // a concurrent writer writes the same
  return id
}

const newId = (): string => randomBytes(4).toString('hex')

function idIn(file: string): string | undefined {
  try {
    return /^[0-9a-f]{8}$/.exec(readFileSync(file, 'utf8').trim())?.[0]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
