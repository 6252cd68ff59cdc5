// Every path Ratchet writes outside a project. README has the same table.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Where Ratchet keeps its state and cache. Pass it down; never read the environment twice. */
export type Dirs = { state: string; cache: string }

/** Where the directories of this user are, after XDG; nothing is made. */
export function dirsOf(env: NodeJS.ProcessEnv): Dirs {
  const home = env['HOME'] ?? os.homedir()
  return {
    state: path.join(absolute(env['XDG_STATE_HOME']) ?? path.join(home, '.local/state'), 'ratchet'),
    cache: path.join(absolute(env['XDG_CACHE_HOME']) ?? path.join(home, '.cache'), 'ratchet'),
  }
}

/** The directories of this user, after XDG. They are made, readable by the user only. */
export function userDirs(env: NodeJS.ProcessEnv = process.env): Dirs {
  const dirs = dirsOf(env)
  for (const dir of [dirs.state, dirs.cache]) mkdirSync(dir, { recursive: true, mode: 0o700 })
  return dirs
}

// XDG: a relative path is invalid and counts as unset.
function absolute(dir: string | undefined): string | undefined {
  return dir !== undefined && path.isAbsolute(dir) ? dir : undefined
}

/** Layout below the state directory. */
export const layout = {
  hostId: (d: Dirs) => path.join(d.state, 'host-id'),
  project: (d: Dirs, key: string) => path.join(d.state, 'projects', `${key}.json`),
  /** Touched by a workflow worker when a run needs a project's agent worker; the supervisor starts it. */
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
  /** Until when an agent is limited by its provider; `id` is of its definition. */
  limit: (d: Dirs, id: string) => path.join(d.state, 'limits', `${id}.json`),
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

/** Random id of this host, made on first use; never its name. Two processes that make it at once agree. */
export function hostId(dirs: Dirs): string {
  const file = layout.hostId(dirs)
  try {
    writeFileSync(file, randomBytes(4).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
