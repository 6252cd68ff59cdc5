import { defineConfig } from 'vitest/config'

// One project per layer. Everything that starts servers or kills processes runs one file at a time:
// the machine has two cores, and a starved worker looks like a crashed one.
const layer = (name: string, options: { serial?: boolean; servers?: boolean; timeoutMs: number }) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeoutMs,
    hookTimeout: 300_000,
    pool: 'forks' as const,
    fileParallelism: !options.serial,
    // Parallel layers first, on both cores; then the serial ones, one file at a time.
    maxWorkers: options.serial ? 1 : 2,
    sequence: { groupOrder: options.serial ? 1 : 0 },
    globalSetup: options.servers ? ['test/support/global-setup.ts'] : [],
  },
})

export default defineConfig({
  test: {
    projects: [
      layer('unit', { timeoutMs: 20_000 }),
      layer('activities', { timeoutMs: 60_000 }),
      layer('workflows', { servers: true, timeoutMs: 60_000, serial: true }),
      layer('time', { servers: true, timeoutMs: 60_000, serial: true }),
      layer('replay', { timeoutMs: 60_000, serial: true }),
      layer('crash', { servers: true, timeoutMs: 180_000, serial: true }),
      layer('e2e', { servers: true, timeoutMs: 300_000, serial: true }),
    ],
  },
})
