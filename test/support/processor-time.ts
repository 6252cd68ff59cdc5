// Setup file of every layer: how much processor time a test file took, with the processes that it
// started and waited for. Work of others, such as the shared server, is not included. Read by
// test/support/cost-reporter.ts.
import { afterAll } from 'vitest'
import { linuxCpuMs } from './cpu.js'

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds. */
    processorMs?: number
  }
}

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
  return linuxCpuMs('self', { withEnded: true })
}
