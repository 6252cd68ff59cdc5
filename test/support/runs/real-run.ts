// A run with real parts: the user's own server, worker processes, git, pytest or vitest, and the
// scripted agent. The harness kills what a test names and reads hard evidence: start markers of the
// agent, git, and the bytes of the user's repository.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect, type Ratchet, type RunHandle, type RunResult } from '../../../src/client/index.js'
import type { FaultPoint } from '../../../src/adapters/failpoint.js'
import { projectKey } from '../../../src/adapters/state-dir.js'
import { recordedSupervisor } from '../../../src/adapters/supervisor/supervisor-call.js'
import { ensureProjectWorker, localStatus } from '../../../src/dev-server/index.js'
import { recordedServer } from '../../../src/dev-server/server-record.js'
import { BUILT, localUser, type LocalUser } from '../servers/local.js'
import { commitAll, runGit, writeFiles, type Files } from '../repositories/repos.js'
import { waitFor } from '../wait.js'

/** The task of a preparation. */
export const PREP_TASK = 'Make the calculator right'

/** Whose projects lie below a root. */
export type ProjectOwner = { root: string; project: (name: string) => string }

export type Marker = {
  role: string
  iteration: number
  turn: string
  attempt: number
  pid: number
  session: string
  task?: string
}

/**
 * A user whose projects have runs, in separate processes (`realUser`) or in the test process
 * (`inProcessUser`).
 */
export type RunUser = ProjectOwner & {
  env: NodeJS.ProcessEnv
  /** Starts the run of a project's session. */
  fix: (project: string, session: string, input?: Record<string, unknown>) => Promise<RunHandle>
  /** Starts a dev cycle of a project. */
  cycle: (project: string, id: string, input?: Record<string, unknown>) => Promise<RunHandle>
  /** Starts a dev loop of a project. */
  loop: (project: string, id: string, input?: Record<string, unknown>) => Promise<RunHandle>
  /** Starts a preparation for a cycle of a project. */
  prep: (project: string, id: string) => Promise<RunHandle>
  finish: (run: RunHandle) => Promise<RunResult>
  /** The next process of the project that passes this point dies there. */
  dieAt: (point: FaultPoint, project: string) => void
  hasDiedAt: (point: FaultPoint, project: string) => boolean
  /** Directory of a project's points. Its tests know it as RATCHET_FAULT_POINTS. */
  pointsOf: (project: string) => string
  close: () => Promise<void>
}

export type RealUser = LocalUser &
  RunUser & {
    ratchet: Ratchet
    pidOf: (kind: 'workflows' | 'project' | 'server' | 'supervisor') => Promise<number>
    /**
     * Kills the server and returns the run at the next one, which uses another port if the old one
     * is taken.
     */
    killServer: (run: RunHandle) => Promise<RunHandle>
  }

