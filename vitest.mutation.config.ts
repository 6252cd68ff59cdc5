// npm run mutation: what protects is taken out, one after the other, and the test that is named for
// it must go red.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/mutation/*.mutation.ts'],
    chaiConfig: { truncateThreshold: 0 }, // whole titles
    testTimeout: 700_000,
    hookTimeout: 60_000,
    maxConcurrency: Number(process.env['LANES'] ?? '2'),
    pool: 'forks',
    globalSetup: ['test/support/servers/global-setup.ts'],
  },
})
