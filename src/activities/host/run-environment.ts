// The activities of each run with the environment of that run, and what the run says of it.
import { isDeepStrictEqual } from 'node:util'
import { ApplicationFailure } from '@temporalio/common'
import { namedVariables, passedVariables } from '../../adapters/config/config.js'
import { noteEnvironment } from '../../adapters/environments/environment-digests.js'
import { redactedNames } from '../../adapters/agents/config-secrets.js'
import { publicIn } from '../../adapters/environments/committed-values.js'
import type { Config } from '../../contract/config/config.js'
import type { RunEnv } from '../../contract/result.js'
import type { Workspace } from '../../contract/workspace.js'
import { Recent } from '../../core/recent.js'
import { lostNamed, lostWarning, type Lost } from '../../core/run/run-environment.js'
import type { HostDeps, WorkerDeps } from './deps.js'

/** Activities with which a run begins, for the first time or again. */
const BEGINS: readonly string[] = ['prepareRun', 'prepareCycle', 'prepareLoop', 'preparePrep']

/** Names that a result has. */
const REDACTED_SHOWN = 20

/** Runs whose activities are kept. They hold nothing else than the environment. */
const KEPT = 32

type Made<A> = { env: NodeJS.ProcessEnv; lost: Lost; activities: A }

/**
 * Returns the activities for one of them in a run, made again when the environment changes.
 *
 * @param own those of a worker without environments of runs
 */
export function perRun<A>(
  deps: WorkerDeps,
  own: A,
  make: (deps: HostDeps) => A,
): (run: string, activity: string) => Promise<A> {
  const { envOf } = deps
  if (envOf === undefined) return () => Promise.resolve(own)
  const kept = new Recent<Made<A>>(KEPT)
  return async (run, activity) => {
    const { env, from } = await envOf(run)
    const known = kept.get(run)
    const begins = BEGINS.includes(activity)
    if (known?.env === env && !begins) return known.activities
    const lost = noteEnvironment(deps.dirs, run, { env, from }, begins)
    // They count the errors of an activity over its attempts.
    if (known?.env === env && isDeepStrictEqual(known.lost, lost)) return known.activities
    const activities = make({ ...deps, env, given: { from, lost } })
    kept.set(run, { env, lost, activities })
    return activities
  }
}

/**
 * Returns where the environment of a run is from, the variables that are named for it, and those
 * whose values are removed from what its programs print.
 */
export function reportedEnvironment(
  { dirs, env, given }: HostDeps,
  config: Config,
  workspace: Workspace,
): { env?: RunEnv } {
  if (given === undefined) return {}
  const named = passedVariables(config).filter((name) => env[name] !== undefined)
  const redacted = redactedNames(config, env, publicIn(dirs, workspace))
    .filter((name) => env[name] !== undefined)
    .slice(0, REDACTED_SHOWN)
  return { env: { from: given.from, named, ...(redacted.length > 0 && { redacted }) } }
}

/**
 * Lets a run whose environment was lost wait for the variables that its configuration names, rather
 * than work or measure without them.
 *
 * @throws ApplicationFailure `MissingVariable`, and the activity is tried again
 */
export function requireNamed({ given }: HostDeps, config: Config, run: string): void {
  const problem = given && lostNamed(given.lost, namedVariables(config), run)
  if (problem !== undefined)
    throw ApplicationFailure.create({
      type: 'MissingVariable',
      message: problem,
      nextRetryDelay: '10s',
    })
}

/** Returns a warning if the environment of the run was lost and differs from what it has now. */
export function environmentWarnings({ given }: HostDeps, config: Config, run: string): string[] {
  const warning = given && lostWarning(given.lost, passedVariables(config), run)
  return warning === undefined ? [] : [warning]
}
