// Tries the tests of a project in the sandbox that works on this machine, and compares them with a
// run outside of it. Both are of the user's own tree: no agent has changed it.
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import type { SandboxComponent } from '../../contract/sandbox.js'
import type { TestRun } from '../../contract/test-run.js'
import { blockedIn, type Blocked } from '../../core/sandbox/blocked.js'
import { EMPTY_DIRS } from '../../core/sandbox/bwrap-command.js'
import { differenceInside, errorsOf } from '../../core/sandbox/compare-inside.js'
import { hiddenBelowHome } from '../../core/sandbox/hidden-paths.js'
import { firstLook, type FirstLook } from '../preflight-tests.js'
import type { Dirs } from '../state-dir.js'
import { fromHome, homeOf } from '../home.js'

/**
 * `same`: the tests say the same inside as outside. `different`: `what` they say, and what they
 * were refused. `unknown`: they cannot be measured outside either, or no copy can be made.
 */
export type Trial =
  | { result: 'same'; component: SandboxComponent; passed: number; total: number }
  | { result: 'different'; component: SandboxComponent; what: string; blocked: Blocked[] }
  | { result: 'unknown'; reason: string }

/**
 * Runs the tests inside, and outside if a test fails inside.
 *
 * @throws RefusalError for what a run of this project would be refused for, too
 */
export async function tryTests(
  dirs: Dirs,
  component: SandboxComponent,
  look: FirstLook,
): Promise<Trial> {
  const inside = await firstLook(dirs, { ...look, config: using(look.config, component) })
  if (inside === undefined) return { result: 'unknown', reason: 'the tests need the tree itself' }
  if (inside.kind === 'measured' && inside.failed + inside.skipped === 0)
    return same(component, inside)
  const outside = await firstLook(dirs, { ...look, config: using(look.config, 'none') })
  if (outside?.kind !== 'measured')
    return { result: 'unknown', reason: outside?.reason ?? 'the tests need the tree itself' }
  const what = differenceInside(inside, outside)
  if (what === undefined) return same(component, outside)
  return {
    result: 'different',
    component,
    what,
    blocked: blockedFor(look.env, look.config, inside, outside),
  }
}

/**
 * What the tests were refused inside a sandbox, as far as their errors say it.
 *
 * @param outside where the same error has another cause
 */
export function blockedFor(
  env: NodeJS.ProcessEnv,
  { sandbox }: Pick<Config, 'sandbox'>,
  inside: TestRun,
  outside?: TestRun,
): Blocked[] {
  const home = homeOf(env)
  const hidden = [
    ...hiddenBelowHome('tests').map((name) => path.join(home, name)),
    ...sandbox.hide.map((place) => fromHome(place, home)),
    ...EMPTY_DIRS,
    '/var/run',
  ]
  return blockedIn(errorsOf(inside), outside === undefined ? '' : errorsOf(outside), hidden)
}

function same(
  component: SandboxComponent,
  { passed, total }: { passed: number; total: number },
): Trial {
  return { result: 'same', component, passed, total }
}

function using(config: Config, use: SandboxComponent | 'none'): Config {
  return { ...config, sandbox: { ...config.sandbox, use } }
}
