// Reports which local processes run, and what is wrong with them.
import { VERSION } from '../adapters/package.js'
import { hostId, type Dirs } from '../adapters/state-dir.js'
import { livingChildren } from './children.js'
import { recordedSupervisor, statusFrom } from './control.js'
import { recordedServer } from './server.js'

export type LocalWorker = {
  pid: number
  queue: string
  host: string
  kind: 'workflows' | 'project'
}

export type LocalStatus = {
  server?: { address: string; uiUrl: string; pid: number; version: string }
  supervisor?: { pid: number }
  workers: LocalWorker[]
  /** Deviations from the desired state, one sentence each. */
  problems: string[]
}

/** Returns what runs; starts nothing. */
export async function localStatus(dirs: Dirs): Promise<LocalStatus> {
  const supervisor = recordedSupervisor(dirs)
  const status = supervisor === undefined ? undefined : await statusFrom(supervisor, 'GET /status')
  if (status === undefined) return unsupervised(dirs)
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
    ...(supervisor === undefined || supervisor.version === VERSION
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
          },
        }),
    supervisor: { pid: status.pid },
    workers: status.workers.flatMap(({ pid, queue, kind }) =>
      pid === undefined ? [] : [{ pid, queue, host, kind }],
    ),
    problems,
  }
}

// A killed supervisor leaves the rest running; the next command starts another one.
function unsupervised(dirs: Dirs): LocalStatus {
  const server = recordedServer(dirs)
  const children = livingChildren(dirs)
  const problems =
    server === undefined && children.length === 0
      ? []
      : [
          'the supervisor is gone, so the processes are not watched; the next command that needs it starts another one',
        ]
  return {
    ...(server === undefined
      ? {}
      : {
          server: {
            address: server.address,
            uiUrl: `http://127.0.0.1:${server.uiPort}`,
            pid: server.identity.pid,
            version: server.version,
          },
        }),
    workers: [],
    problems,
  }
}

function words(state: string): string {
  return state === 'given_up' ? 'given up after a crash loop' : state
}

function why(problem: string | undefined): string {
  return problem === undefined ? '' : `: ${problem}`
}
