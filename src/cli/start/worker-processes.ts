// Runs worker processes that live as long as a command: nothing restarts them.
import path from 'node:path'
import { packaged } from '../../adapters/package.js'
import { hostId, layout, type Dirs } from '../../adapters/state-dir.js'
import { isNoRoom } from '../../adapters/files/write-obstacle.js'
import { MAIN_QUEUE, projectQueue } from '../../contract/names.js'
import { type RegisteredProject, workerName } from '../../contract/registry.js'
import { logTail, ROTATE_MS, rotateLog } from '../../dev-server/rotating-log.js'
import { end, launch, type Started } from '../../dev-server/processes.js'
import {
  NODE_SETTINGS,
  saysReady,
  type WorkerRole,
} from '../../dev-server/workers/worker-process.js'

export type ForegroundOptions = {
  project: RegisteredProject
  address: string
  namespace: string
  env: NodeJS.ProcessEnv
}
export type WorkerEnd = { how: string; log: string; tail: string }

export type ForegroundWorkers = {
  /** Resolves with nothing when both poll, or with the end of one that fails before. */
  ready: () => Promise<WorkerEnd | undefined>
  oneEnded: () => Promise<WorkerEnd>
  list: () => {
    pid: number
    queue: string
    host: string
    kind: 'workflows' | 'project'
    log: string
  }[]
  end: (graceMs: number) => Promise<void>
}

const ENTRY = packaged('dist/worker/main.js')

/** Starts the workflow worker and the worker of one project. */
export function foregroundWorkers(
  dirs: Dirs,
  { project, address, namespace, env }: ForegroundOptions,
): ForegroundWorkers {
  const host = hostId(dirs)
  const start = (role: WorkerRole, args: string[]): Started =>
    launch({
      command: process.execPath,
      args: [...NODE_SETTINGS[role].args, ENTRY, '--role', role, ...args],
      env: {
        ...NODE_SETTINGS[role].env,
        ...env,
        RATCHET_ADDRESS: address,
        RATCHET_NAMESPACE: namespace,
      },
      cwd: dirs.state,
      log: path.join(
        layout.logs(dirs),
        `foreground-${role === 'projects' ? workerName(project) : role}.log`,
      ),
    })
  const workers = [
    {
      kind: 'workflows' as const,
      queue: MAIN_QUEUE,
      ready: 'workflows',
      started: start('workflows', []),
    },
    {
      kind: 'project' as const,
      queue: projectQueue(host, project.key),
      ready: workerName(project),
      started: start('projects', ['--project', project.path]),
    },
  ]
  const rotating = setInterval(
    () => workers.forEach(({ started }) => rotate(started.log)),
    ROTATE_MS,
  )
  const ending = ({ started }: (typeof workers)[number]): Promise<WorkerEnd> =>
    started.ended.then((how) => ({
      how,
      log: started.log,
      tail: logTail(started.log, started.logFrom),
    }))
  const oneEnded = (): Promise<WorkerEnd> => Promise.race(workers.map(ending))
  return {
    oneEnded,
    ready: () => {
      const all = Promise.all(
        workers.map(({ started, ready }) =>
          saysReady({ process: started }, ready).then(
            (can) => can || new Promise<never>(() => undefined),
          ),
        ),
      )
      return Promise.race([all.then(() => undefined), oneEnded()])
    },
    list: () =>
      workers.map(({ kind, queue, started }) => ({
        pid: started.identity?.pid ?? 0,
        queue,
        host,
        kind,
        log: started.log,
      })),
    end: async (graceMs) => {
      await Promise.all(workers.map(({ started }) => end(started.identity, graceMs)))
      clearInterval(rotating)
    },
  }
}

// Without disk space for the copy the log stays, and the rotation is retried.
function rotate(log: string): void {
  try {
    rotateLog(log)
  } catch (error) {
    if (!isNoRoom(error)) throw error
  }
}