/** A user with a separate server and workers. `close` it. */
export async function realUser(extra: NodeJS.ProcessEnv = {}): Promise<RealUser> {
  const user = localUser(extra)
  Object.assign(user.env, { HOME: process.env['HOME'] })
  const pointsOf = (project: string): string =>
    path.join(user.root, 'points', path.basename(project))
  const fileOf = (point: FaultPoint, project: string): string =>
    path.join(pointsOf(project), point.replace(':', '-'))
  const supervisor = { supervisor: path.join(BUILT, 'dev-server/supervisor-main.js') }
  const server = await user.ensure({ entries: supervisor })
  let at = server.address
  let ratchet = await connect({ address: at }, user.env)
  // A killed server may have restarted at another address, and another user's may have its old one.
  const here = async (): Promise<Ratchet> => {
    const address = recordedServer(user.dirs)?.address ?? at
    if (address !== at) {
      await ratchet.close()
      ratchet = await connect({ address }, user.env)
      at = address
    }
    return ratchet
  }
  const hosting = async (project: string): Promise<Ratchet> => {
    await ensureProjectWorker(user.dirs, project, {
      env: { ...user.env, RATCHET_FAULT_POINTS: pointsOf(project) },
    })
    return here()
  }
  // Only a real pid: a signal to -1 goes to every process.
  const pidOf: RealUser['pidOf'] = (kind) =>
    waitFor(
      async () => {
        if (kind === 'server') return recordedServer(user.dirs)?.identity.pid
        if (kind === 'supervisor') return recordedSupervisor(user.dirs)?.identity.pid
        return (await localStatus(user.dirs)).workers.find((w) => w.kind === kind)?.pid
      },
      { what: `the pid of the ${kind}`, timeoutMs: 30_000 },
    )
  return {
    ...user,
    get ratchet() {
      return ratchet
    },
    async fix(project, session, input = {}) {
      return (await hosting(project)).startTestFix(
        { project, session, ...input },
        projectKey(project),
      )
    },
    async cycle(project, id, input = { task: 'Make the calculator right' }) {
      return (await hosting(project)).startCycle({ project, ...input }, { id })
    },
    async loop(project, id, input = { task: 'Make the calculator right', mode: 'auto' }) {
      return (await hosting(project)).startLoop({ project, ...input }, { id })
    },
    async prep(project, id) {
      return (await hosting(project)).startPrep({ project, for: 'cycle', task: PREP_TASK }, { id })
    },
    async finish(run) {
      const end = await run.result()
      if ('ended' in end)
        throw new Error(`the run ended as ${end.ended.kind}: ${end.ended.message}`)
      return end.result
    },
    dieAt(point, project) {
      mkdirSync(pointsOf(project), { recursive: true })
      writeFileSync(fileOf(point, project), '')
    },
    hasDiedAt: (point, project) => existsSync(`${fileOf(point, project)}.reached`),
    pointsOf,
    pidOf,
    async killServer(run) {
      const pid = await pidOf('server')
      process.kill(pid, 'SIGKILL')
      await ratchet.close()
      ratchet = await waitFor(
        async () => {
          const next = recordedServer(user.dirs)
          if (next === undefined || next.identity.pid === pid) return undefined
          at = next.address
          return connect({ address: at }, user.env).catch(() => undefined) // it is not up yet
        },
        { what: 'the next server', timeoutMs: 60_000 },
      )
      await waitFor(() => ratchet.find(run.id).catch(() => undefined), {
        what: 'the run at the next server',
        timeoutMs: 60_000,
      })
      return ratchet.attach(run.id)
    },
    async close() {
      await ratchet.close()
      await user.remove()
    },
  }
}

/**
 * Two bugs, three tests, pytest; a dirty tree, and a stash and a branch of the user.
 */
export const CALCULATOR: Files = {
  'calc.py': 'def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a + b\n',
  'tests/test_calc.py':
    'from calc import add, mul\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n',
  'conftest.py': '',
  'notes.txt': 'committed\n',
}

export const RIGHT_ADD = { patch: { path: 'calc.py', find: 'a - b', replace: 'a + b' } }
export const RIGHT_MUL = {
  patch: {
    path: 'calc.py',
    find: 'def mul(a, b):\n    return a + b',
    replace: 'def mul(a, b):\n    return a * b',
  },
}

export type Step = { when?: Record<string, unknown>; do: Record<string, unknown>[] }

/** An analysis as the cli-planning-agent gives it: a report, and the JSON that Ratchet reads. */
export function analysis(
  points: string[],
  tests: string[],
  more: Record<string, unknown> = {},
): string {
  const answer = {
    root_causes: points.map((point) => `wrong operator at ${point}`),
    fix_strategy: {
      approach: 'use the operator that the name of the function says',
      modification_points: points,
      expected_outcome: 'the tests pass',
    },
    confidence_score: 0.9,
    affected_tests: tests,
    ...more,
  }
  return `## Root Cause Analysis\n\nThe functions use the wrong operators: add subtracts, mul adds.\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`
}

