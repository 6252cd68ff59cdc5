// The sandbox of a run: how the programs of its workspace are started.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import type { KnownName } from '../../contract/known-agents.js'
import type { Workspace } from '../../contract/workspace.js'
import { hostsOfAgent, hostsOfSetUp } from '../../core/sandbox/sandbox-network.js'
import type { SpawnGroup } from '../process/spawn-group.js'
import type { Dirs } from '../state-dir.js'
import { testRunsDir } from '../test-runners/stored-run.js'
import { agentFolders } from './agent-folders.js'
import { installedComponents } from './find-component.js'
import { sandboxedSpawn, type Enclosure } from './sandboxed-spawn.js'

export type SandboxDeps = { dirs: Dirs; env: NodeJS.ProcessEnv }

/** Starts programs of a workspace; `undefined` where there is no sandbox around them. */
export type RunSandbox = (
  workspace: Pick<Workspace, 'project' | 'root' | 'cwd' | 'keep'>,
  kind: 'tests' | 'set-up',
) => SpawnGroup | undefined

/** The sandbox for tests, checks and set-up. */
export function sandboxOf(deps: SandboxDeps, config: Pick<Config, 'sandbox'>): RunSandbox {
  return (workspace, kind) => {
    const base = enclosureOf(deps, config, workspace, kind)
    if (base === undefined) return undefined
    return sandboxedSpawn({ ...base, ...(kind === 'set-up' ? { hosts: hostsOfSetUp } : {}) })
  }
}

/**
 * The sandbox of an agent. It sees a copy of its own folder, so that nothing it writes there runs
 * outside.
 *
 * @param folder of the turn: prompt and settings are in it
 *
 * @param write what it may write besides its tree
 */
export function agentSandbox(
  deps: SandboxDeps,
  config: Pick<Config, 'sandbox'>,
  workspace: Workspace,
  {
    known,
    folder,
    write,
    spawn,
  }: { known: KnownName | undefined; folder: string; write: readonly string[]; spawn: SpawnGroup },
): SpawnGroup {
  const base = enclosureOf(deps, config, workspace, 'agent')
  if (base === undefined) return spawn
  return (options) => {
    const own = agentFolders(known, options.env, path.join(base.cache, '..', 'agents'))
    const enclosed = sandboxedSpawn(
      {
        ...base,
        write: [...base.write, ...write],
        read: [folder, testRunsDir(workspace)],
        shown: own.shown,
        hosts: (env) => hostsOfAgent(known, env),
      },
      spawn,
    )
    return enclosed({ ...options, env: { ...options.env, ...own.env } })
  }
}

function enclosureOf(
  { dirs, env }: SandboxDeps,
  { sandbox }: Pick<Config, 'sandbox'>,
  { project, root, keep = path.dirname(root) }: Pick<Workspace, 'project' | 'root' | 'keep'>,
  kind: Enclosure['kind'],
): Enclosure | undefined {
  if (sandbox.use === 'none') return undefined
  const found = installedComponents(env, sandbox.image).find(
    ({ component }) => component === sandbox.use,
  )
  if (found === undefined)
    throw new Error(`the sandbox of this run, ${sandbox.use}, is no longer installed`)
  const cache = path.join(keep, 'sandbox', kind)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  return { ...found, settings: sandbox, dirs, kind, project, write: [root], cache }
}
