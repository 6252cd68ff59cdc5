// Prepares the workspace of a run of any kind.
import type { Workspace } from '../contract/workspace.js'
import type { RunConfig } from '../adapters/config/run-config.js'
import { failpoint } from '../adapters/failpoint.js'
import type { ContinueFrom } from '../adapters/workspace/continue.js'
import { prepareWorkspace, type PreparedWorkspace } from '../adapters/workspace/prepare.js'
import type { HostDeps } from './host/deps.js'
import type { Beat } from './host/with-heartbeat.js'

export type WorkspaceOf = {
  /** Input of the activity. */
  input: { project: string; run: string; chain: string; at: number; base?: string }
  name: string
  loaded: RunConfig
  continueFrom?: ContinueFrom | undefined
  verify?: (workspace: Workspace) => void
}

/** Prepares a workspace; its warnings begin with those of the configuration. */
export async function prepareRunWorkspace(
  deps: HostDeps,
  { input: { project, run, chain, at, base }, name, loaded, continueFrom, verify }: WorkspaceOf,
  beat: Beat,
): Promise<PreparedWorkspace> {
  const prepared = await prepareWorkspace(
    { dirs: deps.dirs },
    {
      project,
      name,
      run,
      chain,
      at,
      config: loaded.config,
      env: deps.env,
      signal: beat.signal,
      base,
      continueFrom,
      verify,
      onProgress: (text) => beat.progress({ state: text }),
    },
  )
  failpoint('prepare:done')
  return { ...prepared, warnings: [...loaded.warnings, ...prepared.warnings] }
}
