// npm run bench: ratios taken in one run, as machines are noisy. Nothing here passes or fails by
// time.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // One file after the other: two at once would measure each other.
  test: {
    include: ['bench/*.bench.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
    globalSetup: ['bench/support/begin.ts'],
    disableConsoleIntercept: true,
  },
})
