// Stops the local workers and the server, also if their supervisor is gone.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { layout, type Dirs } from '../adapters/state-dir.js'
import { stopwatch } from '../adapters/stopwatch.js'
import { forgetChildren, livingChildren } from './children.js'
import { callSupervisor, recordedSupervisor } from '../adapters/supervisor/supervisor-call.js'
import { StopReply } from './control.js'
import { LocalStartError } from './failures.js'
import { openRuns } from './api/namespace.js'
import { end } from './processes.js'
import { isServerUnavailable } from '../core/grpc.js'
import { leaves, stopServer } from './server.js'
import { recordedServer } from './server-record.js'
import { strays } from './orphans.js'

const STOP_MS = 60_000
const POLL_MS = 100
const WORKER_GRACE_MS = 30_000
const SERVER_GRACE_MS = 10_000

/**
 * Stops the workers and the server. Without `force` it stops nothing while runs are open and
 * returns their ids. Open runs continue at the next start.
 */
export async function stopLocal(
  dirs: Dirs,
  { force }: { force: boolean },
): Promise<'stopped' | 'not running' | { openRuns: string[] }> {
  const supervisor = recordedSupervisor(dirs)
  if (supervisor === undefined) return stopUnsupervised(dirs, force)
  const reply = await callSupervisor(supervisor, 'POST /stop', { force })
  if (reply?.code === 409) return StopReply.parse(reply.body)
  const waited = stopwatch()
  while (recordedSupervisor(dirs)?.identity.pid === supervisor.identity.pid) {
    if (waited() > STOP_MS) {
      const next = `end the supervisor yourself: it is process ${supervisor.identity.pid}`
      throw new LocalStartError(
        'the local processes did not stop',
        path.join(layout.logs(dirs), 'supervisor.log'),
        next,
      )
    }
    await delay(POLL_MS)
  }
  return 'stopped'
}

async function stopUnsupervised(
  dirs: Dirs,
  force: boolean,
): Promise<'stopped' | 'not running' | { openRuns: string[] }> {
  const server = recordedServer(dirs)
  const children = livingChildren(dirs)
  const workers = [
    ...children.map((child) => child.identity),
    ...strays(
      dirs,
      'worker',
      children.map((child) => child.identity),
    ),
  ]
  const servers = strays(dirs, 'server', [server?.identity])
  if (server === undefined && servers.length === 0 && workers.length === 0) return 'not running'
  if (server !== undefined && !force) {
    const runs = await openRuns(server.api).catch((error: unknown) => {
      if (isServerUnavailable(error)) return []
      throw error
    })
    if (runs.length > 0) return { openRuns: runs }
  }
  await Promise.all(workers.map((worker) => end(worker, WORKER_GRACE_MS)))
  const leaving = server === undefined ? 'unknown' : await leaves(server)
  await Promise.all(servers.map((one) => end(one, SERVER_GRACE_MS)))
  if (server !== undefined) await stopServer(dirs, server, leaving)
  forgetChildren(dirs)
  rmSync(layout.supervisor(dirs), { force: true })
  return 'stopped'
}