/** The analysis of CALCULATOR, in every iteration. */
export const ANALYSE: Step = {
  when: { role: 'cli-planning-agent' },
  do: [{ say: analysis(['calc.py:add:1-2', 'calc.py:mul:5-6'], ['tests/test_calc.py']) }],
}

/** Adds, then multiplies: green after two iterations. */
export const TWO_FIXES: Step[] = [
  ANALYSE,
  { when: { role: 'test-fix-agent', iteration: 1 }, do: [RIGHT_ADD] },
  { when: { role: 'test-fix-agent', iteration: 2 }, do: [RIGHT_MUL] },
]

/** Creates a project of a user whose agents follow these steps. */
export function makeProject(
  user: ProjectOwner,
  name: string,
  steps: Step[],
  config: Record<string, unknown> = {},
  files: Files = CALCULATOR,
): string {
  const project = user.project(name)
  runGit(project, 'init', '-q')
  runGit(project, 'config', 'user.name', 'User')
  runGit(project, 'config', 'user.email', 'user@example.com')
  writeFiles(project, files)
  commitAll(project, 'first')
  writeFiles(project, { 'notes.txt': 'stashed\n' })
  runGit(project, 'stash')
  runGit(project, 'branch', 'feature')
  // Uncommitted work: changed, staged and untracked files.
  writeFiles(project, {
    'notes.txt': 'changed, not committed\n',
    'new.txt': 'untracked\n',
    'staged.txt': 'staged\n',
  })
  runGit(project, 'add', 'staged.txt')
  writeFiles(project, {
    'ratchet.config.json': JSON.stringify({
      roles: { default: 'playbook' },
      cycle: { requireGreen: true },
      ...config,
    }),
    // JSON is valid YAML.
    'ratchet.playbook.yaml': JSON.stringify({ markers: markerFile(user, name), steps }),
  })
  return project
}

/**
 * A repository with failing tests, uncommitted work and this playbook; no agent without steps.
 */
export function repository(
  user: ProjectOwner,
  name: string,
  steps?: Step[],
  config: Record<string, unknown> = {},
  files: Files = CALCULATOR,
): string {
  const dir = user.project(name)
  runGit(dir, 'init', '-q', '-b', 'main')
  writeFiles(dir, files)
  commitAll(dir, 'first')
  writeFiles(dir, { 'notes.txt': 'changed, not committed\n', 'new.txt': 'untracked\n' })
  const configured = {
    cycle: { requireGreen: true },
    ...(steps === undefined ? {} : { roles: { default: 'playbook' } }),
    ...config,
  }
  writeFiles(dir, {
    'ratchet.config.json': JSON.stringify(configured),
    ...(steps === undefined ? {} : { 'ratchet.playbook.yaml': JSON.stringify({ steps }) }),
  })
  return dir
}

function markerFile(user: ProjectOwner, name: string): string {
  return path.join(user.root, `${name}.markers.ndjson`)
}

/** One line per prompt of any agent of a project. */
export function markers(user: ProjectOwner, name: string): Marker[] {
  const file = markerFile(user, name)
  // The last line may be half written.
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Marker)
    : []
}

/** What a run leaves behind, which must be the same after any kill. */
export function endState(project: string, result: RunResult): Record<string, unknown> {
  const branch = result.branch ?? ''
  return {
    outcome: result.outcome,
    status: result.status,
    iterations: result.iterations,
    passRate: result.passRate,
    failures: result.failures,
    history: result.history.map(
      ({
        commit,
        turns: _turns,
        startedAt: _started,
        completedAt: _completed,
        // After a crash the next turn has a session of its own.
        sessions: _sessions,
        ...rest
      }) => ({ ...rest, committed: commit !== null }),
    ),
    // The playbook names its own marker file, which differs by project.
    tree: runGit(project, 'ls-tree', '-r', branch)
      .split('\n')
      .filter((line) => !line.endsWith('ratchet.playbook.yaml')),
    subjects: runGit(project, 'log', '--format=%s', `HEAD..${branch}`),
  }
}
