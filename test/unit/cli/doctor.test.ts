// Leftovers that doctor finds and removes, and its speed checks: real files and processes, no
// server.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inFlightOf } from '../../../src/adapters/activity-journal.js'
import { acquireLock } from '../../../src/adapters/process/lock.js'
import { spawnGroup } from '../../../src/adapters/process/spawn-group.js'
import { registerProject } from '../../../src/adapters/config/registry.js'
import { layout, projectKey, userDirs, type Dirs } from '../../../src/adapters/state-dir.js'
import { explanationOf } from '../../../src/cli/doctor/check-explanations.js'
import { createContext } from '../../../src/cli/context.js'
import { command as doctor } from '../../../src/cli/commands/doctor.js'
import {
  checkFileSystem,
  checkTestTime,
  judgeDependencies,
} from '../../../src/cli/doctor/speed-checks.js'
import { commitAll, makeRepo, prepare, writeFiles } from '../../support/repositories/repos.js'
import { cliUser, type CliUser } from './support.js'

type Told = {
  ok: boolean
  checks: {
    check: string
    ok: boolean
    detail: string
    next: string
    warning?: true
    fixable: boolean
    about: string
  }[]
  repaired?: { check: string; done: string | null }[]
}

const DEAD = { pid: 999_999_999, startTime: '1', bootId: 'another' }
const DEAD_CLAIM = `000000000001,${DEAD.pid},${DEAD.startTime},${DEAD.bootId},abc`

async function told(user: CliUser, ...argv: string[]): Promise<Told> {
  return JSON.parse((await user.run('doctor', '--json', ...argv)).stdout) as Told
}

const dirsOf = (user: CliUser): Dirs => userDirs(user.env)

test.each<{
  check: string
  leave: (user: CliUser, dirs: Dirs) => unknown
  gone: (user: CliUser, dirs: Dirs) => unknown
}>([
  {
    check: 'supervisor',
    leave: (_, dirs) =>
      writeFileSync(
        layout.supervisor(dirs),
        JSON.stringify({ identity: DEAD, port: 1, token: 't' }),
      ),
    gone: (_, dirs) => existsSync(layout.supervisor(dirs)),
  },
  {
    check: 'claims',
    leave: (_, dirs) => {
      for (const dir of [layout.slots(dirs), path.join(layout.locks(dirs), 'tests-x')]) {
        mkdirSync(dir, { recursive: true })
        writeFileSync(path.join(dir, DEAD_CLAIM), '')
      }
    },
    gone: (_, dirs) => readdirSync(layout.slots(dirs)).length > 0,
  },
  {
    check: 'projects',
    leave: (_, dirs) => {
      mkdirSync(path.join(dirs.state, 'projects'), { recursive: true })
      writeFileSync(layout.project(dirs, '0123456789ab'), '{"path":')
    },
    gone: (_, dirs) => existsSync(layout.project(dirs, '0123456789ab')),
  },
  {
    check: 'downloads',
    leave: (_, dirs) => mkdirSync(path.join(dirs.cache, 'bin', 'get-abc'), { recursive: true }),
    gone: (_, dirs) => existsSync(path.join(dirs.cache, 'bin', 'get-abc')),
  },
  {
    check: 'ignore file',
    leave: ({ cwd }) => mkdirSync(path.join(cwd, '.workflow')),
    gone: ({ cwd }) => !existsSync(path.join(cwd, '.workflow/.gitignore')),
  },
  {
    check: 'processes',
    leave: (_, dirs) => {
      mkdirSync(path.join(dirs.state, 'looks/look-dead'), { recursive: true })
      writeFileSync(path.join(dirs.state, 'looks/look-dead/owner.json'), JSON.stringify(DEAD))
    },
    gone: (_, dirs) => existsSync(path.join(dirs.state, 'looks/look-dead')),
  },
])(
  'issue 8 "Tidy": $check: reported, left alone without --fix, repaired once with --fix',
  async ({ check, leave, gone }) => {
    const user = cliUser()
    const dirs = dirsOf(user)
    leave(user, dirs)
    expect((await told(user)).checks.find((one) => one.check === check)).toMatchObject({
      ok: true,
      warning: true,
      fixable: true,
    })
    expect(gone(user, dirs)).toBe(true)
    const after = await told(user, '--fix', '--yes')
    expect(after.repaired?.map((one) => one.check)).toEqual([check])
    expect(after.checks.find((one) => one.check === check)?.fixable ?? false).toBe(false)
    expect(gone(user, dirs)).toBe(false)
    expect((await told(user, '--fix', '--yes')).repaired).toEqual([])
  },
)

