// A user whose server, workers and commands are all in this process: a namespace of the shared
// server, a fake supervisor that answers commands like the real one, and the real workers. Git, the
// test command and child processes of agents are real processes. Not covered: terminals, signals,
// start-up, dying processes.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { NativeConnection } from '@temporalio/worker'
import { connect, type Ratchet, type RunHandle, type RunResult } from '../../../src/client/index.js'
import { runCommandLine } from '../../../src/cli/program.js'
import type { Ask } from '../../../src/cli/context.js'
import type { FaultPoint } from '../../../src/adapters/failpoint.js'
import { VERSION } from '../../../src/adapters/package.js'
import { self } from '../../../src/adapters/process/identity.js'
import { registeredProject, registerProject } from '../../../src/adapters/config/registry.js'
import { hostId, layout, projectKey, userDirs, type Dirs } from '../../../src/adapters/state-dir.js'
import { MAIN_QUEUE } from '../../../src/contract/names.js'
import type { SupervisorRecord } from '../../../src/adapters/supervisor/supervisor-call.js'
import {
  ProjectRequest,
  RunsRequest,
  serveControl,
  type SupervisorStatus,
} from '../../../src/dev-server/control.js'
import { KeptAnswers } from '../../../src/dev-server/api/kept-answers.js'
import { runFacts } from '../../../src/dev-server/api/run-facts.js'
import { environmentRoutes } from '../../../src/dev-server/environments/environment-routes.js'
import { HeldEnvironments } from '../../../src/dev-server/environments/held-environments.js'
import { given } from '../../../src/adapters/environments/given-variables.js'
import { createWorkflowWorker } from '../../../src/worker/workflow-worker.js'
import { PREP_TASK } from '../runs/real-run.js'
import { waitFor } from '../wait.js'
import { quietRuntime } from '../servers/workflow-env.js'
import { workflowBundle } from '../servers/workflow-bundle.js'
import { agentHost } from './agent-host.js'
import { inNamespace, newNamespace, sharedApi, sharedServer } from './namespace.js'

export type Ran = { exitCode: number; stdout: string; stderr: string }

/** A running command: its output, its end, and Ctrl-C. */
export type Running = {
  ended: Promise<Ran>
  stdout: () => string
  stderr: () => string
  interrupt: () => void
}

export type InProcessUser = {
  root: string
  dirs: Dirs
  env: NodeJS.ProcessEnv
  namespace: string
  /** Whether it answers about open runs. */
  supervisor: { knowsRuns: boolean }
  ratchet: Ratchet
  /** A new project directory. */
  project: (name: string) => string
  /**
   * Starts a command in a directory. `ask` simulates the person at the terminal, `env` is that of
   * another shell.
   */
  start: (
    cwd: string,
    argv: readonly string[],
    more?: { ask?: Ask; env?: NodeJS.ProcessEnv },
  ) => Running
  /** Runs a command to its end. */
  run: (cwd: string, ...argv: string[]) => Promise<Ran>
  /** Runs a command with `--json` and reads the only document on stdout. */
  json: <T>(
    cwd: string,
    ...argv: string[]
  ) => Promise<{ exitCode: number; document: T; stderr: string }>
  /** Waits until `ratchet status` says that a run waits for this. */
  until: (cwd: string, id: string, waitsFor: RegExp) => Promise<void>
  fix: (project: string, session: string, input?: Record<string, unknown>) => Promise<RunHandle>
  cycle: (project: string, id: string, input?: Record<string, unknown>) => Promise<RunHandle>
  loop: (project: string, id: string, input?: Record<string, unknown>) => Promise<RunHandle>
  prep: (project: string, id: string) => Promise<RunHandle>
  finish: (run: RunHandle) => Promise<RunResult>
  /** Registers a project and gives it its worker, as a command does that starts a run. */
  hostProject: (project: string) => Promise<void>
  /**
   * Drops the worker of the project when it next passes this point. Only with one active project.
   */
  dieAt: (point: FaultPoint, project: string) => void
  hasDiedAt: (point: FaultPoint, project: string) => boolean
  /** Directory of a project's points. Its tests know it as RATCHET_FAULT_POINTS. */
  pointsOf: (project: string) => string
  /** The logs of the workers. */
  log: () => string
  close: () => Promise<void>
}

