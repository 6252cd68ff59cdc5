// The activities of each run with the environment of that run, and what the run says of it.
import { isDeepStrictEqual } from 'node:util'
import { passedVariables } from '../../adapters/config/config.js'
import { noteEnvironment } from '../../adapters/environments/environment-digests.js'
import type { Config } from '../../contract/config/config.js'
import type { RunEnv } from '../../contract/result.js'
import { Recent } from '../../core/recent.js'
import { lostWarning, type Lost } from '../../core/run/run-environment.js'
import type { HostDeps, WorkerDeps } from './deps.js'

/** Activities with which a run begins, for the first time or again. */
const BEGINS: readonly string[] = ['prepareRun', 'prepareCycle', 'prepareLoop', 'preparePrep']

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

/** Returns where the environment of a run is from, and the variables that are named for it. */
export function reportedEnvironment({ env, given }: HostDeps, config: Config): { env?: RunEnv } {
  if (given === undefined) return {}
  const named = passedVariables(config).filter((name) => env[name] !== undefined)
  return { env: { from: given.from, named } }
}

/** Returns a warning if the environment of the run was lost and differs from what it has now. */
export function environmentWarnings({ given }: HostDeps, config: Config, run: string): string[] {
  const warning = given && lostWarning(given.lost, passedVariables(config), run)
  return warning === undefined ? [] : [warning]
}
