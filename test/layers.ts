// The layers of the tests, by what they need. A test says by its folder where it belongs:
// test/<layer>.
import type { TestProjectInlineConfiguration } from 'vitest/config'

export type Layer = {
  name: string
  /** What its tests have; `temporal`: the servers, and the one that all files share. */
  needs: 'nothing' | 'bundle' | 'temporal'
  timeoutMs: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * `npm test`, the quick ones first: a broken rule fails before the first run begins.
 */
// prettier-ignore
export const LAYERS: readonly Layer[] = [
  // Functions: no process, no repository, no server
  { name: 'unit', needs: 'nothing', timeoutMs: 30 * SECOND },
  { name: 'adapters', needs: 'nothing', timeoutMs: MINUTE }, // git, processes and files
  { name: 'isolated', needs: 'nothing', timeoutMs: MINUTE }, // needs modules of its own
  // Each one by itself, with real files
  { name: 'activities', needs: 'nothing', timeoutMs: MINUTE },
  // What hostile repositories, agents and users try
  { name: 'attacks', needs: 'temporal', timeoutMs: MINUTE },
  { name: 'replay', needs: 'bundle', timeoutMs: MINUTE }, // kept histories
  { name: 'workflows', needs: 'temporal', timeoutMs: MINUTE }, // with a stub host behind them
  { name: 'time', needs: 'temporal', timeoutMs: MINUTE }, // timers, on the server that skips time
  // Runs and commands, all of it in the test's process
  { name: 'e2e', needs: 'temporal', timeoutMs: 5 * MINUTE },
]

/** What only `npm run nightly` runs. */
// prettier-ignore
export const NIGHTLY_LAYERS: readonly Layer[] = [
  // Every kill point, every test runner, installed packages
  { name: 'exhaustive', needs: 'nothing', timeoutMs: 5 * MINUTE },
  { name: 'runs', needs: 'temporal', timeoutMs: 5 * MINUTE }, // most of e2e's kind
  // Workers that die at named points, and one real kill of each kind
  { name: 'crash', needs: 'temporal', timeoutMs: 5 * MINUTE },
  // Supervisor, start-up, takeover, signals, terminals, the package
  { name: 'processes', needs: 'temporal', timeoutMs: 5 * MINUTE },
  // The Web UI and reports in Chromium
  { name: 'browser', needs: 'temporal', timeoutMs: 5 * MINUTE },
  // Commands of the documentation, typed as they stand
  { name: 'docs', needs: 'temporal', timeoutMs: 5 * MINUTE },
  { name: 'projects', needs: 'temporal', timeoutMs: 5 * MINUTE }, // repositories of other people
]

/** A shorter limit for code that is known to hang, such as after a removed protection. */
const PATIENCE_MS = Number(process.env['RATCHET_TEST_PATIENCE_MS'] ?? Infinity)

/**
 * Layers whose files share a process, two at a time, and so load the code once: they leave no
 * module, handler or variable changed.
 */
// prettier-ignore
const SHARING = ['unit', 'adapters', 'activities', 'attacks', 'replay', 'workflows', 'time', 'e2e']

/** Layers whose tests host workers in their own process. */
const IN_PROCESS: readonly string[] = ['e2e', 'runs', 'crash', 'verdicts']

/**
 * A layer as a project of Vitest. Two files at a time: the machine has two cores. What needs no
 * server comes first: where the server has to be compiled, that takes minutes. A failed test is not
 * run again.
 *
 * @param files of the layer; without them all of it
 */
export function projectOf(
  { name, needs, timeoutMs }: Layer,
  files?: string[],
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: files ?? [`test/${name}/**/*.test.ts`],
      chaiConfig: { truncateThreshold: 0 }, // whole titles
      testTimeout: Math.min(timeoutMs, PATIENCE_MS),
      hookTimeout: Math.min(5 * MINUTE, PATIENCE_MS),
      pool: 'forks',
      isolate: !SHARING.includes(name),
      maxWorkers: 2,
      sequence: { groupOrder: needs === 'temporal' ? 1 : 0 },
      globalSetup: [
        'test/support/scratch.ts',
        ...(needs === 'temporal' ? ['test/support/servers/begin-servers.ts'] : []),
        ...(needs === 'nothing' ? [] : ['test/support/servers/begin-bundle.ts']),
      ],
      setupFiles: [
        'test/support/processor-time.ts',
        ...(needs === 'temporal' ? ['test/support/servers/await-servers.ts'] : []),
        ...(IN_PROCESS.includes(name) ? ['test/support/in-process/names.ts'] : []),
      ],
    },
  }
}
