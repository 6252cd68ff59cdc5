// Processor time, which a busy machine affects less than wall-clock time.
import { readFileSync } from 'node:fs'

/** Milliseconds of processor time that `work` takes in this process. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Length of a clock tick of Linux, in milliseconds. */
const TICK_MS = 10

/**
 * Milliseconds of a core that a process has used so far, as Linux counts them; `withEnded`: also its
 * children that have ended.
 */
export function linuxCpuMs(pid: number | 'self', { withEnded = false } = {}): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, withEnded ? 15 : 13)
    .reduce((sum, ticks) => sum + TICK_MS * Number(ticks), 0)
}
