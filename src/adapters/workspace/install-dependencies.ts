// Adds to a clone what its commits lack: dependencies, ignored files, set-up, and the proof that
// its tests test the clone. The same for a run's workspace and for the clones of its workers.
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import type { Workspace } from '../../contract/workspace.js'
import type { RunSandbox } from '../sandbox/run-sandbox.js'
import type { Redactor } from '../../core/text/redact.js'
import { leaveClone } from '../git/agent-clone.js'
import { splitZ } from '../git/git.js'
import { inRepo, ownRepo } from '../git/repo.js'
import { changedFiles, restoreTree } from '../git/steps.js'
import { excludePaths } from './clone.js'
import { runSetup, splitCommand, type CommandContext } from './workspace-command.js'
import {
  copyDependencies,
  installDependencies,
  installPlugAndPlay,
  type Places,
} from './dependencies.js'
import { copyExtraFiles } from './extra-files.js'
import { checkIsolation } from './isolation.js'
import { copySubmodules } from './submodules.js'

export type Furnish = {
  workspace: Workspace
  /** Commit that is checked out. */
  head: string
  /** `from` is where dependencies and ignored files are copied from. */
  places: Places
  settings: Pick<Config['workspace'], 'dependencies' | 'copy' | 'setup'>
  /** Environment of commands; read for each, as it names directories that are made meanwhile. */
  env: () => NodeJS.ProcessEnv
  run: string
  /** Marker of what is started; that of a preparation where nothing is said. */
  step?: string
  /** Gets the output of commands. */
  log: string
  /** For that output, which may hold what the environment of commands holds. */
  redact: Redactor
  /** Starts installs and set-up; without it there is no sandbox around them. */
  sandbox?: RunSandbox | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((text: string) => void) | undefined
}

/**
 * Furnishes a clone.
 *
 * @returns warnings, and the files of `workspace.copy`
 *
 * @throws RefusalError `SetupFailed`, `WorkspaceNotIsolated`, `BadConfig`
 */
export async function furnish({
  workspace,
  head,
  places,
  settings,
  env,
  run,
  step,
  log,
  redact,
  sandbox,
  signal,
  onProgress: say = () => undefined,
}: Furnish): Promise<{ warnings: string[]; copied: string[] }> {
  const { dependencies, copy, setup } = settings
  // Not around a copy, which is a program of the system, and may share blocks.
  const inside = (): CommandContext => ({ ...context(), spawn: sandbox?.(workspace, 'set-up') })
  const context = (): CommandContext => ({
    run,
    cwd: workspace.cwd,
    env: env(),
    log,
    redact,
    ...(step !== undefined && { step }),
    ...(signal && { signal }),
  })
  if (places.submodules.size > 0) say('copying submodules')
  const warnings = await copySubmodules(places, context())
  if (dependencies === 'copy') {
    say('copying dependencies')
    await copyDependencies(places, context())
    await installPlugAndPlay(places, inside(), say)
  }
  if (dependencies === 'install') await installDependencies(places, inside(), say)
  const copied = await copyExtraFiles(copy, {
    project: path.join(places.from, places.folder),
    cwd: workspace.cwd,
  })
  for (const [i, command] of setup.entries()) {
    const argv = splitCommand(command, `workspace.setup[${i}]`)
    say(argv.join(' '))
    await runSetup(
      argv,
      inside(),
      'make the command work in a fresh clone, or change workspace.setup in ratchet.config.json',
    )
  }
  warnings.push(...(await settleOutputs(workspace, head)))
  await leaveClone(ownRepo(workspace.root), workspace, head)
  say('checking that the tests will test the workspace')
  await checkIsolation(places, context().env)
  return { warnings, copied }
}

/**
 * What set-up made is no part of the work: new files are ignored, changed ones restored. Returns
 * warnings.
 */
export async function settleOutputs(workspace: Workspace, head: string): Promise<string[]> {
  const repo = ownRepo(workspace.root)
  await excludePaths(
    repo,
    splitZ(await inRepo(repo, ['ls-files', '-z', '--others', '--exclude-standard', '--directory'])),
  )
  const changed = await changedFiles(workspace, head)
  if (changed.length === 0) return []
  await restoreTree(workspace, head)
  return [
    `set-up changed tracked files, which were restored: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ` and ${changed.length - 5} more` : ''}`,
  ]
}
