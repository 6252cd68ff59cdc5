// The processes of this machine, as the kernel tells them: /proc on Linux, ps on macOS.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** One living process; zombies are left out. `group` and `parent` are pids. */
export type TableEntry = { pid: number; parent: number; group: number; startTime: string }

/** Codes of a process that went away, or belongs to another user, while it was read. */
const NOT_OURS = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])

/**
 * Every living process, in no particular order. A snapshot: some are gone, others new, when it
 * returns.
 */
export function processTable(): TableEntry[] {
  return process.platform === 'linux' ? pids().flatMap((pid) => linuxEntry(pid) ?? []) : psTable()
}

/**
 * Pids whose environment holds all of the variables with these values. Other users' processes are
 * not seen.
 */
export function pidsWithEnv(wanted: Readonly<Record<string, string>>): number[] {
  const pairs = Object.entries(wanted).map(([name, value]) => `${name}=${value}`)
  if (process.platform === 'linux')
    return pids().filter((pid) => {
      const environ = read(`/proc/${pid}/environ`)
      // One look for the rare hit; only then is the block taken apart.
      return (
        environ !== undefined &&
        pairs.every((pair) => environ.includes(pair)) &&
        hasAll(environ.toString('utf8').split('\0'), pairs)
      )
    })
  const lines = execFileSync('ps', ['-axEww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  }).split('\n')
  return lines
    .filter((line) => hasAll(line.trim().split(' '), pairs))
    .map((line) => Number.parseInt(line, 10))
}

function hasAll(have: readonly string[], pairs: readonly string[]): boolean {
  return pairs.every((pair) => have.includes(pair))
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

// Fields 3, 4, 5 and 22. The command name (field 2) may hold blanks and brackets.
function linuxEntry(pid: number): TableEntry | undefined {
  const stat = read(`/proc/${pid}/stat`)?.toString('utf8')
  if (stat === undefined) return undefined
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const startTime = rest[16]
  if (state === 'Z' || state === 'X' || startTime === undefined) return undefined
  return { pid, parent: Number(parent), group: Number(group), startTime }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (NOT_OURS.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function psTable(): TableEntry[] {
  const out = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,state=,lstart='], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  return out.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, startTime] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? []
    if (startTime === undefined || state?.startsWith('Z') === true) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startTime }]
  })
}
