// A first look at the tests of a project, while something else is waited for: its tree is copied as
// a run would copy it, and the tests run there once, gently.
//
// It decides nothing and is not kept: it has no workflow that would see it through, and the machine
// is busy with something else, so that a test may run out of time that has enough of it otherwise.
// What a run cannot work on, or cannot measure, is seen minutes earlier.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../contract/config/config.js'
import { MARKERS } from '../contract/names.js'
import { ProcessIdentity } from '../contract/registry.js'
import type { TestRun } from '../contract/test-run.js'
import type { Workspace } from '../contract/workspace.js'
import { configRedactor } from './agents/config-secrets.js'
import { removeTree } from './git/user-repository/clean.js'
import { headRef } from './git/repo.js'
import { snapshotWorkTree } from './git/user-repository/snapshot.js'
import { listTree } from './git/tree-diff.js'
import { endMarked } from './process/end.js'
import { isAlive, self } from './process/identity.js'
import { acquireLock } from './process/lock.js'
import { sandboxOf } from './sandbox/run-sandbox.js'
import { layout, projectKey, type Dirs } from './state-dir.js'
import { storedJson } from './files/stored-json.js'
import { resolveTestPlan, type TestPlan } from './test-runners/command.js'
import { runTests } from './test-runners/run.js'
import { checkTree, openProject } from './workspace/checks.js'
import { makeClone } from './workspace/clone.js'
import { committedValues, isPublicBy } from './environments/committed-values.js'
import { placesOf } from './workspace/dependencies.js'
import { envOf, workspaceEnv } from './workspace/environment.js'
import { furnish } from './workspace/install-dependencies.js'

export type FirstLook = {
  project: string
  /** With the component of its sandbox, or none. */
  config: Config
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  onProgress?: (text: string) => void
}

const STEP = 'first-look'
const GRACE_MS = 1_000
const BRANCHES = 'refs/heads/'

/**
 * Looks once. `undefined` where no copy can be made: tests that run in place, a HEAD that is on no
 * branch. Rejects with the signal's reason when aborted, after all that it started has ended.
 *
 * @throws RefusalError for what a run of this project would be refused for, too
 */
export async function firstLook(
  dirs: Dirs,
  { project, config, env, signal, onProgress: say }: FirstLook,
): Promise<TestRun | undefined> {
  const place = await openProject(project)
  const { repo, folder } = place
  const branch = await headRef(repo)
  if (config.workspace.isolation === 'in-place' || branch?.startsWith(BRANCHES) !== true)
    return undefined
  const id = `look-${randomBytes(4).toString('hex')}`
  const { commit, nested } = await snapshotWorkTree(repo, { run: id, at: Date.now() })
  const committed = await committedValues(dirs, { repo, base: commit }, env)
  const redact = configRedactor(config, env, isPublicBy(dirs, committed))
  const files = await listTree(repo, commit)
  checkTree(place, files, nested)
  const dir = path.join(looks(dirs), id)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(path.join(dir, OWNER), JSON.stringify(self()), { mode: 0o600 })
  try {
    const root = path.join(dir, 'tree')
    await makeClone(repo, root, { branch: branch.slice(BRANCHES.length), base: commit, signal })
    const workspace: Workspace = {
      project,
      root,
      cwd: path.join(root, folder),
      branch,
      base: commit,
      isolation: 'clone',
    }
    const sandbox = sandboxOf({ dirs, env }, config)
    const places = placesOf({ from: repo.root, to: root, folder }, files)
    await furnish({
      workspace,
      head: commit,
      places,
      settings: config.workspace,
      env: () => workspaceEnv(env, places),
      run: id,
      step: STEP,
      log: path.join(dir, 'prepare.log'),
      redact,
      signal,
      onProgress: say,
      sandbox,
    })
    const plan = resolveTestPlan({ cwd: workspace.cwd, config: config.test, env })
    mkdirSync(layout.locks(dirs), { recursive: true, mode: 0o700 })
    const release = await acquireLock(
      path.join(layout.locks(dirs), `tests-${projectKey(project)}`),
      { signal },
    )
    try {
      say?.(plan.display)
      return await runTests({
        plan: gently(plan),
        cwd: workspace.cwd,
        commit,
        env: envOf(workspace, env),
        spawn: sandbox(workspace, 'tests'),
        run: id,
        step: STEP,
        outDir: path.join(dir, 'tests'),
        timeoutMs: config.test.timeout,
        graceMs: GRACE_MS,
        flakyRetries: 0,
        signal,
        redact,
      })
    } finally {
      await release()
    }
  } finally {
    await endMarked(MARKERS.run, id, { graceMs: GRACE_MS })
    await removeTree(dir)
  }
}

/** Looks whose process has died, with what they may have left running. */
export function deadLooks(dirs: Dirs): string[] {
  if (!existsSync(looks(dirs))) return []
  return readdirSync(looks(dirs)).filter((id) => {
    const owner = storedJson(path.join(looks(dirs), id, OWNER), ProcessIdentity)
    return owner === undefined || !isAlive(owner)
  })
}

/** Ends and removes what such a look has left. */
export async function removeLook(dirs: Dirs, id: string): Promise<void> {
  await endMarked(MARKERS.run, id, { graceMs: GRACE_MS })
  await removeTree(path.join(looks(dirs), id))
}

const OWNER = 'owner.json'

function looks(dirs: Dirs): string {
  return path.join(dirs.state, 'looks')
}

// What is waited for comes first.
function gently(plan: TestPlan): TestPlan {
  return {
    ...plan,
    commandLine: (...given) => ['nice', '-n', '10', ...plan.commandLine(...given)],
    ...(plan.parts === undefined ? {} : { parts: plan.parts.map(gently) }),
  }
}
