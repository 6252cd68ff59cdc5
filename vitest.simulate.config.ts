// npm run simulate: the decisions of a fix over random sequences, without Temporal.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@temporalio/workflow': fileURLToPath(new URL('./test/simulation/workflow-sdk.ts', import.meta.url)) } },
  test: { include: ['test/simulation/**/*.test.ts'], testTimeout: 3_600_000, pool: 'forks' },
})
