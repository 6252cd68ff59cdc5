// One worker process: how it is started, and how it says that it is ready.
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../../adapters/process/identity.js'
import { layout, type Dirs } from '../../adapters/state-dir.js'
import { readLog } from '../rotating-log.js'
import { launch, type Started } from '../processes.js'
import { markOf } from '../orphans.js'

export type WorkerProcess = { process: Started }

/** What a worker process is for: the workflows of the user, or the agents of their projects. */
export type WorkerRole = 'workflows' | 'projects'

/**
 * Settings of Node for each kind of worker. That of the workflows has a young generation of 2 MB,
 * and two pools of the C library instead of eight a core. They save 35 MB at rest and a quarter
 * under load, for a tenth more processor time, of which a run needs little.
 */
export const NODE_SETTINGS: Readonly<
  Record<WorkerRole, { args: readonly string[]; env: Readonly<Record<string, string>> }>
> = {
  workflows: { args: ['--max-semi-space-size=2'], env: { MALLOC_ARENA_MAX: '2' } },
  projects: { args: [], env: {} },
}

export function workerLog(dirs: Dirs, role: WorkerRole): string {
  return path.join(layout.logs(dirs), `${role}.log`)
}

/** Starts a worker, which waits for its server on standard input. */
export function startWorker(
  dirs: Dirs,
  role: WorkerRole,
  { entry, env }: { entry: string; env: NodeJS.ProcessEnv },
): WorkerProcess {
  const settings = NODE_SETTINGS[role]
  const started = launch({
    command: process.execPath,
    args: [...settings.args, entry, '--role', role, '--supervised'],
    env: { ...settings.env, ...env, ...sameDirs(dirs, env) },
    cwd: dirs.state,
    log: workerLog(dirs, role),
    mark: markOf(dirs, 'worker'),
    takesInput: true,
  })
  return { process: started }
}

/** Whether the worker says that it or a project is ready; `false` when it ended before. */
export async function saysReady(
  { process: started }: WorkerProcess,
  what: string,
): Promise<boolean> {
  const line = new RegExp(`^ready ${what}$`, 'm')
  while (!line.test(readLog(started.log, started.logFrom))) {
    if (started.identity === undefined || !isAlive(started.identity)) return false
    await delay(20)
  }
  return true
}

// A shell with another XDG_STATE_HOME must not split one user's runs over two state directories.
function sameDirs(dirs: Dirs, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const home = env['HOME'] ?? ''
  const [state, cache] = [path.dirname(dirs.state), path.dirname(dirs.cache)]
  return {
    ...((env['XDG_STATE_HOME'] ?? path.join(home, '.local/state')) === state
      ? {}
      : { XDG_STATE_HOME: state }),
    ...((env['XDG_CACHE_HOME'] ?? path.join(home, '.cache')) === cache
      ? {}
      : { XDG_CACHE_HOME: cache }),
  }
}
