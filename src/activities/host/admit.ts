// Loads the configuration of a project before the first program of it runs.
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import type { Role } from '../../contract/config/agent-config.js'
import { digest } from '../../adapters/state-dir.js'
import { loadConfig } from '../../adapters/config/config.js'
import { runConfig, type RunConfig } from '../../adapters/config/run-config.js'
import type { Workspace } from '../../contract/workspace.js'
import type { SandboxUse } from '../../contract/sandbox.js'
import { chooseComponent } from '../../adapters/sandbox/find-component.js'
import { sandboxChoiceOf, takeSandboxChoice } from '../../adapters/sandbox/sandbox-choice.js'
import { requireTrust } from '../../adapters/trust/project-trust.js'
import { refuseLinksOut } from '../../adapters/trust/record-links.js'
import { readPrepared } from '../../adapters/workspace/state.js'
import type { HostDeps } from './deps.js'

/**
 * Loads the configuration for a run with these roles, of a repository that may run what it brings.
 * Also for a run that was started without the command line. The sandbox is chosen here, and proven
 * on this machine: the one that the user chose for this run, or that of the configuration.
 *
 * @param of the run that begins, or the workspace of one that reads its configuration again
 * @throws RefusalError `NotTrusted`, `UnsupportedRepository`, `BadConfig`, `SandboxUnavailable`
 */
export async function admittedConfig(
  { dirs, env }: Pick<HostDeps, 'dirs' | 'env'>,
  project: string,
  roles: readonly Role[],
  of: { run: string; chain: string } | Pick<Workspace, 'root' | 'keep'>,
): Promise<RunConfig> {
  await refuseLinksOut(project)
  const read = loadConfig(project) // once: what is trusted is what runs
  await requireTrust(dirs, project, env, read)
  const loaded = runConfig(project, env, roles, read)
  const use = (await chosenFor(dirs, of)) ?? loaded.config.sandbox.use
  const found = await chooseComponent(dirs, { ...loaded.config.sandbox, use }, env)
  const config: Config = {
    ...loaded.config,
    sandbox: { ...loaded.config.sandbox, use: found?.component ?? 'none' },
    permissions: loaded.config.permissions ?? (found === undefined ? 'deny' : 'allow'),
  }
  return { ...loaded, config, hash: digest(JSON.stringify(config)) }
}

async function chosenFor(
  dirs: HostDeps['dirs'],
  of: Parameters<typeof admittedConfig>[3],
): Promise<SandboxUse | undefined> {
  if ('chain' in of) return takeSandboxChoice(dirs, of.run, of.chain)
  const made = readPrepared(of.keep ?? path.dirname(of.root))
  return made === undefined ? undefined : sandboxChoiceOf(dirs, made)
}
