// Loads the configuration of a project before the first program of it runs.
import type { Config } from '../../contract/config/config.js'
import type { Role } from '../../contract/config/agent-config.js'
import { digest } from '../../adapters/state-dir.js'
import { runConfig, type RunConfig } from '../../adapters/config/run-config.js'
import { chooseComponent } from '../../adapters/sandbox/find-component.js'
import { requireTrust } from '../../adapters/trust/project-trust.js'
import { refuseLinksOut } from '../../adapters/trust/record-links.js'
import type { HostDeps } from './deps.js'

/**
 * Loads the configuration for a run with these roles, of a repository that may run what it brings.
 * Also for a run that was started without the command line. The sandbox is chosen here, and proven
 * on this machine.
 *
 * @throws RefusalError `NotTrusted`, `UnsupportedRepository`, `BadConfig`, `SandboxUnavailable`
 */
export async function admittedConfig(
  { dirs, env }: Pick<HostDeps, 'dirs' | 'env'>,
  project: string,
  roles: readonly Role[],
): Promise<RunConfig> {
  await refuseLinksOut(project)
  await requireTrust(dirs, project, env)
  const loaded = runConfig(project, env, roles)
  const found = await chooseComponent(dirs, loaded.config.sandbox, env)
  const config: Config = {
    ...loaded.config,
    sandbox: { ...loaded.config.sandbox, use: found?.component ?? 'none' },
    permissions: loaded.config.permissions ?? (found === undefined ? 'deny' : 'allow'),
  }
  return { ...loaded, config, hash: digest(JSON.stringify(config)) }
}
