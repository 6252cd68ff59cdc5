// npm run bench: prints ratios taken in one run, as machines are noisy. Nothing here passes or fails by time.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['bench/*.bench.ts'], testTimeout: 600_000, hookTimeout: 300_000, globalSetup: ['test/support/global-setup.ts'], disableConsoleIntercept: true },
})
