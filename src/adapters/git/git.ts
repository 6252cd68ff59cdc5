// The only place that runs git: argument arrays, a clean environment, no hooks, no background work.
//
// The caller may itself run inside a git hook, whose GIT_DIR would point every command at the wrong
// repository; and nothing of the user's set-up may run, sign, prompt or clean up on Ratchet's
// behalf. Needs git 2.32 or later, which can be given its global configuration.
import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'advice.detachedHead=false',
  'fetch.writeCommitGraph=false',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'i18n.commitEncoding=UTF-8',
].flatMap((setting) => ['-c', setting])

/** Variables of the caller that say where git and its configuration are, not what it works on. */
const KEPT = new Set([
  'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
])
const FIXED = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
}

export type GitOptions = {
  /** Added to the clean environment, e.g. `GIT_INDEX_FILE`. */
  env?: Readonly<Record<string, string>>
  /** Given to stdin; without it stdin is empty. */
  input?: string
  /** Exit codes that are an answer, not a failure; 0 always is. */
  okCodes?: readonly number[]
  /** Keep the final newline of the output: for file contents. */
  exact?: boolean
  /** Input and output are bytes, one character each: names that are not UTF-8 survive. */
  bytes?: boolean
  signal?: AbortSignal
}

export type GitResult = { stdout: string; code: number }

/**
 * A git command failed. The message holds the command, the directory and the end of what git said.
 */
export class GitError extends Error {
  override readonly name = 'GitError'
  constructor(
    readonly args: readonly string[],
    readonly cwd: string,
    readonly code: number | undefined,
    readonly stderr: string,
  ) {
    super(
      `git ${args.join(' ').slice(0, 300)} ended with ${code ?? 'no exit code'} in ${cwd}: ${stderr}`,
    )
  }
}

/** Returns whether git failed because the disk or its quota is full. */
export function isFullDisk({ stderr }: GitError): boolean {
  return /no space left on device|disk quota exceeded/i.test(stderr)
}

/** The directory of a workspace or of the user's project is gone, or git can no longer read it. */
export class WorkspaceMissingError extends Error {
  override readonly name = 'PlaceGone'
  constructor(
    readonly place: string,
    readonly how: 'gone' | 'broken' = 'gone',
  ) {
    super(`the directory is ${how}: ${place}`)
  }
}

/** Throws WorkspaceMissingError if a directory is missing. */
export function needPlace(dir: string): void {
  if (!existsSync(dir)) throw new WorkspaceMissingError(dir)
}

/**
 * Called before every command inside `gitHook.run(…)`; what it throws stands for a crash at that
 * point. For tests.
 */
export const gitHook = new AsyncLocalStorage<
  (args: readonly string[], cwd: string) => void | Promise<void>
>()

/**
 * Runs git in a directory. Output is UTF-8; names that are not come out with replacement
 * characters.
 */
export async function git(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  const { env = {}, input, okCodes = [], exact = false, bytes = false, signal } = options
  await gitHook.getStore()?.(args, cwd)
  signal?.throwIfAborted()
  const { code, stdout, said } = await run(
    [...SETTINGS, ...args],
    {
      cwd,
      env: { ...cleanEnv(process.env), ...FIXED, ...env },
      encoding: bytes ? 'latin1' : 'utf8',
    },
    input,
    signal,
  )
  signal?.throwIfAborted()
  if (code !== undefined && (code === 0 || okCodes.includes(code)))
    return { stdout: exact ? stdout : stdout.replace(/\n$/, ''), code }
  const why = code === undefined && !existsSync(cwd) ? 'the directory does not exist' : said
  throw new GitError(args, cwd, code, why.trim().slice(-2_000))
}

type Run = { cwd: string; env: NodeJS.ProcessEnv; encoding: 'latin1' | 'utf8' }

/** After SIGTERM git removes its locks, which takes milliseconds. */
const KILL_AFTER_MS = 5_000

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill()))

// Node's own way: a step runs dozens of these, and any library around it takes as long as git
// itself.
function run(
  args: readonly string[],
  { cwd, env, encoding }: Run,
  input: string | undefined,
  signal: AbortSignal | undefined,
): Promise<{ code: number | undefined; stdout: string; said: string }> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const end = () => {
      child.kill()
      timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    }
    const child = execFile(
      'git',
      args,
      { cwd, env, encoding, maxBuffer: 1 << 30 },
      (error, stdout, stderr) => {
        running.delete(child)
        signal?.removeEventListener('abort', end)
        clearTimeout(timer)
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined
        resolve({
          code,
          stdout,
          said: stderr || (error?.signal ? `ended by ${error.signal}` : (error?.message ?? '')),
        })
      },
    )
    running.add(child)
    signal?.addEventListener('abort', end, { once: true })
    // Git may end before it has read everything: its exit code tells
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input === undefined ? undefined : Buffer.from(input, encoding))
  })
}

/**
 * An environment without what points git somewhere: GIT_DIR, GIT_INDEX_FILE, GIT_WORK_TREE and the
 * like.
 */
export function cleanEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.has(name)),
  )
}

/** Items of a `-z` output. */
export function splitZ(stdout: string): string[] {
  return stdout.split('\0').filter((item) => item !== '')
}

/** Items for a `-z --stdin` input. */
export function joinZ(items: readonly string[]): string {
  return items.map((item) => `${item}\0`).join('')
}
