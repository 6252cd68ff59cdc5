// A workspace at the commit that is measured: tracked files by bytes, everything else as it was
// prepared, and what the project's own commands make of the commit.
//
// What an installer and `workspace.setup` make is part of the measurement; what an agent made in
// ignored places is not.
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import type { Workspace } from '../../contract/workspace.js'
import type { RunSandbox } from '../sandbox/run-sandbox.js'
import type { Redactor } from '../../core/text/redact.js'
import { jsonOf } from '../../core/text/json.js'
import { ownRepo, type Repo } from '../git/repo.js'
import { measuringTree, showTree } from '../git/steps.js'
import { diffTrees, listTree, readBlob, type Change } from '../git/tree-diff.js'
import { runSetup, splitCommand, type CommandContext } from './workspace-command.js'
import { installDependencies, LOCK_NAMES, placesOf, type Places } from './dependencies.js'
import { envOf, topOf } from './environment.js'
import { settleOutputs } from './install-dependencies.js'
import { preparedHead, restoreIgnored } from './installed.js'

export type Measurable = {
  workspace: Workspace
  commit: string
  /** `head`: the workspace's own commit. `other`: one that is shown for a moment. */
  as: 'head' | 'other'
  /** Installed packages stay as a developer left them. */
  keepPackages: boolean
  settings: Pick<Config['workspace'], 'dependencies' | 'setup' | 'setupOnce'>
  /** The user's environment. */
  env: NodeJS.ProcessEnv
  run: string
  /** Marker of what is started. */
  step: string
  /** Gets the output of commands. */
  log: string
  redact: Redactor
  /** Starts set-up commands; without it there is no sandbox around them. */
  sandbox?: RunSandbox
  /** Limit of the commands together, in milliseconds. */
  timeoutMs: number
  signal: AbortSignal
  onProgress?: (text: string) => void
}

/** `leftOut`: ignored paths that an agent made. */
export type MadeMeasurable = { leftOut: string[] } | { problem: string }

/** Makes a workspace ready for a full run of a commit. In place the user's tree stays as it is. */
export async function makeMeasurable(input: Measurable): Promise<MadeMeasurable> {
  const { workspace, commit } = input
  await (input.as === 'head' ? measuringTree(workspace, commit) : showTree(workspace, commit))
  const prepared = await preparedHead(workspace)
  if (prepared === undefined) return { leftOut: [] }
  const repo = ownRepo(workspace.root)
  const tree = await listTree(repo, commit)
  const leftOut = await restoreIgnored(workspace, {
    step: `${input.step} ${commit}`,
    tracked: [...tree.keys()],
    keepPackages: input.keepPackages,
  })
  const changes = await diffTrees(repo, prepared, commit)
  if (changes.length === 0) return { leftOut }
  const places = placesOf(
    {
      from: topOf(workspace),
      to: workspace.root,
      folder: path.relative(workspace.root, workspace.cwd),
    },
    tree,
  )
  const problem = await settle(repo, places, changes, input)
  return problem === undefined ? { leftOut } : { problem }
}

async function settle(
  repo: Repo,
  places: Places,
  changes: readonly Change[],
  input: Measurable,
): Promise<string | undefined> {
  const {
    workspace,
    commit,
    settings: { dependencies, setup, setupOnce },
    timeoutMs,
    onProgress: say = () => undefined,
  } = input
  const folders =
    dependencies === 'none' || input.keepPackages
      ? new Set<string>()
      : await foldersToInstall(repo, changes)
  const commands = setupOnce ? [] : setup
  if (folders.size === 0 && commands.length === 0) return undefined
  const limit = AbortSignal.timeout(timeoutMs)
  const context = (): CommandContext => ({
    run: input.run,
    step: input.step,
    cwd: workspace.cwd,
    env: envOf(workspace, input.env),
    log: input.log,
    redact: input.redact,
    spawn: input.sandbox?.(workspace, 'set-up'),
    signal: AbortSignal.any([input.signal, limit]),
  })
  try {
    if (folders.size > 0)
      await installDependencies(places, context(), say, (folder) => folders.has(folder))
    for (const [n, command] of commands.entries()) {
      const argv = splitCommand(command, `workspace.setup[${n}]`)
      say(argv.join(' '))
      await runSetup(argv, context(), 'make the command work for this commit')
    }
  } catch (error) {
    if (limit.aborted && !input.signal.aborted)
      return `the set-up of this commit did not end within ${Math.round(timeoutMs / 1000)} s (test.timeout)`
    if (error instanceof RefusalError) return `the set-up of this commit failed: ${error.message}`
    throw error
  }
  if (input.as === 'head') await settleOutputs(workspace, commit)
  return undefined
}

/** Folders with a lock file or a manifest that names other packages than the prepared one. */
async function foldersToInstall(repo: Repo, changes: readonly Change[]): Promise<Set<string>> {
  const folders = new Set<string>()
  for (const { path: file, before, after } of changes) {
    const name = path.posix.basename(file)
    const isManifest =
      name === 'package.json' &&
      (await packagesIn(repo, before)) !== (await packagesIn(repo, after))
    if (LOCK_NAMES.has(name) || isManifest) folders.add(path.posix.dirname(file))
  }
  return folders
}

const NAMES_PACKAGES = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'workspaces',
  'overrides',
  'resolutions',
]

async function packagesIn(repo: Repo, entry: Change['before']): Promise<string> {
  const manifest = entry === undefined ? undefined : jsonOf(await readBlob(repo, entry.sha))
  return typeof manifest === 'object' && manifest !== null
    ? JSON.stringify(NAMES_PACKAGES.map((name) => (manifest as Record<string, unknown>)[name]))
    : ''
}
