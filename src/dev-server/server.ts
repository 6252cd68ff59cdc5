// The user's own Temporal server: one process, one database, bound to 127.0.0.1.
//
// A server is joined only if Ratchet's state file names it, its process lives, and it serves the
// nonce in that file: any other process on port 7233 is ignored.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../adapters/process/identity.js'
import { replaceFile } from '../adapters/files/replace-file.js'
import { layout, type Dirs } from '../adapters/state-dir.js'
import { stopwatch } from '../adapters/stopwatch.js'
import { NAMESPACE, SEARCH_ATTRIBUTES } from '../contract/names.js'
import { LocalStartError } from './failures.js'
import { logTail, readLog } from './rotating-log.js'
import { anyPort, freePort } from '../adapters/process/free-port.js'
import { isHealthy, openRuns, prepareNamespace, servedNonce } from './api/namespace.js'
import { lastServer, recordedServer, serverFile, type ServerRecord } from './server-record.js'
import { adopt, end, launch, type Started } from './processes.js'
import { tryRoom } from './disk-space.js'
import { endStrays, markOf } from './orphans.js'

export const FIRST_PORT = 7233
/** Two servers may choose the same port at once; the slower one takes the next. */
const START_TRIES = 5
const READY_MS = 60_000
const STOP_MS = 10_000
/**
 * The server opens an HTTP API, which no option disables. It accepts requests from any web page in
 * the user's browser, without a token or a check of the origin. It answers only to a random name
 * in this domain, which does not exist.
 */
const API_DOMAIN = 'invalid'

// A step cost 102 ms with the stock settings and 15 ms with these: two queues are read at most 20
// times a second. The stock server also begins the next execution of a run up to two seconds after
// the last one, so a first iteration waited a second.
/** Settings of the server, `KEY=VALUE`, that are not the stock ones. */
export const TUNING = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'system.enableActivityEagerExecution=true',
  'history.workflowIdReuseMinimalInterval="1ms"',
]

export type RunningServer = { record: ServerRecord; process: Started }

export type ServerOptions = {
  binary: { path: string; version: string }
  /** Every transaction reaches the disk before it counts: safe for power loss, slower. */
  durable?: boolean
  /** It takes only what its user has signed. */
  private?: boolean
}

export const serverLog = (dirs: Dirs): string => path.join(layout.logs(dirs), 'server.log')

/** Joins the running server, else starts one. Returns when runs can be started on it. */
export async function startServer(dirs: Dirs, options: ServerOptions): Promise<RunningServer> {
  return (await joinServer(dirs)) ?? (await startNew(dirs, options))
}

/** The user's server where it lives and answers; one that lives and does not answer is ended. */
export async function joinServer(dirs: Dirs): Promise<RunningServer | undefined> {
  const record = recordedServer(dirs)
  if (record === undefined) return undefined
  if ((await servedNonce(record.api)) === record.nonce)
    return { record, process: adopt(record.identity, serverLog(dirs)) }
  await end(record.identity, STOP_MS)
  return undefined
}

/** Whether runs may be open on a server that ends; 'unknown' where it could not be asked. */
export type Leaving = 'runs' | 'nothing' | 'unknown'

/**
 * Ends a server; its database stays. The record stays with it unless nothing is left open: the next
 * server is then the same version on the same database (`startNew`).
 */
export async function stopServer(
  dirs: Dirs,
  record: ServerRecord,
  leaving: Leaving,
): Promise<void> {
  await end(record.identity, STOP_MS)
  if (leaving === 'nothing') rmSync(serverFile(dirs), { force: true })
}

/** What a server that is about to end leaves behind. */
export async function leaves({ api }: ServerRecord): Promise<Leaving> {
  return openRuns(api).then(
    (runs) => (runs.length > 0 ? 'runs' : 'nothing'),
    () => 'unknown',
  )
}

async function startNew(dirs: Dirs, options: ServerOptions): Promise<RunningServer> {
  await endStrays(dirs, 'server', [], STOP_MS)
  // A database that cannot grow ends the server with words of its own, and that would count as a
  // crash
  tryRoom(dirs)
  mkdirSync(path.join(layout.server(dirs), 'home'), { recursive: true, mode: 0o700 })
  // One that died comes back where it was, though a lower port may be free by now: shells and
  // workers know its address.
  const before = lastServer(dirs)
  const chosen = {
    binary: await chooseBinary(dirs, options.binary, before),
    durable: options.durable === true || before?.durable === true,
    // Runs that may be open were begun with signatures, or without.
    private: (before === undefined ? options : before).private === true,
  }
  for (let tries = 1; ; tries++) {
    const ports = {
      port: await freePort(FIRST_PORT, Number(before?.address.split(':')[1])),
      uiPort: await anyPort(before?.uiPort),
      apiPort: await anyPort(before?.api?.port),
    }
    const { record, started } = await startProcess(dirs, chosen, ports)
    const problem = await Promise.race([readyProblem(record, started), started.ended])
    if (problem === undefined) return { record, process: started }
    await end(started.identity, 0)
    if (before === undefined) rmSync(serverFile(dirs), { force: true })
    const tail = logTail(started.log, started.logFrom)
    if (tail.includes('address already in use') && tries < START_TRIES) continue
    throw new LocalStartError(
      `the Temporal server did not start (${problem})`,
      `${started.log}\n${tail}`,
      'read the log above, then try again',
    )
  }
}