type Host = Awaited<ReturnType<typeof agentHost>>

/** Makes such a user. `close` it. */
export async function inProcessUser(extra: NodeJS.ProcessEnv = {}): Promise<InProcessUser> {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-user-')))
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: path.join(root, 'home'),
    XDG_STATE_HOME: path.join(root, 'state'),
    XDG_CACHE_HOME: path.join(root, 'cache'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    PYTHONUSERBASE: process.env['PYTHONUSERBASE'] ?? path.join(os.homedir(), '.local'),
    RATCHET_TRUST: '1', // tests commit the configuration of their agents
    ...extra,
  }
  for (const dir of ['home', 'projects', 'sessions']) mkdirSync(path.join(root, dir))
  const dirs = userDirs(env)
  quietRuntime()
  const [address, namespace] = [sharedServer(), await newNamespace()]
  const connection = await NativeConnection.connect({ address })
  const lines: string[] = []
  const workflows = await createWorkflowWorker(
    connection,
    { namespace },
    { env, workflowBundle: await workflowBundle() },
  )
  const workflowsOver = workflows.worker.run()
  const hosts = new Map<string, Host>()
  const sessions = path.join(root, 'sessions')
  const pointsOf = (project: string): string => path.join(root, 'points', path.basename(project))

  const environments = new HeldEnvironments(env)
  /** One after the other: a second run of a project finds the host started by the first. */
  let hosting: Promise<unknown> = Promise.resolve()
  const host = (project: string, own: NodeJS.ProcessEnv, run?: string): Promise<void> => {
    environments.sent(projectKey(project), given(own), run)
    const next = hosting.then(() => oneHost(project, own))
    hosting = next.catch(() => undefined)
    return next
  }
  let fail: (why: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined) // a test that waits for a run gets it
  const oneHost = async (project: string, own: NodeJS.ProcessEnv): Promise<void> => {
    const key = projectKey(project)
    if (hosts.has(key)) return
    const begun = await agentHost(
      {
        connection,
        namespace,
        env: own,
        project,
        sessions,
        keeps: [dirs.state, project, sessions],
        points: pointsOf(project),
        log: (text) => lines.push(text),
      },
      fail,
    )
    hosts.set(key, begun)
  }
  const endHosts = async (): Promise<void> => {
    await Promise.all([...hosts.values()].map((one) => one.end()))
    hosts.clear()
  }

  const status = (): SupervisorStatus => ({
    pid: process.pid,
    stopping: false,
    server: {
      state: 'ready',
      address,
      uiUrl: 'http://127.0.0.1:1',
      pid: process.pid,
      version: 'in process',
      durable: false,
    },
    workers: [
      {
        name: 'workflows',
        kind: 'workflows',
        state: 'ready',
        pid: process.pid,
        queue: MAIN_QUEUE,
        log: path.join(layout.logs(dirs), 'workflows.log'),
      },
      ...[...hosts].map(([key, { queue }]) => ({
        name: `project-${key}`,
        kind: 'project' as const,
        state: 'ready' as const,
        pid: process.pid,
        queue,
        key,
        log: path.join(layout.logs(dirs), `project-${key}.log`),
      })),
    ],
  })
  const supervisor = { knowsRuns: true }
  const kept = new KeptAnswers()
  const control = await serveControl({
    ...environmentRoutes(environments),
    'GET /status': () => Promise.resolve({ code: 200, body: status() }),
    'POST /runs': async (body) => {
      const asked = RunsRequest.parse(body)
      const answers = supervisor.knowsRuns
        ? await runFacts({ api: sharedApi(), namespace, kept }, asked).catch(() => null)
        : null
      return { code: 200, body: { status: status(), runs: answers } }
    },
    'POST /wanted': () => Promise.resolve({ code: 200, body: status() }),
    'POST /projects': async (body) => {
      const { path: dir, env: own, run } = ProjectRequest.parse(body)
      const project = registeredProject(dirs, dir)
      if (project === undefined) return { code: 404, body: { error: `${dir} is not registered` } }
      await host(project.path, own, run)
      return { code: 200, body: status() }
    },
  })
  const record: SupervisorRecord = {
    identity: self(),
    port: control.port,
    token: control.token,
    version: VERSION,
  }
  writeFileSync(layout.supervisor(dirs), JSON.stringify(record), { mode: 0o600 })
  hostId(dirs)
  // Commands look for runs only where there was a server, which leaves a database.
  mkdirSync(layout.server(dirs), { recursive: true })
  writeFileSync(path.join(layout.server(dirs), 'in-process.db'), '')
  const ratchet = await connect({ address, namespace })

  const start: InProcessUser['start'] = (cwd, argv, more = {}) => {
    let [stdout, stderr] = ['', '']
    const interruption = new AbortController()
    const ended = inNamespace(namespace, () =>
      runCommandLine(
        argv,
        { env, cwd, interrupted: interruption.signal, version: VERSION, ...more },
        { stdout: (text) => void (stdout += text), stderr: (text) => void (stderr += text) },
      ),
    )
    return {
      ended: ended.then((exitCode) => ({ exitCode, stdout, stderr })),
      stdout: () => stdout,
      stderr: () => stderr,
      interrupt: () => interruption.abort(),
    }
  }
  const run: InProcessUser['run'] = (cwd, ...argv) => start(cwd, argv).ended
  const begin = async (project: string): Promise<void> => {
    await host((await registerProject(dirs, project)).path, {
      ...env,
      RATCHET_FAULT_POINTS: pointsOf(project),
    })
  }
  return {
    root,
    dirs,
    env,
    namespace,
    supervisor,
    ratchet,
    start,
    run,
    pointsOf,
    hostProject: begin,
    project(name) {
      const dir = path.join(root, 'projects', name)
      mkdirSync(dir, { recursive: true })
      return dir
    },
    async json<T>(cwd: string, ...argv: string[]) {
      const { exitCode, stdout, stderr } = await run(cwd, ...argv, '--json')
      return { exitCode, document: JSON.parse(stdout) as T, stderr }
    },
    async until(cwd, id, waitsFor) {
      await waitFor(
        async () => {
          const { exitCode, stdout } = await run(cwd, 'status', id, '--json')
          if (exitCode !== 0)
            throw new Error(`ratchet status ${id} ended with ${exitCode}: ${stdout}`)
          return (JSON.parse(stdout) as { runs: { waitingFor: string }[] }).runs.some(
            ({ waitingFor }) => waitsFor.test(waitingFor),
          )
        },
        { what: `${id} waiting for ${String(waitsFor)}`, timeoutMs: 60_000, everyMs: 50 },
      )
    },
    async fix(project, session, input = {}) {
      await begin(project)
      return ratchet.startTestFix({ project, session, ...input }, projectKey(project))
    },
    async cycle(project, id, input = { task: 'Make the calculator right' }) {
      await begin(project)
      return ratchet.startCycle({ project, ...input }, { id })
    },
    async loop(project, id, input = { task: 'Make the calculator right', mode: 'auto' }) {
      await begin(project)
      return ratchet.startLoop({ project, ...input }, { id })
    },
    async prep(project, id) {
      await begin(project)
      return ratchet.startPrep({ project, for: 'cycle', task: PREP_TASK }, { id })
    },
    async finish(of) {
      const end = await Promise.race([of.result(), failed])
      if ('ended' in end)
        throw new Error(`the run ended as ${end.ended.kind}: ${end.ended.message}`)
      return end.result
    },
    dieAt(point, project) {
      mkdirSync(pointsOf(project), { recursive: true })
      writeFileSync(path.join(pointsOf(project), point.replace(':', '-')), '')
    },
    hasDiedAt: (point, project) =>
      existsSync(path.join(pointsOf(project), `${point.replace(':', '-')}.reached`)),
    log: () => lines.join('\n'),
    async close() {
      await ratchet.close()
      await endHosts()
      workflows.worker.shutdown()
      await workflowsOver
      await connection.close()
      await new Promise((resolve) => control.server.close(resolve))
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
