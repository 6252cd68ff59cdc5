// Memory of processes, as the system counts it.
import { execFileSync } from 'node:child_process'

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  return (
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()) /
    1_024
  )
}
