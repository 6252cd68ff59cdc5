// Setup file of every layer: how much processor time a test file took, with the processes that it
// started and waited for. Work of others, such as the shared server, is not included. Read by
// test/support/cost-reporter.ts.
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds. */
    processorMs?: number
  }
}

/** Length of a clock tick of Linux, in milliseconds. */
const TICK_MS = 10

// Files of some layers share their process: what earlier ones took is counted already.
const counted = globalThis as { ratchetProcessorMs?: number }

// Vitest reads which fixtures a hook wants from its first parameter
afterAll(({}, file) => {
  const now = processorMs()
  file.meta.processorMs = now - (counted.ratchetProcessorMs ?? 0)
  counted.ratchetProcessorMs = now
})

/** Of this process and of its children that have ended. Elsewhere than on Linux its own only. */
function processorMs(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
  return TICK_MS * fields.slice(11, 15).reduce((sum, one) => sum + one, 0)
}
