import { defineConfig } from 'vitest/config'

// One project per layer, two files at a time: the machine has two cores, and what starts servers and
// kills processes waits most of the time. Each file has a user of its own (state directory, server, ports).
const layer = (name: string, options: { last?: boolean; servers?: boolean; timeoutMs: number }) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeoutMs,
    hookTimeout: 300_000,
    pool: 'forks' as const,
    maxWorkers: 2,
    // What is quick tells first.
    sequence: { groupOrder: options.last ? 1 : 0 },
    globalSetup: options.servers ? ['test/support/global-setup.ts'] : [],
  },
})

export default defineConfig({
  test: {
    projects: [
      layer('unit', { timeoutMs: 20_000 }),
      layer('activities', { timeoutMs: 60_000 }),
      layer('workflows', { servers: true, timeoutMs: 60_000 }),
      layer('time', { servers: true, timeoutMs: 60_000 }),
      layer('replay', { timeoutMs: 60_000 }),
      layer('crash', { servers: true, timeoutMs: 300_000, last: true }),
      layer('e2e', { servers: true, timeoutMs: 300_000, last: true }),
    ],
  },
})
