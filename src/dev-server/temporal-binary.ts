// Finds, downloads or builds the Temporal CLI, which holds the server and its Web UI.
//
// Every machine gets the same version, as the database and the tests depend on it. Only
// TEMPORAL_CLI_PATH may name another one: who sets it has a reason.
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import which from 'which'
import type { Dirs } from '../adapters/state-dir.js'
import { NoTemporalBinaryError, WrongTemporalBinaryError, type Attempt } from './failures.js'
import { BUILD_DEADLINE_MS, goBuild, type OnProgress } from './go-build.js'
import { lockWhenFree } from './lock.js'
import { download, infoUrl, lastLine, type DownloadTools, type Run } from './temporal-download.js'

/** Version of the Temporal CLI and of the server in it. */
export const CLI_VERSION = '1.5.1'
export const SERVER_VERSION = '1.29.1'
/**
 * SHA-256 of the archives of this version, as published with its release: a changed download is
 * refused. `go install` checks its sources against Go's checksum database.
 */
const ARCHIVES: Readonly<Record<string, string>> = {
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
}
const CLI_MODULE = 'github.com/temporalio/cli'
const CLI_COMMAND = 'cmd/temporal'

/** A Temporal CLI; `version` is the server's. */
export type TemporalBinary = {
  path: string
  version: string
  source: 'TEMPORAL_CLI_PATH' | 'cache' | 'PATH' | 'download' | 'go install'
}

export type FindOptions = {
  env: NodeJS.ProcessEnv
  /** Called with steps that take long, in words for a person. */
  onProgress?: OnProgress
  /** `sha256`: checksum of the archive instead of the published one. */
  tools?: { fetch: typeof fetch; run: Run; sha256?: string }
}

/** Where the cached program is. */
export function cachedTemporal(dirs: Dirs): string {
  return path.join(dirs.cache, 'bin', `temporal-${CLI_VERSION}`, 'temporal')
}

/**
 * Returns a Temporal CLI: TEMPORAL_CLI_PATH, the cache, the same version on PATH, the SDK's
 * download, `go install`, in this order. What was downloaded or built is cached. Two processes that
 * need it at once get it once.
 *
 * @throws {WrongTemporalBinaryError} when TEMPORAL_CLI_PATH names something else
 * @throws {NoTemporalBinaryError} with every way tried and its outcome
 */
