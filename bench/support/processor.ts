// Processor time of processes, as the system counts it.
import { execFileSync } from 'node:child_process'
import { linuxCpuMs } from '../../test/support/cpu.js'

/**
 * Milliseconds of a core that a process and its threads have used so far. Elsewhere than on Linux in
 * whole seconds.
 */
export function processorMs(pid: number): number {
  if (process.platform === 'linux') return linuxCpuMs(pid)
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' })
  return 1_000 * time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
