// A user of one's own for tests of the local processes: state and cache in a temporary home, a
// stand-in for the workers, and everything that was started ended afterwards.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { userDirs, type Dirs } from '../../../src/adapters/state-dir.js'
import { livingChildren } from '../../../src/dev-server/children.js'
import { recordedSupervisor } from '../../../src/adapters/supervisor/supervisor-call.js'
import {
  ensureProjectWorker,
  ensureRunning,
  type EnsureOptions,
  type LocalServer,
} from '../../../src/dev-server/index.js'
import { end } from '../../../src/dev-server/processes.js'
import { recordedServer } from '../../../src/dev-server/server-record.js'
import { temporalPath } from './temporal.js'

/**
 * The compiled project: the supervisor is a process of its own, so it runs what `npm run build`
 * made.
 */
export const BUILT =
  process.env['RATCHET_TEST_DIST'] ?? fileURLToPath(new URL('../../../dist', import.meta.url))

/** A line of the stand-in worker's diary. */
export type Life = {
  event: 'start' | 'end' | 'open' | 'close'
  role: 'workflows' | 'projects'
  /** That is opened or closed. */
  project?: string
  private: boolean
  pid: number
  address: string
  value: string
}

export type LocalUser = {
  root: string
  dirs: Dirs
  env: NodeJS.ProcessEnv
  entries: NonNullable<EnsureOptions['entries']>
  ensure: (options?: Partial<EnsureOptions>) => Promise<LocalServer>
  /** A new project directory. */
  project: (name: string) => string
  ensureProject: (project: string, env?: NodeJS.ProcessEnv, run?: string) => Promise<LocalServer>
  lives: (event?: Life['event'], role?: Life['role']) => Life[]
  /** Lets the worker of a role fail, or a project of a name. */
  fail: (name: string, fails?: boolean) => void
  log: (name: string) => string
  remove: () => Promise<void>
}

/** Makes such a user below `parent`; `remove` it in `afterEach`. */
export function localUser(extra: NodeJS.ProcessEnv = {}, parent = os.tmpdir()): LocalUser {
  const root = realpathSync(mkdtempSync(path.join(parent, 'ratchet-local-')))
  const diary = path.join(root, 'lives.jsonl')
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    RATCHET_TRUST: '1',
    HOME: path.join(root, 'home'),
    XDG_STATE_HOME: path.join(root, 'state'),
    XDG_CACHE_HOME: path.join(root, 'cache'),
    TEMPORAL_CLI_PATH: temporalPath(),
    RATCHET_TEST_LIVES: diary,
    ...extra,
  }
  mkdirSync(path.join(root, 'home'))
  const dirs = userDirs(env)
  const entries = {
    supervisor: path.join(BUILT, 'dev-server/supervisor-main.js'),
    worker: fileURLToPath(new URL('stand-in-worker.mjs', import.meta.url)),
  }
  return {
    root,
    dirs,
    env,
    entries,
    ensure: (options = {}) => ensureRunning(dirs, { env, entries, ...options }),
    project: (name) => {
      const dir = path.join(root, 'projects', name)
      mkdirSync(dir, { recursive: true })
      return dir
    },
    ensureProject: (project, own = {}, run) =>
      ensureProjectWorker(dirs, project, { env: { ...env, ...own }, entries, run }),
    lives: (event, role) => {
      const lines = existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n') : []
      return lines
        .map((line) => JSON.parse(line) as Life)
        .filter((life) => (event ?? life.event) === life.event && (role ?? life.role) === life.role)
    },
    fail: (name, fails = true) => {
      const file = `${diary}.fails-${name}`
      if (fails) writeFileSync(file, '')
      else rmSync(file)
    },
    log: (name) => {
      const file = path.join(dirs.state, 'logs', `${name}.log`)
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    },
    remove: async () => {
      await end(recordedSupervisor(dirs)?.identity, 40_000)
      await Promise.all(
        [
          ...livingChildren(dirs).map((child) => child.identity),
          recordedServer(dirs)?.identity,
        ].map((identity) => end(identity, 0)),
      )
      rmSync(root, { recursive: true, force: true })
    },
  }
}