// A server that ended with open runs, or whose runs could not be checked, is replaced by one of its
// own version: another version has another database, in which those runs are missing. It is
// replaced once no run is open.
async function chooseBinary(
  dirs: Dirs,
  wanted: ServerOptions['binary'],
  before: ServerRecord | undefined,
): Promise<ServerOptions['binary']> {
  if (before === undefined || before.version === wanted.version || !existsSync(before.dbFile))
    return wanted
  if (before.binary !== undefined) {
    const { serverVersion, runProgram } = await import('./temporal-binary.js')
    const answer = await serverVersion(before.binary, runProgram)
    if ('version' in answer && answer.version === before.version)
      return { path: before.binary, version: before.version }
  }
  throw new LocalStartError(
    `runs may be open on server ${before.version}, whose program is gone, and server ${wanted.version} cannot read them`,
    `${before.dbFile}\n${before.binary ?? 'its program was not recorded'}`,
    `set TEMPORAL_CLI_PATH to a Temporal CLI with server ${before.version}; or, to give up those runs, remove ${serverFile(dirs)}`,
  )
}

async function startProcess(
  dirs: Dirs,
  { binary, durable, private: isPrivate }: Required<ServerOptions>,
  { port, uiPort, apiPort }: { port: number; uiPort: number; apiPort: number },
): Promise<{ record: ServerRecord; started: Started }> {
  const api = { port: apiPort, host: `${randomBytes(16).toString('hex')}.${API_DOMAIN}` }
  const repeat = (flag: string, values: string[]): string[] =>
    values.flatMap((value) => [flag, value])
  const started = launch({
    command: binary.path,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      String(port),
      '--ui-port',
      String(uiPort),
      '--http-port',
      String(apiPort),
      '--db-filename',
      databaseFile(dirs, binary.version),
      '--namespace',
      NAMESPACE,
      '--log-level',
      'warn',
      ...repeat(
        '--search-attribute',
        Object.entries(SEARCH_ATTRIBUTES).map(
          ([name, type]) => `${name}=${type[0]}${type.slice(1).toLowerCase()}`,
        ),
      ),
      ...repeat('--dynamic-config-value', [...TUNING, `frontend.httpAllowedHosts=["${api.host}"]`]),
      ...repeat('--sqlite-pragma', [
        'journal_mode=WAL',
        `synchronous=${durable ? 'full' : 'normal'}`,
      ]),
    ],
    // A home of its own: the user's Temporal settings are for the user's own clusters.
    env: { PATH: '/usr/bin:/bin', HOME: path.join(layout.server(dirs), 'home') },
    cwd: layout.server(dirs),
    log: serverLog(dirs),
    mark: markOf(dirs, 'server'),
  })
  const record: ServerRecord = {
    identity: started.identity ?? { pid: 0, startTime: '', bootId: '' },
    nonce: randomBytes(16).toString('hex'),
    address: `127.0.0.1:${port}`,
    api,
    uiPort,
    version: binary.version,
    dbFile: databaseFile(dirs, binary.version),
    binary: binary.path,
    durable,
    private: isPrivate,
  }
  // At once, not when it is ready: a supervisor that dies now must not leave an unknown server, as
  // two servers on one database destroy it.
  try {
    await replaceFile(serverFile(dirs), JSON.stringify(record, null, 2), { mode: 0o600 })
  } catch (error) {
    await end(started.identity, 0)
    throw error
  }
  return { record, started }
}

/** Each server version has its own database: an older one cannot read a newer one's. */
export function databaseFile(dirs: Dirs, version: string): string {
  return path.join(layout.server(dirs), `temporal-${version}.db`)
}

// Why the server is not ready after a minute, or `undefined` as soon as it is.
async function readyProblem(record: ServerRecord, started: Started): Promise<string | undefined> {
  const waited = stopwatch()
  const until = async (done: () => boolean | Promise<boolean>): Promise<boolean> => {
    while (!(await done())) {
      if (waited() > READY_MS || started.identity === undefined || !isAlive(started.identity))
        return false
      await delay(20)
    }
    return true
  }
  // Its own line comes first: before it, another server may answer at the address.
  const listens = (): boolean =>
    /^(temporal )?server:/im.test(readLog(started.log, started.logFrom))
  if (!(await until(listens))) return `said nothing for ${READY_MS / 1_000} s`
  if (!(await until(() => isHealthy(record.api)))) return `not healthy after ${READY_MS / 1_000} s`
  let missing: string[] = []
  const prepared = await until(async () => (missing = await prepareNamespace(record)).length === 0)
  return prepared ? undefined : `still without ${missing.join(', ')}`
}
