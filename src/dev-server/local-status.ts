// Reports which local processes run, and what is wrong with them.
import { VERSION } from '../adapters/package.js'
import { hostId, type Dirs } from '../adapters/state-dir.js'
import { MAIN_QUEUE, projectQueue } from '../contract/names.js'
import { livingChildren } from './children.js'
import {
  recordedSupervisor,
  type SupervisorRecord,
} from '../adapters/supervisor/supervisor-call.js'
import { statusFrom, type SupervisorStatus } from './control.js'
import { recordedServer, type ServerRecord } from './server-record.js'

export type LocalWorker = {
  pid: number
  queue: string
  host: string
  kind: 'workflows' | 'project'
}

export type LocalStatus = {
  server?: { address: string; uiUrl: string; pid: number; version: string; private?: boolean }
  supervisor?: { pid: number }
  workers: LocalWorker[]
  /** Deviations from the desired state, one sentence each. */
  problems: string[]
}

/** Returns what runs; starts nothing. */
export async function localStatus(dirs: Dirs, withinMs?: number): Promise<LocalStatus> {
  const supervisor = recordedSupervisor(dirs)
  const status =
    supervisor === undefined
      ? undefined
      : await statusFrom(supervisor, 'GET /status', undefined, withinMs)
  return supervisor === undefined || status === undefined
    ? unsupervised(dirs)
    : supervised(dirs, supervisor, status)
}

/** Returns what runs, as its supervisor says. */
export function supervised(
  dirs: Dirs,
  supervisor: SupervisorRecord,
  status: SupervisorStatus,
): LocalStatus {
  const { server } = status
  const host = hostId(dirs)
  const problems = [
    ...(server.state === 'ready'
      ? []
      : [`the server is ${words(server.state)}${why(server.problem)}`]),
    ...status.workers.flatMap((w) =>
      w.state === 'ready' || w.state === 'draining'
        ? []
        : [`the worker ${w.name} is ${words(w.state)}${why(w.problem)}`],
    ),
    ...(server.wantedVersion === undefined || server.wantedVersion === server.version
      ? []
      : [
          `the server is still version ${server.version ?? 'unknown'}, as it had open runs; ${server.wantedVersion} replaces it with the next command once no run is open`,
        ]),
    ...(status.stopping ? ['everything is about to stop'] : []),
    ...(supervisor.version === VERSION
      ? []
      : [
          `the running processes have version ${supervisor.version ?? 'unknown'}, this is ${VERSION}; the next command replaces them once no run is open`,
        ]),
  ]
  return {
    ...(server.address === undefined
      ? {}
      : {
          server: {
            address: server.address,
            uiUrl: server.uiUrl ?? '',
            pid: server.pid ?? 0,
            version: server.version ?? '',
            ...(server.private === true && { private: true }),
          },
        }),
    supervisor: { pid: status.pid },
    workers: status.workers.flatMap(({ pid, queue, kind }) =>
      pid === undefined ? [] : [{ pid, queue, host, kind }],
    ),
    problems,
  }
}

/** Returns what a killed supervisor has left; the next command starts another one. */
export function unsupervised(dirs: Dirs): LocalStatus {
  const server = recordedServer(dirs)
  const problems =
    server === undefined && livingChildren(dirs).length === 0
      ? []
      : [
          'the supervisor is gone, so the processes are not watched; the next command that needs it starts another one',
        ]
  return { ...recorded(server), workers: [], problems }
}

/** Returns what runs under a supervisor that does not answer, by the files that it wrote. */
export function silent(dirs: Dirs, { identity }: SupervisorRecord): LocalStatus {
  const host = hostId(dirs)
  return {
    ...recorded(recordedServer(dirs)),
    supervisor: { pid: identity.pid },
    workers: livingChildren(dirs).flatMap(({ identity: { pid }, name, keys }): LocalWorker[] =>
      name === 'workflows'
        ? [{ pid, queue: MAIN_QUEUE, host, kind: 'workflows' }]
        : keys.map((key) => ({ pid, queue: projectQueue(host, key), host, kind: 'project' })),
    ),
    problems: [
      `the supervisor (process ${identity.pid}) does not answer; find the cause with: ratchet doctor`,
    ],
  }
}

function recorded(server: ServerRecord | undefined): Pick<LocalStatus, 'server'> {
  return {
    ...(server === undefined
      ? {}
      : {
          server: {
            address: server.address,
            uiUrl: `http://127.0.0.1:${server.uiPort}`,
            pid: server.identity.pid,
            version: server.version,
            ...(server.private === true && { private: true }),
          },
        }),
  }
}

function words(state: string): string {
  if (state === 'given_up') return 'given up after a crash loop'
  return state === 'failed' ? 'not running' : state
}

function why(problem: string | undefined): string {
  return problem === undefined ? '' : `: ${problem}`
}