test('ends processes of a run whose worker died, and spares those of a live worker', async () => {
  const user = cliUser()
  const dirs = dirsOf(user)
  const child = (run: string) =>
    spawnGroup({
      argv: [process.execPath, '-e', 'setTimeout(() => {}, 100_000)'],
      cwd: user.cwd,
      env: process.env,
      markers: { run, step: 's' },
      stdin: 'ignore',
      stdout: { file: path.join(user.root, run) },
    })
  const [dead, alive] = [await child(`dead-${process.pid}`), await child(`alive-${process.pid}`)]
  const key = 'aaaaaaaaaaaa'
  inFlightOf(dirs, key).begin({
    workflowId: `alive-${process.pid}`,
    runId: 'r',
    activityId: '1',
    attempt: 1,
  })
  writeFileSync(
    path.join(dirs.state, 'in-flight', key, 'dead.json'),
    JSON.stringify({
      workflowId: `dead-${process.pid}`,
      runId: 'r',
      activityId: '1',
      attempt: 1,
      worker: DEAD,
    }),
  )
  try {
    const { repaired } = await told(user, '--fix', '--yes')
    expect(repaired).toEqual([
      { check: 'processes', done: '1 process ended, 0 first test runs removed' },
    ])
    await dead.exited
    expect((await told(user)).checks.find(({ check }) => check === 'processes')).toMatchObject({
      detail: 'no process of a dead worker is left',
    })
    expect(process.kill(alive.identity.pid, 0)).toBe(true)
  } finally {
    process.kill(alive.identity.pid, 'SIGKILL')
  }
})

test('a held lock and a claim of a live process are no leftovers', async () => {
  const user = cliUser()
  const release = await acquireLock(path.join(layout.locks(dirsOf(user)), 'tests-x'))
  expect((await told(user)).checks.find(({ check }) => check === 'claims')).toMatchObject({
    detail: 'no lock of a dead process is left',
    fixable: false,
  })
  await release()
})

test('a workspace of a deleted project is removed, unless it holds work of its own', async () => {
  const user = cliUser()
  const dirs = dirsOf(user)
  const prepared = await Promise.all(
    ['plain', 'worked'].map(async (name) => {
      const project = makeRepo()
      await registerProject(dirs, project)
      const { workspace } = await prepare(project, dirs)
      if (name === 'worked') {
        writeFiles(workspace.root, { 'src/add.js': 'work\n' })
        commitAll(workspace.root, 'work')
      }
      const dir = layout.workspace(dirs, projectKey(project), 'WFS-test-login')
      return { project, dir }
    }),
  )
  expect((await told(user)).checks.filter(({ check }) => check === 'workspaces')).toEqual([])
  for (const { project } of prepared) rmSync(project, { recursive: true })
  const { repaired, checks } = await told(user, '--fix', '--yes')
  expect(repaired).toEqual([{ check: 'workspaces', done: '1 removed' }])
  expect(prepared.map(({ dir }) => existsSync(dir))).toEqual([false, true])
  expect(checks.find(({ check }) => check === 'workspaces')).toMatchObject({
    detail: '1 of deleted projects hold commits that may exist nowhere else',
    fixable: false,
  })
})

