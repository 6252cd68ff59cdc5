// Checks what would make runs of this project faster. They only look, except for one small file
// that is copied into the state directory and removed.
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import which from 'which'
import type { Config } from '../../contract/config/config.js'
import { diskUse, sizeText } from '../../adapters/files/disk-use.js'
import { keyOfProject } from '../../adapters/config/registry.js'
import { lastRun } from '../../adapters/test-runners/stored-run.js'
import { userDirs, type Dirs } from '../../adapters/state-dir.js'
import { CLI_VERSION, cachedTemporal } from '../../dev-server/temporal-binary.js'
import { pass, warn, type Check } from './check.js'
import { elapsedText } from '../output/start-progress.js'

/** Smaller dependencies are copied in no time. */
const MANY_BYTES = 300e6
/** A longer full test run makes every iteration slow. */
const LONG_TESTS_MS = 120_000
const SIZE_MS = 5_000
const DEPENDENCY_DIRS = ['node_modules', '.venv', 'venv', 'vendor']

/** Linux: magic numbers of remote file systems. Source: statfs(2). */
const ELSEWHERE: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x01021997: '9p, as a Windows drive in WSL is',
  0x65735546: 'FUSE',
}

/** Runs every check of speed. */
export async function speedChecks(
  env: NodeJS.ProcessEnv,
  project: string,
  config: Config | undefined,
): Promise<Check[]> {
  const dirs = userDirs(env)
  return [
    ...(await checkGoCache(env, dirs)),
    ...(config === undefined ? [] : await checkDependencies(dirs, project, config)),
    checkFileSystem(await typeOf(dirs.state), await typeOf(project)),
    ...checkTestTime(lastTestMs(dirs, project)),
  ]
}

// Only if the server would have to be built.
async function checkGoCache(env: NodeJS.ProcessEnv, dirs: Dirs): Promise<Check[]> {
  const [go, temporal] = ['go', 'temporal'].map((program) =>
    which.sync(program, { nothrow: true, path: env['PATH'] ?? '' }),
  )
  if (
    go == null ||
    temporal != null ||
    existsSync(cachedTemporal(dirs)) ||
    (env['TEMPORAL_CLI_PATH'] ?? '') !== ''
  )
    return []
  const { stdout, exitCode } = await execa(go, ['env', 'GOMODCACHE'], {
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    cwd: dirs.state,
    timeout: SIZE_MS,
  })
  if (exitCode !== 0) return []
  const here = existsSync(
    path.join(stdout.trim(), 'cache/download/github.com/temporalio/cli/@v', `v${CLI_VERSION}.zip`),
  )
  return [
    pass(
      'go cache',
      here
        ? `${stdout.trim()} has the source of the server`
        : `${stdout.trim()} does not have the server yet; a build downloads about 160 modules`,
    ),
  ]
}

async function checkDependencies(dirs: Dirs, project: string, config: Config): Promise<Check[]> {
  const { isolation, dependencies } = config.workspace
  const found = DEPENDENCY_DIRS.filter((dir) => existsSync(path.join(project, dir)))
  if (isolation === 'in-place' || dependencies !== 'copy' || found.length === 0) return []
  const bytes = await diskUse(
    found.map((dir) => path.join(project, dir)),
    SIZE_MS,
  )
  const isShared = await canReflink(
    dirs,
    found.map((dir) => path.join(project, dir)),
  )
  return [judgeDependencies(found, bytes, isShared)]
}

/** Judges how dependencies get into a workspace; `bytes` is absent if counting took too long. */
export function judgeDependencies(
  dirs: readonly string[],
  bytes: number | undefined,
  isShared: boolean,
): Check {
  const what = `${dirs.join(', ')} (${bytes === undefined ? 'too many files to count quickly' : sizeText(bytes)})`
  if (isShared) return pass('dependencies', `${what}, copied by reflink: no time, no space`)
  const detail = `${what}, copied file by file for each run`
  if (bytes !== undefined && bytes < MANY_BYTES) return pass('dependencies', detail)
  return warn(
    'dependencies',
    detail,
    'faster: keep the project and the state directory (XDG_STATE_HOME) on one file system with reflinks, such as btrfs, XFS or APFS',
  )
}

// Returns whether a copy into the state directory shares its blocks.
async function canReflink(dirs: Dirs, places: readonly string[]): Promise<boolean> {
  const sample = places.map(firstFile).find((file) => file !== undefined)
  if (sample === undefined) return false
  const scratch = await mkdtemp(path.join(dirs.state, 'probe-'))
  try {
    const how = process.platform === 'darwin' ? ['-c'] : ['--reflink=always']
    const { exitCode } = await execa('cp', [...how, '--', sample, path.join(scratch, 'copy')], {
      reject: false,
      stdin: 'ignore',
    })
    return exitCode === 0
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function firstFile(dir: string): string | undefined {
  const entries = readdirSync(dir, { withFileTypes: true })
  const file = entries.find((entry) => entry.isFile())
  if (file !== undefined) return path.join(dir, file.name)
  const inner = entries.find((entry) => entry.isDirectory())
  return inner === undefined ? undefined : firstFile(path.join(dir, inner.name))
}

async function typeOf(dir: string): Promise<number | undefined> {
  return process.platform === 'linux' && existsSync(dir) ? (await statfs(dir)).type : undefined
}

/** Judges the file systems of the state directory and the project. */
export function checkFileSystem(state: number | undefined, project: number | undefined): Check {
  const far = [
    { what: 'the state directory', kind: ELSEWHERE[state ?? 0] },
    { what: 'the project', kind: ELSEWHERE[project ?? 0] },
  ].filter(({ kind }) => kind !== undefined)
  if (far.length === 0) return pass('file system', 'local')
  return warn(
    'file system',
    far.map(({ what, kind }) => `${what} is on ${kind ?? ''}`).join(', '),
    'faster: use a local disk; XDG_STATE_HOME moves the state directory',
  )
}

/** Judges the last full test run of a project; no line if there was none. */
export function checkTestTime(ms: number | undefined): Check[] {
  if (ms === undefined) return []
  const detail = `the last full run took ${elapsedText(ms)}`
  if (ms < LONG_TESTS_MS) return [pass('test time', detail)]
  return [
    warn(
      'test time',
      `${detail}; each iteration makes at least one`,
      'faster: a test.command that runs tests in parallel, or only the relevant ones',
    ),
  ]
}

// Reads the results that workspaces of this project keep.
function lastTestMs(dirs: Dirs, project: string): number | undefined {
  const key = keyOfProject(dirs, project)
  if (key === undefined) return undefined
  return lastRun(dirs, key)?.durationMs
}
