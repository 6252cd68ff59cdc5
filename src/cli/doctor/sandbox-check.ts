// The check of `ratchet doctor` about the sandbox: it is proven on this machine.
import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../../contract/config/config.js'
import { allowedComponents } from '../../contract/sandbox.js'
import { sandboxRemedy } from '../../core/sandbox/sandbox-remedy.js'
import { HOW_TO_GET, installedComponents } from '../../adapters/sandbox/find-component.js'
import { proveSandbox } from '../../adapters/sandbox/prove-sandbox.js'
import { userDirs } from '../../adapters/state-dir.js'
import { fail, pass, warn, type Check } from './check.js'

const UBUNTU_RULE = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/**
 * Proves each component that is installed, where the configuration names a sandbox or it is asked
 * for.
 */
export async function sandboxChecks(
  { sandbox: { use, image } }: Pick<Config, 'sandbox'>,
  env: NodeJS.ProcessEnv,
  isAsked: boolean,
): Promise<Check[]> {
  if (use === 'none' && !isAsked)
    return [
      pass(
        'sandbox',
        'off: agents and tests run as you. "sandbox": "auto" encloses them; ratchet doctor --sandbox tries it',
      ),
    ]
  const wanted = allowedComponents({ use: use === 'none' ? 'auto' : use, image })
  const here = installedComponents(env, image).filter(({ component }) => wanted.includes(component))
  const bad = use === 'none' ? warn : fail
  if (here.length === 0)
    return [
      bad(
        'sandbox',
        `not installed: ${wanted.join(', ')}`,
        wanted.map((one) => HOW_TO_GET[one]).join('\n'),
      ),
    ]
  const checks: Check[] = []
  for (const found of here) {
    const proof = await proveSandbox(userDirs(env), found, env)
    const name = `sandbox ${found.component}`
    checks.push(
      proof.holds
        ? pass(
            name,
            `${found.program} holds: no file, port, network or process outside was reached`,
          )
        : bad(name, proof.problem, sandboxRemedy(proof.problem, isRestricted())),
    )
  }
  // One that holds is enough for "auto".
  return use === 'auto' && checks.some(({ ok }) => ok)
    ? checks.map((one) => (one.ok ? one : { ...one, ok: true, warning: true }))
    : checks
}

function isRestricted(): boolean {
  return existsSync(UBUNTU_RULE) && readFileSync(UBUNTU_RULE, 'utf8').trim() === '1'
}