test.each([
  { why: 'yes', choice: 'yes', done: expect.stringContaining('wrote ') as unknown, written: true },
  { why: 'no', choice: 'no', done: null, written: false },
])('--fix asks about each, and $why counts', async ({ choice, done, written }) => {
  const user = cliUser()
  mkdirSync(path.join(user.cwd, '.workflow'))
  const asked: string[] = []
  let stdout = ''
  const context = createContext(
    { json: false },
    {
      env: user.env,
      cwd: user.cwd,
      interrupted: new AbortController().signal,
      takesInterrupt: () => undefined,
      ask: (question) => {
        asked.push(question.text)
        return Promise.resolve({ choice })
      },
    },
    { stdout: (text) => (stdout += text), stderr: () => undefined },
  )
  const { run } = await doctor.load()
  await run(context, [], { fix: true })
  const file = path.join(user.cwd, '.workflow/.gitignore')
  expect(asked).toEqual([`Write ${file}?`])
  expect(existsSync(file) && readFileSync(file, 'utf8') === '*\n').toBe(written)
  expect(stdout).toContain(
    done === null ? 'left  ignore file\n' : `fixed  ignore file: wrote ${file}\n`,
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'no terminal for the question', argv: ['doctor', '--fix'], message: '--fix asks before each repair, and there is no terminal', next: 'ratchet doctor --fix --yes' },
  { why: '--yes alone', argv: ['doctor', '--yes'], message: '--yes has an effect only with --fix', next: 'ratchet doctor --fix --yes' },
],
)('bad usage of doctor: $why', async ({ argv, message, next }) => {
  const { exitCode, stderr } = await cliUser().run(...argv)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
  expect(stderr).toContain(next)
})

test('explains every check, and only on request', async () => {
  const user = cliUser()
  const { checks } = await told(user)
  for (const { check, about } of checks) expect(about, check).not.toBe('')
  expect(explanationOf('agent claude')).toContain('A coding agent')
  const [plain, explained] = [
    (await user.run('doctor')).stdout,
    (await user.run('doctor', '--explain')).stdout,
  ]
  expect(plain).not.toContain('(A run starts from a commit')
  expect(explained).toContain('(A run starts from a commit')
  // A text that several checks share is printed once; in JSON each check has it.
  expect(checks.filter(({ check }) => check.startsWith('agent ')).length).toBeGreaterThan(1)
  expect(explained.split('(A coding agent:')).toHaveLength(2)
  expect(doctor.options?.map(([flag]) => flag)).toEqual([
    '--explain',
    '--fix',
    '--yes',
    '--sandbox',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'shared blocks cost nothing', dirs: ['node_modules'], bytes: 2e9, shared: true, warning: undefined, detail: 'node_modules (2.0 GB), copied by reflink: no time, no space' },
  { why: 'few bytes are copied fast', dirs: ['node_modules', '.venv'], bytes: 12e6, shared: false, warning: undefined, detail: 'node_modules, .venv (12.0 MB), copied file by file for each run' },
  { why: 'many are not', dirs: ['node_modules'], bytes: 312e6, shared: false, warning: true, detail: 'node_modules (312.0 MB), copied file by file for each run' },
  { why: 'so many that counting takes too long', dirs: ['vendor'], bytes: undefined, shared: false, warning: true, detail: 'vendor (too many files to count quickly), copied file by file for each run' },
],
)('speed: dependencies: $why', ({ dirs, bytes, shared, warning, detail }) => {
  expect(judgeDependencies(dirs, bytes, shared)).toMatchObject({
    ok: true,
    detail,
    ...(warning === undefined ? { next: '' } : { warning }),
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'ext4', state: 0xef53, project: 0xef53, detail: 'local', warning: undefined },
  { why: 'a project on NFS', state: 0xef53, project: 0x6969, detail: 'the project is on NFS', warning: true },
  { why: 'both on a Windows drive', state: 0x01021997, project: 0x01021997, detail: 'the state directory is on 9p, as a Windows drive in WSL is, the project is on 9p, as a Windows drive in WSL is', warning: true },
  { why: 'a system that does not say', state: undefined, project: undefined, detail: 'local', warning: undefined },
],
)('speed: file system: $why', ({ state, project, detail, warning }) => {
  const check = checkFileSystem(state, project)
  expect({ detail: check.detail, warning: check.warning }).toEqual({ detail, warning })
})

test.each(
  // prettier-ignore
  [
  { why: 'none yet', ms: undefined, said: [] },
  { why: 'short', ms: 9_000, said: ['the last full run took 9 s'] },
  { why: 'long', ms: 250_000, said: ['the last full run took 4 min 10 s; each iteration makes at least one'] },
],
)('speed: test time: $why', ({ ms, said }) =>
  expect(checkTestTime(ms).map(({ detail }) => detail)).toEqual(said),
)
