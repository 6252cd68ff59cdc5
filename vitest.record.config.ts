// npm run record-histories: adds histories that are not kept yet. It never overwrites one.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/replay/record*.histories.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/servers/global-setup.ts'],
  },
})
