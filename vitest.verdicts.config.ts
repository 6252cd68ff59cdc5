// npm run verdicts: scripted movers on three repositories; the table of their verdicts, exit code 1 when one is wrong.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/verdicts/*.verdicts.ts'], testTimeout: 600_000, hookTimeout: 300_000, fileParallelism: false, globalSetup: ['test/support/global-setup.ts'], disableConsoleIntercept: true },
})
