// The processes that a killed worker leaves running. Those of a dropped worker are children of the
// test's process, whose code could still end or notice them. So they are stopped while the files
// are read, and a substitute process with their markers replaces each until the next worker ends
// it.
import { spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { findMarked } from '../../../src/adapters/process/find.js'
import { identify, identifyStarted } from '../../../src/adapters/process/identity.js'
import { processTable } from '../../../src/adapters/process/table.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { ProcessIdentity } from '../../../src/contract/registry.js'

export type Left = { identity: ProcessIdentity; cwd: string; env: NodeJS.ProcessEnv }

const STAND_IN: [string, ...string[]] = ['sleep', '86400']
const POLL_MS = 5
/**
 * A git command is done by then; a hanging one is killed with its worker, as if its reader had
 * died.
 */
const MOST_ROUNDS = 400
const NOTHING = new Int32Array(new SharedArrayBuffer(4))

/**
 * Processes of these runs. If the system does not show environments, only those from `known`.
 */
export function processesOf(runs: Iterable<string>, known: readonly Left[]): Left[] {
  const own = known.filter(
    ({ identity }) => identify(identity.pid)?.startTime === identity.startTime,
  )
  const pids = new Set(own.map(({ identity }) => identity.pid))
  const others = [...runs]
    .flatMap((run) => findMarked(MARKERS.run, run))
    .filter(({ pid }) => !pids.has(pid))
  return [...own, ...others.flatMap((identity) => startedWith(identity) ?? [])]
}

export function signal(left: readonly Left[], name: NodeJS.Signals): void {
  for (const { identity } of left) {
    try {
      process.kill(identity.pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/**
 * Blocks the process until its git commands in these directories are done.
 */
export function awaitCommands(dirs: readonly string[], besides: readonly Left[]): void {
  const spared = new Set(besides.map(({ identity }) => identity.pid))
  const within = (cwd: string | undefined): boolean =>
    cwd !== undefined && dirs.some((dir) => cwd === dir || cwd.startsWith(`${dir}/`))
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const running = processTable().filter(
      ({ pid, parent }) => parent === process.pid && !spared.has(pid) && within(cwdOf(pid)),
    )
    if (running.length === 0) return
    Atomics.wait(NOTHING, 0, 0, POLL_MS)
  }
}

/** Starts a substitute for a process. */
export function standIn({ identity: { pid }, cwd, env }: Left): ProcessIdentity {
  const [command, ...args] = STAND_IN
  const child = spawn(command, args, { cwd, env, stdio: 'ignore', detached: true })
  child.on('error', () => undefined) // said here
  child.unref()
  const identity = child.pid === undefined ? undefined : identifyStarted(child.pid)
  if (identity === undefined)
    throw new Error(
      `cannot start ${command} in ${cwd} for process ${pid}, which the dropped worker left: look whether that directory still exists`,
    )
  return identity
}

function startedWith(identity: ProcessIdentity): Left | undefined {
  const cwd = cwdOf(identity.pid)
  if (cwd === undefined) return undefined
  const pairs = readFileSync(`/proc/${identity.pid}/environ`, 'utf8')
    .split('\0')
    .filter((pair) => pair.includes('='))
  return {
    identity,
    cwd,
    env: Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  }
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // it has ended, or there is no /proc
  }
}
