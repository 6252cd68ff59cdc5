// The check of `ratchet doctor` about the test command: whether there is one, and whether its
// program is installed. It runs nothing.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { quote } from 'shell-quote'
import type { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { findProgram, type Place } from '../../adapters/agents/detect-agents.js'
import { resolveTestPlan, type TestPlan } from '../../adapters/test-runners/command.js'
import { runnerNamed } from '../../core/runners/known-runners.js'
import { fail, pass, warn, type Check } from './check.js'

/** Programs that download what is not installed. */
const FETCHERS: readonly string[] = ['npx', 'bunx', 'dlx']

/** Returns the check of the test command. */
export function checkTests(place: Place, config: Config): Check {
  try {
    const plan = resolveTestPlan({ cwd: place.project, config: config.test, env: place.env })
    return missingProgram(plan, place, config) ?? pass('tests', whatRuns(plan))
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return fail('tests', error.message, error.next)
  }
}

/** Returns the command with its added flags; REPORT is a placeholder for a file of the run. */
function whatRuns(plan: TestPlan): string {
  // A word like --x=y needs no quoting.
  const line = (plan.parts ?? [plan])
    .map((part) => quote(part.commandLine('REPORT')).replaceAll('\\=', '='))
    .join('; ')
  return line === plan.display ? line : `${plan.display}, run as: ${line}`
}

// A warning only, as a worker may have another PATH and a setup of its own.
function missingProgram(
  { argv: [program, ...rest], display, runner }: TestPlan,
  place: Place,
  { workspace }: Config,
): Check | undefined {
  const found = findProgram(program, place)
  if (found === null)
    return warn(
      'tests',
      `${display}: ${program} is not ${program.includes('/') ? 'there' : 'on PATH'}`,
      'install it, or correct test.command',
    )
  const isInstalledLater = workspace.dependencies === 'install' || workspace.setup.length > 0
  const isInNodeModules = runnerNamed(runner)?.script !== undefined
  if (
    !isInNodeModules ||
    isInstalledLater ||
    [program, ...rest].some((word) => FETCHERS.includes(word))
  )
    return undefined
  if (findProgram(runner, place) !== null || isAbove(place.project, runner)) return undefined
  return warn(
    'tests',
    `${display}: ${runner} is not installed in this project`,
    'install its dependencies, for example with: npm install',
  )
}

// Searches like a package manager: in each node_modules up to the root. Plug'n'Play has none.
function isAbove(dir: string, runner: string): boolean {
  if (
    existsSync(path.join(dir, 'node_modules/.bin', runner)) ||
    existsSync(path.join(dir, '.pnp.cjs'))
  )
    return true
  return path.dirname(dir) !== dir && isAbove(path.dirname(dir), runner)
}
