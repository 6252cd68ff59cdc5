// Says what a sandbox blocks where the first run of the tests does not start inside: the same
// commit is measured once outside. It is the user's own, and only the reason is kept.
import path from 'node:path'
import type { Config } from '../contract/config/config.js'
import type { RunTestsInput } from '../contract/step.js'
import type { Measured, TestRun } from '../contract/test-run.js'
import { blockedHint, blockedText, letThrough } from '../core/sandbox/blocked.js'
import { isUsersOwn } from '../core/sandbox/users-own.js'
import { joinNames } from '../core/text/join-names.js'
import { hasTurned } from '../adapters/agents/turn/turn-store.js'
import { blockedFor } from '../adapters/sandbox/try-tests.js'
import { digest } from '../adapters/state-dir.js'
import { runTests, type RunTestsOptions } from '../adapters/test-runners/run.js'
import type { HostDeps } from './host/deps.js'
import { homeOf } from '../adapters/home.js'

/**
 * Returns the first run of a workspace with what the sandbox blocks. If it starts only outside, a
 * person has to change that. If an agent may have written what it runs, nothing runs outside, and
 * the reason names the sandbox. Of a run with failures a note says what may be for the sandbox.
 *
 * @param options of the run inside
 */
export async function withBlocked(
  { dirs, env }: Pick<HostDeps, 'dirs' | 'env'>,
  config: Config,
  input: Pick<RunTestsInput, 'run' | 'commit' | 'workspace' | 'baseline' | 'compare'>,
  inside: TestRun,
  options: RunTestsOptions,
): Promise<TestRun> {
  const { use } = config.sandbox
  if (use === 'none' || input.baseline !== undefined) return inside
  if (inside.kind === 'measured') return withHint(env, config, inside)
  const isOwn = isUsersOwn({
    isFirst: input.compare?.lastFull === undefined,
    commit: input.commit,
    workspace: input.workspace,
    hasTurned: hasTurned(dirs, input.run),
  })
  if (!isOwn)
    return {
      ...inside,
      reason: `In a sandbox (${use}), which may block what they need: ${inside.reason}`,
    }
  const outside = await runTests({
    ...options,
    spawn: undefined,
    step: digest(`${options.step} outside`).slice(0, 24),
    outDir: path.join(options.outDir, 'outside'),
    compare: undefined,
    flakyRetries: 0,
  })
  if (outside.kind !== 'measured') return inside
  const blocked = blockedFor(env, config, inside, outside)
  const setting = letThrough(blocked, homeOf(env))
  return {
    ...inside,
    kind: 'cannot_execute',
    reason: [
      `The tests run outside of the sandbox (${use}) and not inside`,
      blocked.length === 0
        ? `: ${inside.reason.replace(/\.$/, '')}`
        : `, where they may not ${joinNames(blocked.map(blockedText))}`,
      '. ',
      setting === undefined
        ? 'Name what they need under "sandbox" in ratchet.config.json'
        : `Add ${setting} to ratchet.config.json`,
      ', or start without it: --sandbox none.',
    ].join(''),
  }
}

/** A sandbox must not turn tests red without a word. */
function withHint(env: NodeJS.ProcessEnv, config: Config, run: Measured): Measured {
  const blocked = blockedFor(env, config, run)
  if (blocked.length === 0) return run
  const hint = blockedHint(blocked, config.sandbox.use)
  return { ...run, note: run.note === undefined ? hint : `${run.note}; ${hint}` }
}
