// npm run matrix: runs of every mode, struck where their numbers say; and runs that are ended from
// outside, unless SEEDS asks for certain ones. Prints a table.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      process.env['SEEDS'] === undefined && process.env['SLICE'] === undefined
        ? 'test/matrix/*.test.ts'
        : 'test/matrix/matrix.test.ts',
    ],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    maxConcurrency: Number(process.env['LANES'] ?? '7'),
    pool: 'forks',
    globalSetup: ['test/support/servers/begin-servers.ts'],
    setupFiles: ['test/support/servers/await-servers.ts'],
    disableConsoleIntercept: true,
  },
})
