// Processor time of processes, as the system counts it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Length of a clock tick of Linux, in milliseconds. */
const TICK_MS = 10

/**
 * Milliseconds of a core that a process and its threads have used so far. Elsewhere than on Linux in
 * whole seconds.
 */
export function processorMs(pid: number): number {
  if (process.platform !== 'linux') {
    const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' })
    return 1_000 * time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  }
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // utime and stime: fields 14 and 15 of proc(5).
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return TICK_MS * ((user ?? 0) + (system ?? 0))
}
