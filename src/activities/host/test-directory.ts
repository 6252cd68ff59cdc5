// What every activity that runs tests needs: its own directory and marker, and a workspace that can
// be shown at a commit.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import type { Config } from '../../contract/config/config.js'
import type { Redactor } from '../../core/text/redact.js'
import { sandboxOf } from '../../adapters/sandbox/run-sandbox.js'
import { digest } from '../../adapters/state-dir.js'
import { testRunsDir } from '../../adapters/test-runners/stored-run.js'
import {
  makeMeasurable,
  type MadeMeasurable,
  type Measurable,
} from '../../adapters/workspace/measurable.js'
import type { Beat } from './with-heartbeat.js'
import type { HostDeps } from './deps.js'
import { redactorOf } from './redact-result.js'
import { requireNamed } from './run-environment.js'
import { whileNothingIsTested } from './test-lock.js'

type Input = {
  run: string
  step: string
  workspace: Workspace
  timeoutMs: number
  configHash: string
  keepPackages?: boolean
}

export type TestPlace = {
  /** Directory of this step's files. */
  outDir: string
  /** Marker of what is started. */
  step: string
  redact: Redactor
  /** See `makeMeasurable`. */
  ready: (commit: string, as: Measurable['as']) => Promise<MadeMeasurable>
}

/**
 * Runs something that runs tests, while nothing else of the project is tested and no agent is left
 * in the workspace.
 *
 * @throws ApplicationFailure `MissingVariable` if the run has lost a variable of its configuration
 */
export async function atTestPlace<T>(
  deps: HostDeps,
  input: Input,
  config: Config,
  beat: Beat,
  run: (place: TestPlace) => Promise<T>,
): Promise<T> {
  requireNamed(deps, config, input.run)
  return whileNothingIsTested(
    deps,
    beat,
    'waiting for another test run of this project',
    async () => {
      await deps.agents.endWorkspace(input.workspace)
      return run(testPlace(deps, input, config, beat))
    },
  )
}

function testPlace(
  deps: HostDeps,
  { run, step: name, workspace, timeoutMs, configHash, keepPackages = false }: Input,
  config: Config,
  beat: Beat,
): TestPlace {
  const id = digest(name)
  const outDir = path.join(testRunsDir(workspace), id.slice(0, 16))
  mkdirSync(outDir, { recursive: true, mode: 0o700 })
  const step = id.slice(0, 24)
  const redact = redactorOf(deps, { configHash, workspace })
  return {
    outDir,
    step,
    redact,
    ready: (commit, as) =>
      makeMeasurable({
        workspace,
        commit,
        as,
        keepPackages,
        settings: config.workspace,
        env: deps.env,
        run,
        step,
        log: path.join(outDir, 'set-up.log'),
        redact,
        sandbox: sandboxOf(deps, config),
        timeoutMs,
        signal: beat.signal,
        onProgress: (state) => beat.progress({ state }),
      }),
  }
}
