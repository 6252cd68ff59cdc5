// Clones of a run's workspace for parallel workers: each has the files, the dependencies and the
// set-up of the workspace, and its own history, so that no worker sees another's unfinished work.
//
// Can be killed anywhere and called again. The file that marks a clone as finished is written last
// and removed first; a finished clone of the same head may hold an agent's work and is never
// recreated.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { MARKERS } from '../../contract/names.js'
import type { Workspace } from '../../contract/workspace.js'
import { configRedactor } from '../agents/config-secrets.js'
import { removeTree } from '../git/user-repository/clean.js'
import { openWorkspace } from '../git/open-workspace.js'
import { listTree } from '../git/tree-diff.js'
import type { RunSandbox } from '../sandbox/run-sandbox.js'
import { endMarkedAll } from '../process/end.js'
import { acquireLock } from '../process/lock.js'
import { digest } from '../state-dir.js'
import { makeClone } from './clone.js'
import { PREPARE_STEP } from './workspace-command.js'
import { placesOf } from './dependencies.js'
import { envOf } from './environment.js'
import { furnish } from './install-dependencies.js'
import { readPrepared, writePrepared } from './state.js'

export type CloneForWorker = {
  /** The run's workspace. */
  workspace: Workspace
  head: string
  /** Directory of this clone, with nothing else in it. */
  into: string
  /** Workflow id. */
  run: string
  config: Config
  /** The user's environment. */
  env: NodeJS.ProcessEnv
  sandbox?: RunSandbox
  signal?: AbortSignal
  onProgress?: (text: string) => void
}

/**
 * Clones the run's workspace at `head`, on a branch of the same name. Uncommitted work is not in
 * the clone.
 *
 * @throws RefusalError where it cannot be furnished; WorkspaceMissingError where the workspace was
 * removed
 */
export async function cloneForWorker(
  input: CloneForWorker,
): Promise<{ workspace: Workspace; warnings: string[] }> {
  const { head, into, run, signal, onProgress: say = () => undefined } = input
  const step = `${PREPARE_STEP} ${digest(into).slice(0, 12)}`
  await mkdir(path.dirname(into), { recursive: true, mode: 0o700 })
  const release = await acquireLock(`${into}.lock`, {
    ...(signal && { signal }),
    onWait: () => say('waiting for another attempt at this clone'),
  })
  try {
    // What a killed attempt has started may still write into the tree.
    await endMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: step }, { graceMs: 1_000 })
    const finished = readPrepared(into)
    if (
      finished !== undefined &&
      finished.run === run &&
      finished.workspace.base === head &&
      existsSync(finished.workspace.root)
    )
      return { workspace: finished.workspace, warnings: finished.warnings }
    // First: without it the clone has no owner
    await rm(path.join(into, 'prepared.json'), { force: true })
    const made = await makeAnew(input, step)
    await writePrepared(into, { schema: 1, run, ...made })
    return made
  } finally {
    await release()
  }
}

async function makeAnew(
  input: CloneForWorker,
  step: string,
): Promise<{ workspace: Workspace; warnings: string[] }> {
  const { workspace: from, head, into, run, config, env, signal, onProgress } = input
  await removeTree(into)
  await mkdir(into, { recursive: true, mode: 0o700 })
  const origin = await openWorkspace(from)
  onProgress?.('cloning the workspace')
  const root = path.join(into, 'tree')
  const clone = await makeClone(origin, root, {
    branch: from.branch,
    base: head,
    ...(signal && { signal }),
  })
  const folder = path.relative(from.root, from.cwd)
  const workspace: Workspace = {
    ...from,
    root,
    cwd: path.join(root, folder),
    base: head,
    isolation: 'clone',
  }
  const { dependencies, copy, setup } = config.workspace
  const { warnings } = await furnished({
    workspace,
    head,
    places: placesOf({ from: from.root, to: root, folder }, await listTree(clone, head)),
    // Installed ones too are copied: the workspace has them as the run left them.
    settings: { dependencies: dependencies === 'none' ? 'none' : 'copy', copy, setup },
    env: () => envOf(workspace, env),
    run,
    step,
    log: path.join(into, 'prepare.log'),
    redact: configRedactor(config, env),
    sandbox: input.sandbox,
    signal,
    onProgress,
  })
  return { workspace, warnings }
}

async function furnished(input: Parameters<typeof furnish>[0]): ReturnType<typeof furnish> {
  try {
    return await furnish(input)
  } catch (error) {
    if (!(error instanceof RefusalError) || error.type !== 'WorkspaceNotIsolated') throw error
    throw new RefusalError(
      error.type,
      'a worker would run against the workspace of the run, not its own clone',
      error.where,
      'let set-up commands install the project into each clone (workspace.setup), or run the loop with --mode auto',
    )
  }
}

/**
 * Removes what is in a directory of clones, but for one entry. What is not committed and fetched
 * goes too: nothing that may be repeated must still need them.
 */
export async function removeWorkerClones(dir: string, except?: string): Promise<void> {
  if (!existsSync(dir)) return
  for (const entry of await readdir(dir))
    if (entry !== except) await removeTree(path.join(dir, entry))
}
