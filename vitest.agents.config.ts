// npm run agents: the five real CLIs against a model stub on this machine. Outside of `npm test`,
// as they take 1.3 GB; what is missing is installed first, into a cache. Two at a time: each takes
// up to 0.6 GB. A case that fails is tried once more, and named: what these programs do now and
// then is theirs, and stands in docs/agents-measured.md. `SLICE=<hash>` takes the agents that CI
// takes for a commit: their own suites and a whole fix with each.
import { defineConfig } from 'vitest/config'
import { AGENTS } from './test/agents/chosen.js'

const slice = process.env['SLICE'] !== undefined

export default defineConfig({
  test: {
    include: slice
      ? [...AGENTS.map((name) => `test/agents/${name}.test.ts`), 'test/agents/fix.test.ts']
      : ['test/agents/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    retry: 1,
    maxWorkers: 2,
    maxConcurrency: 3,
    globalSetup: ['test/support/servers/begin-servers.ts', 'test/agents/install.ts'],
  },
})