export async function findOrGetTemporal(dirs: Dirs, options: FindOptions): Promise<TemporalBinary> {
  const { env, onProgress = () => undefined } = options
  const {
    fetch,
    run,
    sha256 = ARCHIVES[`${process.platform}-${process.arch}`],
  } = options.tools ?? { fetch: globalThis.fetch, run: runProgram }
  const tried: Attempt[] = []

  const named = env['TEMPORAL_CLI_PATH']
  if (named !== undefined && named !== '') {
    const answer = await serverVersion(named, run)
    if ('problem' in answer) throw new WrongTemporalBinaryError(named, answer.problem)
    return { path: named, version: answer.version, source: 'TEMPORAL_CLI_PATH' }
  }
  tried.push({ what: 'TEMPORAL_CLI_PATH', outcome: 'not set' })

  const cached = cachedTemporal(dirs)
  const inCache = await ours(cached, run)
  if (inCache === undefined) return { path: cached, version: SERVER_VERSION, source: 'cache' }
  tried.push({ what: cached, outcome: inCache })

  const onPath = await which('temporal', { nothrow: true, path: env['PATH'] ?? '' })
  const problem = onPath === null ? 'not there' : await ours(onPath, run)
  if (onPath !== null && problem === undefined)
    return { path: onPath, version: SERVER_VERSION, source: 'PATH' }
  tried.push({ what: onPath ?? 'temporal on PATH', outcome: problem ?? '' })

  await mkdir(path.dirname(cached), { recursive: true, mode: 0o700 })
  const lock = await lockWhenFree(
    path.join(dirs.cache, 'bin', 'lock'),
    (holder) =>
      onProgress(
        `waiting for process ${holder.pid}, which is downloading or building the Temporal server`,
      ),
    BUILD_DEADLINE_MS,
  )
  const scratch = await mkdtemp(path.join(dirs.cache, 'bin', 'get-'))
  try {
    if ((await ours(cached, run)) === undefined)
      return { path: cached, version: SERVER_VERSION, source: 'cache' }
    const ways = [
      {
        source: 'download',
        what: 'download from temporal.download',
        get: () => downloadCli(scratch, { fetch, run, env, sha256 }, onProgress),
      },
      {
        source: 'go install',
        what: `go install ${CLI_MODULE}/${CLI_COMMAND}@v${CLI_VERSION}`,
        get: () =>
          goBuild({
            module: CLI_MODULE,
            command: CLI_COMMAND,
            version: CLI_VERSION,
            scratch,
            run,
            env,
            onProgress,
          }),
      },
    ] as const
    for (const { source, what, get } of ways) {
      const got = await get().catch((error: unknown) => ({ problem: (error as Error).message }))
      const wrong = typeof got === 'string' ? await ours(got, run) : got.problem
      if (typeof got === 'string' && wrong === undefined) {
        await chmod(got, 0o755)
        await rename(got, cached)
        return { path: cached, version: SERVER_VERSION, source }
      }
      tried.push({ what, outcome: wrong ?? '' })
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
    lock.release()
  }
  throw new NoTemporalBinaryError(
    tried,
    `the Temporal CLI ${CLI_VERSION} (server ${SERVER_VERSION})`,
  )
}

async function downloadCli(
  scratch: string,
  tools: DownloadTools,
  onProgress: OnProgress,
): Promise<string> {
  const text = 'downloading the Temporal server'
  onProgress(text)
  return download(infoUrl('cli', `v${CLI_VERSION}`), path.join(scratch, 'download'), {
    ...tools,
    onBytes: (done, total) =>
      onProgress(text, { done: megabytes(done), total: megabytes(total), unit: 'MB' }),
  })
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10
}

// Why a program is not the version we want, or `undefined`. A CLI built by go calls itself
// 0.0.0-DEV.
async function ours(file: string, run: Run): Promise<string | undefined> {
  if (!existsSync(file)) return 'not there'
  const answer = await serverVersion(file, run)
  if ('problem' in answer) return answer.problem
  const same =
    answer.version === SERVER_VERSION && (answer.cli === CLI_VERSION || answer.cli === '0.0.0-DEV')
  return same
    ? undefined
    : `is version ${answer.cli} (server ${answer.version}), not ${CLI_VERSION} (server ${SERVER_VERSION})`
}

/** Versions of a Temporal CLI and of the server in it, or why it has none. */
export async function serverVersion(
  file: string,
  run: Run,
): Promise<{ cli: string; version: string } | { problem: string }> {
  const { code, stdout, stderr } = await run(file, ['--version'], { timeoutMs: 20_000 })
  const [, cli, version] =
    /^temporal version (\S+) \(Server (\d+\.\d+\.\d+[^,)]*)/m.exec(stdout) ?? []
  if (code === 0 && cli !== undefined && version !== undefined) return { cli, version }
  return {
    problem: `"${file} --version" ${code === 0 ? `answered ${JSON.stringify(stdout.slice(0, 80))}` : `failed: ${lastLine(stderr) || `code ${code}`}`}`,
  }
}

/** Runs a program by argument array, its output kept. */
export const runProgram: Run = async (file, args, { env, timeoutMs, cwd, onLine } = {}) => {
  const done = await execa(file, args, {
    reject: false,
    stdin: 'ignore',
    maxBuffer: 1_000_000,
    ...(onLine === undefined
      ? {}
      : {
          stderr: function* (line: unknown) {
            onLine(String(line))
            yield line
          },
        }),
    ...(env === undefined ? {} : { env, extendEnv: false }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, forceKillAfterDelay: 5_000 }),
    cwd,
  })
  const problem = done.timedOut
    ? `took longer than ${Math.round((timeoutMs ?? 0) / 1_000)} s`
    : done.exitCode === undefined
      ? (done.originalMessage ?? done.shortMessage ?? '')
      : ''
  return {
    code: done.exitCode ?? -1,
    stdout: done.stdout,
    stderr: problem === '' ? done.stderr : problem,
  }
}
