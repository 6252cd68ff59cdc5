// Prepares the workspace of a run: checks, snapshot, branch, clone, dependencies, set-up, isolation
// probe.
//
// Can be killed anywhere and called again. Of the user's repository it changes only new objects,
// the run's branch and refs/ratchet/**. An unfinished workspace holds no work and is recreated.
import { realpathSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { fileName, idProblem } from '../../contract/ids.js'
import { MARKERS } from '../../contract/names.js'
import type { Workspace } from '../../contract/workspace.js'
import { configRedactor } from '../agents/config-secrets.js'
import { removeTree } from '../git/user-repository/clean.js'
import { WorkspaceMissingError } from '../git/git.js'
import { keptRefs, moveBranch, removeRef, retireHead } from '../git/ratchet-refs.js'
import { checkedOut, inRepo, resolve, workspaceRepo, type Repo } from '../git/repo.js'
import { listTree } from '../git/tree-diff.js'
import { sandboxOf } from '../sandbox/run-sandbox.js'
import { endMarkedAll } from '../process/end.js'
import { acquireLock } from '../process/lock.js'
import { trackedRecords } from '../trust/record-links.js'
import { layout, projectKey, type Dirs } from '../state-dir.js'
import { openProject, type ProjectRepo } from './checks.js'
import { makeClone } from './clone.js'
import { committedValues } from '../environments/committed-values.js'
import { PREPARE_STEP } from './workspace-command.js'
import { atCandidate, continuesInPlace, lostWarning } from './continue.js'
import { placesOf } from './dependencies.js'
import { isInside, workspaceEnv } from './environment.js'
import { furnish } from './install-dependencies.js'
import { prepareInPlace } from './in-place.js'
import { keepWork } from './keep-work.js'
import { noteInstalled } from './installed.js'
import { measuredWith } from './measured-with.js'
import { holds, makePlan, type PlanInput } from './plan-workspace.js'
import { branchHead, readPlan, readPrepared, writePlan, writePrepared, type Plan } from './state.js'

export type PrepareInput = PlanInput & {
  /** Record name: names the workspace's directory and the branch. */
  name: string
  config: Config
  /** The whole environment of set-up commands. */
  env: NodeJS.ProcessEnv
  signal?: AbortSignal
  /**
   * Checks the workspace before it counts as prepared; a refusal that it throws undoes the
   * preparation.
   */
  verify?: ((workspace: Workspace) => void) | undefined
}

/**
 * `measuredWith`: what the tests see although no commit holds it. `continued`: `head` is where an
 * earlier run of the session was, on top of its base.
 */
export type PreparedWorkspace = {
  workspace: Workspace
  head: string
  warnings: string[]
  measuredWith?: string[] | undefined
  continued?: true
}

/**
 * Prepares the workspace of a run, or returns the existing one. Two calls at once create one
 * workspace. After a refusal nothing of this preparation is left, so that the same start works once
 * its cause is corrected.
 *
 * @throws RefusalError if the project, its configuration or its dependencies must be changed first
 */
export async function prepareWorkspace(
  deps: { dirs: Dirs },
  input: PrepareInput,
): Promise<PreparedWorkspace> {
  const name = fileName(input.name)
  const problem =
    idProblem(input.name) ??
    (path.isAbsolute(input.project)
      ? undefined
      : `must be an absolute path, got ${JSON.stringify(input.project)}`)
  if (problem !== undefined)
    throw new RefusalError(BAD_INPUT, problem, input.project, 'correct the input')
  const place = await openProject(input.project)
  refuseStateInside(deps.dirs, place.repo)
  const key = projectKey(input.project)
  const dir = layout.workspace(deps.dirs, key, name)
  const release = await acquireLock(path.join(layout.locks(deps.dirs), `prepare-${key}-${name}`), {
    ...(input.signal && { signal: input.signal }),
    onWait: () => input.onProgress?.('waiting for another start of this session'),
  })
  try {
    // What a killed attempt has started may still write into the tree.
    await endMarkedAll(
      { [MARKERS.run]: input.run, [MARKERS.step]: PREPARE_STEP },
      { graceMs: 1_000 },
    )
    const finished = readPrepared(dir)
    if (finished !== undefined && isOf(finished, input)) return await existing(finished)
    const inPlace = input.config.workspace.isolation === 'in-place'
    const begun = readPlan(dir)
    // Made first: what it refuses leaves the workspace of an earlier run as it was.
    const plan = inPlace
      ? undefined
      : begun !== undefined && isOf(begun, input) && (await holds(place.repo, begun))
        ? begun
        : await makePlan(place, name, dir, input)
    // Another run had the name
    if (finished !== undefined) await keepWork(place.repo, name, finished.workspace)
    // First: without it the workspace has no owner
    await rm(path.join(dir, 'prepared.json'), { force: true })
    if (plan !== begun || plan === undefined) await removeTree(dir)
    await mkdir(dir, { recursive: true, mode: 0o700 })
    try {
      const prepared =
        plan === undefined
          ? await inUsersTree(place, name, dir, input)
          : await prepareClone(place, name, dir, { ...input, dirs: deps.dirs }, plan)
      input.verify?.(prepared.workspace)
      await retireHead(place.repo, name, prepared.workspace.branch)
      await writePrepared(dir, {
        schema: 1,
        run: input.run,
        chain: input.chain,
        workspace: prepared.workspace,
        warnings: prepared.warnings,
        measuredWith: prepared.measuredWith,
        ...(prepared.continued === true && { continued: true }),
        brought: await trackedRecords(place.repo, input.project),
        committed: await committedValues(
          deps.dirs,
          { repo: place.repo, base: prepared.workspace.base },
          input.env,
        ),
      })
      return prepared
    } catch (error) {
      if (error instanceof RefusalError) await undo(place.repo, name, dir, plan)
      throw error
    }
  } finally {
    await release()
  }
}

function isOf(
  one: { run: string; chain?: string | undefined },
  { run, chain }: PrepareInput,
): boolean {
  return one.run === run && one.chain === chain
}

// Undoes what a refused preparation made outside of its directory, then removes the directory.
async function undo(user: Repo, name: string, dir: string, plan: Plan | undefined): Promise<void> {
  if (plan !== undefined) {
    const { branch, oldTip, oldKept } = plan
    const head = branchHead(plan)
    const ref = `refs/heads/${branch}`
    const isOurs =
      (await resolve(user, ref)) === head && head !== oldTip && !(await checkedOut(user)).has(ref)
    if (isOurs && oldTip === undefined) await inRepo(user, ['update-ref', '-d', ref, head])
    if (isOurs && oldTip !== undefined) {
      await inRepo(user, ['update-ref', '-m', 'ratchet: start refused', ref, oldTip, head])
      if (oldKept !== true) await removeRef(user, keptRefs.old(name, oldTip))
    }
  }
  await removeTree(dir)
}

// Test runners would collect the workspace, and the next snapshot would hold it.
function refuseStateInside(dirs: Dirs, user: Repo): void {
  const state = realpathSync(dirs.state)
  if (isInside(state, realpathSync(user.root)))
    throw new RefusalError(
      'UnsupportedRepository',
      'the state directory lies inside the repository',
      state,
      'set XDG_STATE_HOME to a directory outside of it',
    )
}

async function existing({
  workspace,
  warnings,
  measuredWith: files,
  continued,
}: {
  workspace: Workspace
  warnings: string[]
  measuredWith?: string[] | undefined
  continued?: boolean | undefined
}): Promise<PreparedWorkspace> {
  const head = await resolve(await workspaceRepo(workspace), `refs/heads/${workspace.branch}`)
  if (head === undefined && workspace.isolation === 'clone')
    throw new WorkspaceMissingError(workspace.root, 'broken')
  if (head === undefined)
    throw new Error(`the workspace has lost its branch ${workspace.branch}: ${workspace.root}`)
  return {
    workspace,
    head,
    warnings,
    measuredWith: files,
    ...(continued === true && { continued }),
  }
}

async function prepareClone(
  place: ProjectRepo,
  name: string,
  dir: string,
  input: PrepareInput & { dirs: Dirs },
  plan: Plan,
): Promise<PreparedWorkspace> {
  const { repo: user, folder } = place
  const { dirs, signal, onProgress: say = () => undefined } = input
  const { base, head = base } = plan
  await writePlan(dir, plan)
  const { branch, oldTip } = plan
  await moveBranch(user, name, { branch, oldTip }, branchHead(plan))

  say('cloning the repository')
  for (const entry of await readdir(dir))
    if (entry.startsWith('clone-')) await removeTree(path.join(dir, entry))
  const root = path.join(dir, 'tree')
  const clone = await makeClone(user, root, {
    branch: plan.branch,
    base: head,
    ...(signal && { signal }),
  })
  const workspace: Workspace = {
    project: input.project,
    root,
    cwd: path.join(root, folder),
    branch: plan.branch,
    base,
    isolation: 'clone',
  }
  const files = await listTree(clone, head)
  const places = placesOf({ from: user.root, to: root, folder }, files)
  const { warnings, copied } = await furnish({
    workspace,
    head,
    places,
    settings: input.config.workspace,
    env: () => workspaceEnv(input.env, places),
    run: input.run,
    log: path.join(dir, 'prepare.log'),
    redact: configRedactor(input.config, input.env),
    sandbox: sandboxOf({ dirs, env: input.env }, input.config),
    signal,
    onProgress: say,
  })
  say('noting what is installed')
  await noteInstalled(places, head)
  const seen = await measuredWith(clone, files, { submodules: places.submodules.keys(), copied })
  return {
    workspace,
    head,
    warnings: [...plan.warnings, ...warnings],
    ...(seen.length > 0 && { measuredWith: seen }),
    ...(plan.head !== undefined && { continued: true }),
  }
}

async function inUsersTree(
  place: ProjectRepo,
  name: string,
  dir: string,
  input: PrepareInput,
): Promise<PreparedWorkspace> {
  const from = input.continueFrom
  const continued = from !== undefined && (await continuesInPlace(place.repo, from))
  const { workspace, head, warnings } = await prepareInPlace(place, name, dir, input)
  if (continued)
    return {
      workspace: { ...workspace, base: from.base },
      head: await atCandidate(place.repo, head, from),
      warnings,
      continued,
    }
  return {
    workspace,
    head,
    warnings: from === undefined ? warnings : [lostWarning(from, 'your working tree'), ...warnings],
  }
}
