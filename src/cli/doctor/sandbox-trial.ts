// Tries the tests of a project in a sandbox, for `ratchet init` and `ratchet doctor --sandbox`, and
// says what came of it.
import { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { blockedText, letThrough } from '../../core/sandbox/blocked.js'
import { joinNames } from '../../core/text/join-names.js'
import { GitError } from '../../adapters/git/git.js'
import type { FirstLook } from '../../adapters/preflight-tests.js'
import { chooseComponent } from '../../adapters/sandbox/find-component.js'
import { tryTests, type Trial } from '../../adapters/sandbox/try-tests.js'
import { userDirs, type Dirs } from '../../adapters/state-dir.js'
import type { Context } from '../context.js'
import { interrupted } from '../output/errors.js'
import { pass, warn, type Check } from './check.js'
import { homeOf } from '../../adapters/home.js'

/** `absent`: no sandbox holds on this machine. */
export type SandboxTrial = Trial | { result: 'absent'; reason: string; next: string }

/** What a person reads: what happened, and what to do; empty if nothing is. */
export type TrialText = { detail: string; next: string }

/** Proves a sandbox, and runs the tests in it. */
export async function sandboxTrial(dirs: Dirs, look: FirstLook): Promise<SandboxTrial> {
  const { use, image } = look.config.sandbox
  try {
    const wanted = { use: use === 'none' ? 'auto' : use, image } as const
    const found = await chooseComponent(dirs, wanted, look.env)
    look.onProgress?.(`trying the tests in a sandbox (${found?.component ?? use})`)
    return found === undefined
      ? { result: 'unknown', reason: 'no sandbox was chosen' }
      : await tryTests(dirs, found.component, { ...look, onProgress: undefined })
  } catch (error) {
    if (error instanceof RefusalError && error.type === 'SandboxUnavailable')
      return { result: 'absent', reason: error.message, next: error.next }
    if (error instanceof RefusalError || error instanceof GitError)
      return { result: 'unknown', reason: error.message }
    throw error
  }
}

/** Most that `ratchet init` waits for the tests. */
const PATIENCE_MS = 2 * 60_000

/** Tries the tests as `ratchet init` finds them, if they do not take too long. */
export async function trialBeforeInit(
  { project: { env }, out }: Pick<Context, 'project' | 'out'>,
  project: string,
): Promise<SandboxTrial> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  out.takesInterrupt()
  try {
    return await sandboxTrial(userDirs(env), {
      project,
      config: Config.parse({}),
      env,
      signal: AbortSignal.any([out.interrupted, late]),
      onProgress: (text) => out.say(`${text}; this may take up to 2 minutes`),
    })
  } catch (error) {
    if (out.interrupted.aborted) throw interrupted('ratchet init', 'nothing was written')
    if (!late.aborted) throw error
    return {
      result: 'unknown',
      reason: 'they take longer than 2 minutes; ratchet doctor --sandbox waits for them',
    }
  }
}

/** Returns a trial as lines of `ratchet init`. */
export function trialLines(trial: SandboxTrial, env: NodeJS.ProcessEnv): string[] {
  const { detail, next } = trialText(trial, env)
  return [`sandbox: ${detail}`, ...(next === '' ? [] : next.split('\n').map((line) => `  ${line}`))]
}

/** The check of `ratchet doctor --sandbox`. */
export async function trialCheck(
  config: Config,
  { project, env }: { project: string; env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<Check[]> {
  const trial = await sandboxTrial(userDirs(env), { project, config, env, signal })
  if (trial.result === 'absent') return [] // a check of its own says that
  const { detail, next } = trialText(trial, env)
  return [
    trial.result === 'different'
      ? warn('sandbox tests', detail, next)
      : pass('sandbox tests', detail),
  ]
}

/** Says what a trial showed. */
export function trialText(trial: SandboxTrial, env: NodeJS.ProcessEnv): TrialText {
  switch (trial.result) {
    case 'same':
      return {
        detail: `the tests say the same inside ${trial.component} as outside: ${trial.passed} of ${trial.total} pass`,
        next: '',
      }
    case 'different': {
      const { blocked } = trial
      const setting = letThrough(blocked, homeOf(env))
      return {
        detail: [
          `in ${trial.component}, ${trial.what}`,
          ...(blocked.length === 0 ? [] : [`they may not ${joinNames(blocked.map(blockedText))}`]),
        ].join('; '),
        next:
          setting === undefined
            ? 'see what they need under "Sandbox" in docs/configuration.md, then try again: ratchet doctor --sandbox'
            : `to let that through, add ${setting} to ratchet.config.json, then try again: ratchet doctor --sandbox`,
      }
    }
    case 'unknown':
      return { detail: `the tests were not tried inside: ${trial.reason}`, next: '' }
    case 'absent':
      return { detail: trial.reason, next: trial.next }
  }
}
