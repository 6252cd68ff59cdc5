// Loads the configuration of a project before the first program of it runs.
import type { Role } from '../../contract/config/agent-config.js'
import { runConfig, type RunConfig } from '../../adapters/config/run-config.js'
import { requireTrust } from '../../adapters/trust/project-trust.js'
import { refuseLinksOut } from '../../adapters/trust/record-links.js'
import type { HostDeps } from './deps.js'

/**
 * Loads the configuration for a run with these roles, of a repository that may run what it brings.
 * Also for a run that was started without the command line.
 *
 * @throws RefusalError `NotTrusted`, `UnsupportedRepository`, `BadConfig`
 */
export async function admittedConfig(
  { dirs, env }: Pick<HostDeps, 'dirs' | 'env'>,
  project: string,
  roles: readonly Role[],
): Promise<RunConfig> {
  await refuseLinksOut(project)
  await requireTrust(dirs, project, env)
  return runConfig(project, env, roles)
}
