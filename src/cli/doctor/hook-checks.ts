// The checks of `ratchet doctor` about hooks: whether their programs are installed, and the
// variables of webhooks set. No hook is called.
import type { Config } from '../../contract/config/config.js'
import { webhookProblem, withVariables, type Hook } from '../../contract/hooks.js'
import { findProgram, type Place } from '../../adapters/agents/detect-agents.js'
import { splitCommand } from '../../adapters/workspace/workspace-command.js'
import { pass, warn, type Check } from './check.js'

/** Returns one line for each hook. A hook that fails stops no run. */
export function hookChecks({ hooks }: Config, place: Place): Check[] {
  return Object.entries(hooks).flatMap(([name, hook]) =>
    hook === undefined ? [] : [hookCheck(name, hook, place)],
  )
}

function hookCheck(name: string, hook: Hook, place: Place): Check {
  const check = `hook ${name}`
  if ('command' in hook) {
    const [program] = splitCommand(hook.command, `hooks.${name}`)
    const found = findProgram(program, place)
    return found === null
      ? warn(
          check,
          `${program} is not ${program.includes('/') ? 'there' : 'on PATH'}`,
          `install it, or correct hooks.${name}`,
        )
      : pass(check, found)
  }
  const missing = hook.passEnv.filter((variable) => (place.env[variable] ?? '') === '')
  if (missing.length > 0)
    return warn(
      check,
      `a webhook; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
      'set the variables of its "passEnv" in this shell',
    )
  const problem = webhookProblem(withVariables(hook.url, place.env), hook.plainHttp)
  if (problem === undefined) return pass(check, 'a webhook')
  const [what = '', next = ''] = problem.split('; ')
  return warn(check, `its url ${what}`, next)
}
