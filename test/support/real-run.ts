// A run on the real parts: the user's own server, workers as processes, git, pytest or vitest, and the
// scripted agent. The harness kills what a test names and reads what nobody can talk away: start
// markers of the agent, git, and the bytes of the user's repository.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '../../src/client/index.js'
import type { Ratchet, RunHandle, RunResult } from '../../src/client/index.js'
import type { FaultPoint } from '../../src/adapters/fault-point.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { ensureProjectWorker, localStatus } from '../../src/local/index.js'
import { BUILT, localUser } from './local.js'
import type { LocalUser } from './local.js'
import { commitAll, runGit, writeFiles } from './repos.js'
import type { Files } from './repos.js'
import { waitFor } from './wait.js'

export type Marker = { role: string; iteration: number; turn: string; attempt: number; pid: number; task?: string }

export type RealUser = LocalUser & {
  ratchet: Ratchet
  /** Starts the run of a project's session. */
  fix: (project: string, session: string, input?: Record<string, unknown>) => Promise<RunHandle>
  finish: (run: RunHandle) => Promise<RunResult>
  /** The next process that passes this point dies there. */
  dieAt: (point: FaultPoint) => void
  hasDiedAt: (point: FaultPoint) => boolean
  pidOf: (kind: 'workflows' | 'project') => Promise<number>
  close: () => Promise<void>
}

/** A user with a server and workers of his own. `close` it. */
export async function realUser(extra: NodeJS.ProcessEnv = {}): Promise<RealUser> {
  const user = localUser(extra)
  const points = path.join(user.root, 'points')
  mkdirSync(points)
  Object.assign(user.env, { RATCHET_FAULT_POINTS: points, HOME: process.env['HOME'] })
  const supervisor = { supervisor: path.join(BUILT, 'local/supervisor-main.js') }
  const server = await user.ensure({ entries: supervisor })
  const ratchet = await connect({ address: server.address })
  return {
    ...user,
    ratchet,
    async fix(project, session, input = {}) {
      await ensureProjectWorker(user.dirs, project, { env: user.env, watch: [] })
      return ratchet.startTestFix({ project, session, ...input }, projectKey(project))
    },
    async finish(run) {
      const end = await run.result()
      if ('ended' in end) throw new Error(`the run ended as ${end.ended.kind}: ${end.ended.message}`)
      return end.result
    },
    dieAt: (point) => writeFileSync(path.join(points, point.replace(':', '-')), ''),
    hasDiedAt: (point) => existsSync(path.join(points, `${point.replace(':', '-')}.reached`)),
    pidOf: (kind) => waitFor(async () => (await localStatus(user.dirs)).workers.find((w) => w.kind === kind)?.pid, { what: `a ${kind} worker`, timeoutMs: 30_000 }),
    async close() {
      await ratchet.close()
      await user.remove()
    },
  }
}

/** Two bugs, three tests, pytest; the tree is dirty, a stash and a branch of the user's are there. */
export const CALCULATOR: Files = {
  'calc.py': 'def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a + b\n',
  'tests/test_calc.py': 'from calc import add, mul\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n',
  'conftest.py': '',
  'notes.txt': 'committed\n',
}

export const RIGHT_ADD = { patch: { path: 'calc.py', find: 'a - b', replace: 'a + b' } }
export const RIGHT_MUL = { patch: { path: 'calc.py', find: 'def mul(a, b):\n    return a + b', replace: 'def mul(a, b):\n    return a * b' } }

export type Step = { when?: Record<string, unknown>; do: Record<string, unknown>[] }

/** Adds, then multiplies: green after two iterations. */
export const TWO_FIXES: Step[] = [
  { when: { role: 'cli-planning-agent' }, do: [{ say: 'add subtracts, mul adds' }] },
  { when: { role: 'test-fix-agent', iteration: 1 }, do: [RIGHT_ADD] },
  { when: { role: 'test-fix-agent', iteration: 2 }, do: [RIGHT_MUL] },
]

/** Makes a project of a user that plays these steps. */
export function makeProject(user: LocalUser, name: string, steps: Step[], config: Record<string, unknown> = {}, files: Files = CALCULATOR): string {
  const project = user.project(name)
  runGit(project, 'init', '-q')
  runGit(project, 'config', 'user.name', 'User')
  runGit(project, 'config', 'user.email', 'user@example.com')
  writeFiles(project, files)
  commitAll(project, 'first')
  writeFiles(project, { 'notes.txt': 'stashed\n' })
  runGit(project, 'stash')
  runGit(project, 'branch', 'feature')
  // Life as it is: changed, staged and untracked files.
  writeFiles(project, { 'notes.txt': 'changed, not committed\n', 'new.txt': 'untracked\n', 'staged.txt': 'staged\n' })
  runGit(project, 'add', 'staged.txt')
  writeFiles(project, {
    'ratchet.config.json': JSON.stringify({ roles: { default: 'playbook' }, ...config }),
    // YAML holds JSON.
    'ratchet.playbook.yaml': JSON.stringify({ markers: markerFile(user, name), steps }),
  })
  return project
}

function markerFile(user: LocalUser, name: string): string {
  return path.join(user.root, `${name}.markers.ndjson`)
}

/** One line per prompt that any agent of a project was given. */
export function markers(user: LocalUser, name: string): Marker[] {
  const file = markerFile(user, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Marker) : []
}

/** What a run left behind that must not depend on what was killed meanwhile. */
export function endState(project: string, result: RunResult): Record<string, unknown> {
  const branch = result.branch ?? ''
  return {
    outcome: result.outcome, status: result.status, iterations: result.iterations, passRate: result.passRate, failures: result.failures,
    history: result.history.map(({ commit, turns: _, ...rest }) => ({ ...rest, committed: commit !== null })),
    // The playbook names its own marker file, which differs by project.
    tree: runGit(project, 'ls-tree', '-r', branch).split('\n').filter((line) => !line.endsWith('ratchet.playbook.yaml')),
    subjects: runGit(project, 'log', '--format=%s', `HEAD..${branch}`),
  }
}
