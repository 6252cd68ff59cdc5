// Entry of the supervisor process. Of two started at once one gets the lock, the other ends with 0.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packaged, VERSION } from '../adapters/package.js'
import { self } from '../adapters/process/identity.js'
import { replaceFile } from '../adapters/files/replace-file.js'
import { layout } from '../adapters/state-dir.js'
import { durationMs, durationProblem } from '../contract/duration.js'
import type { SupervisorRecord } from '../adapters/supervisor/supervisor-call.js'
import { RunsRequest, ProjectRequest, serveControl, StopRequest, WantedRequest } from './control.js'
import { environmentRoutes } from './environments/environment-routes.js'
import { tryLock } from './lock.js'
import { registeredProject } from '../adapters/config/registry.js'
import { Supervisor, supervisorLog } from './supervisor.js'

/** How long nothing may run before everything stops. */
const IDLE_STOP = '30m'

const { values: args } = parseArgs({
  options: {
    state: { type: 'string' },
    cache: { type: 'string' },
    temporal: { type: 'string' },
    'server-version': { type: 'string' },
    durable: { type: 'boolean', default: false },
    private: { type: 'boolean', default: false },
    'keep-environment': { type: 'boolean', default: false },
    'worker-entry': { type: 'string', default: packaged('dist/worker/main.js') },
  },
})
const { state, cache, temporal, 'server-version': version } = args
if (state === undefined || cache === undefined || temporal === undefined || version === undefined)
  throw new Error('supervisor-main needs --state, --cache, --temporal and --server-version')
const dirs = { state, cache }

const idleStop = process.env['RATCHET_IDLE_STOP'] ?? IDLE_STOP
const wrong = durationProblem(idleStop)
if (wrong !== undefined) throw new Error(`RATCHET_IDLE_STOP ${wrong}`)

mkdirSync(layout.logs(dirs), { recursive: true, mode: 0o700 })
const taken = tryLock(path.join(layout.locks(dirs), 'supervisor'))
if ('holder' in taken) process.exit(0)

const log = supervisorLog(dirs)
const supervisor = new Supervisor(dirs, {
  binary: { path: temporal, version },
  durable: args.durable,
  private: args.private,
  keepEnvironment: args['keep-environment'],
  workerEntry: args['worker-entry'],
  idleStopMs: durationMs(idleStop),
  env: process.env,
  log,
})
const control = await serveControl({
  ...environmentRoutes(supervisor.environments),
  'GET /status': () => Promise.resolve({ code: 200, body: supervisor.status() }),
  'POST /runs': async (body) => {
    const runs = await supervisor.runs(RunsRequest.parse(body))
    return { code: 200, body: { status: supervisor.status(), runs } }
  },
  'POST /ui': () => Promise.resolve({ code: 200, body: { url: supervisor.uiLink() } }),
  'POST /wanted': (body) => {
    supervisor.wanted(WantedRequest.parse(body ?? {}).holder)
    return Promise.resolve({ code: 200, body: supervisor.status() })
  },
  'POST /projects': (body) => {
    const { path: dir, env, run } = ProjectRequest.parse(body)
    const project = registeredProject(dirs, dir)
    if (project === undefined)
      return Promise.resolve({ code: 404, body: { error: `${dir} is not registered` } })
    supervisor.project(project, env, run)
    return Promise.resolve({ code: 200, body: supervisor.status() })
  },
  'POST /stop': async (body) => {
    const runs = StopRequest.parse(body).force ? [] : await supervisor.openRuns()
    if (runs.length > 0) return { code: 409, body: { openRuns: runs } }
    // Answered first: the port closes with the process.
    setImmediate(() => stop('it was asked to'))
    return { code: 200, body: { openRuns: [] } }
  },
})
const record: SupervisorRecord = {
  identity: self(),
  port: control.port,
  token: control.token,
  version: VERSION,
}
await replaceFile(layout.supervisor(dirs), JSON.stringify(record), { mode: 0o600 })
log(`process ${process.pid} supervises ${dirs.state}`)

// Floating on purpose: a failure to stop ends the process with a stack in the log.
function stop(why: string): void {
  void supervisor.stop(why)
}
process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))
process.on('SIGHUP', () => log('SIGHUP is ignored: the terminal that started it is gone'))

await supervisor.start()
await supervisor.done
rmSync(layout.supervisor(dirs), { force: true })
log('ended everything it started')
process.exit(0)
