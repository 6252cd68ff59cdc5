import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { PlayedAgain } from './test/support/played-again.js'

const AGAIN = process.env['AGAIN'] === '1'

// One project per layer, two files at a time: the machine has two cores, and what starts servers and
// kills processes waits most of the time. Each file has a user of its own (state directory, server, ports).
//
// What is quick tells first. What needs no server comes before all: where the server has to be compiled,
// that goes on meanwhile.
//
// AGAIN=1, as CI sets it: a red test of those that kill, wait and race is played once more, and named if it
// is green then. By hand it is red at once.
const layer = (name: string, options: { group: 0 | 1 | 2; servers?: boolean; bundle?: boolean; timeoutMs: number }) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeoutMs,
    hookTimeout: 300_000,
    pool: 'forks' as const,
    maxWorkers: 2,
    retry: options.group === 2 && AGAIN ? 1 : 0,
    sequence: { groupOrder: options.group },
    globalSetup: [...(options.servers ? ['test/support/begin-servers.ts'] : []), ...(options.bundle ? ['test/support/begin-bundle.ts'] : [])],
    setupFiles: options.servers ? ['test/support/await-servers.ts'] : [],
  },
})

/** Short files that take long. Of files it has never seen Vitest begins with the largest, and these would be left for the end, alone. */
const LONG = /test\/(crash\/(dev-cycle|in-a-turn)|e2e\/(docs-as-typed|verdicts|dev-cycle|cli-reach|local-idle|local-workers))\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = (spec: TestSpecification): number => spec.project.config.sequence.groupOrder * 2 + (LONG.test(spec.moduleId) ? 0 : 1)
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    reporters: AGAIN ? ['default', new PlayedAgain()] : ['default'],
    projects: [
      layer('unit', { group: 0, timeoutMs: 60_000 }),
      layer('adapters', { group: 0, timeoutMs: 60_000 }),
      layer('exhaustive', { group: 0, timeoutMs: 300_000 }),
      layer('activities', { group: 0, timeoutMs: 60_000 }),
      layer('replay', { group: 0, bundle: true, timeoutMs: 60_000 }),
      layer('workflows', { group: 1, servers: true, bundle: true, timeoutMs: 60_000 }),
      layer('time', { group: 1, servers: true, bundle: true, timeoutMs: 60_000 }),
      layer('crash', { group: 2, servers: true, timeoutMs: 300_000 }),
      layer('e2e', { group: 2, servers: true, timeoutMs: 300_000 }),
    ],
  },
})
