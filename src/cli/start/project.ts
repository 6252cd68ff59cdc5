// Checks the project of a command before a run starts. Until every check has passed, nothing is
// written or started.
import { existsSync } from 'node:fs'
import which from 'which'
import { agentsFor, namesAgents } from '../../contract/config/config.js'
import { CYCLE_ROLES } from '../../contract/dev-cycle/cycle-state.js'
import { sessionProblem } from '../../contract/ids.js'
import { RefusalError } from '../../contract/failures.js'
import { LOOP_ROLES } from '../../contract/dev-loop/loop-input.js'
import { PREP_ROLES, type PrepFor } from '../../contract/prep/prep-input.js'
import { NAME_AN_AGENT, noAgentProblem } from '../../core/agents/agents-needed.js'
import { loadConfig, type LoadedConfig } from '../../adapters/config/config.js'
import { GitError } from '../../adapters/git/git.js'
import { findRepo, resolve, type Repo } from '../../adapters/git/repo.js'
import { archivedDir, recordDir } from '../../adapters/records/test-fix/session-paths.js'
import { ROLES_OF_FIX, runConfig, type RunConfig } from '../../adapters/config/run-config.js'
import { resolveTestPlan } from '../../adapters/test-runners/command.js'
import { sessionName } from '../../client/session-name.js'
import { badInput } from '../output/errors.js'
import type { Role } from '../../contract/config/agent-config.js'

export { projectDir, projectPath } from './project-dir.js'

export type Ready = { project: string; repo: Repo; config: RunConfig; testCommand: string }

type Tests = 'needed' | 'optional' | 'written first'

/**
 * Checks that a run of the project can start.
 *
 * @param tests `optional`: the project needs no test command yet, and `testCommand` is then empty;
 * `written first`: that of its language is enough
 * @param roles of the run, whose agents the budget must suit
 * @throws RefusalError
 */
export async function preflight(
  project: string,
  base: string | undefined,
  env: NodeJS.ProcessEnv,
  tests: Tests = 'needed',
  roles: readonly Role[] = ROLES_OF_FIX,
): Promise<Ready> {
  const repo = await repository(project)
  if ((await resolve(repo, 'HEAD')) === undefined)
    throw new RefusalError(
      'NoCommit',
      'the git repository has no commit yet',
      repo.root,
      'create one: git add -A && git commit -m "first commit"',
    )
  if (base !== undefined && (await resolve(repo, base)) === undefined)
    throw badInput(`--base names no commit: ${base}`, repo.root, 'name a branch, a tag or a commit')
  const config = runConfig(project, env, roles)
  const plan = testPlan(project, config, { tests, root: repo.root, env })
  if (plan === undefined) return { project, repo, config, testCommand: '' }
  const { display, argv } = plan
  // A path may be built by workspace.setup; a program name must be on PATH.
  if (
    !argv[0].includes('/') &&
    which.sync(argv[0], { nothrow: true, path: env['PATH'] ?? '' }) === null
  )
    throw new RefusalError(
      'NoTestCommand',
      `test command not found: ${argv[0]}`,
      config.file ?? project,
      'install it, or correct test.command in ratchet.config.json',
    )
  return { project, repo, config, testCommand: display }
}

/**
 * The same for a dev cycle, which needs no tests but all four agents.
 *
 * @throws RefusalError
 */
export async function cyclePreflight(
  project: string,
  base: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Ready> {
  return agentsPreflight(Object.values(CYCLE_ROLES), project, base, env)
}

/** The same for a dev loop and its workers. */
export async function loopPreflight(
  project: string,
  base: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Ready> {
  return agentsPreflight(Object.values(LOOP_ROLES), project, base, env)
}

/** The same for a preparation and its agent. */
export async function prepPreflight(
  project: string,
  command: PrepFor,
  env: NodeJS.ProcessEnv,
): Promise<Ready> {
  return agentsPreflight([PREP_ROLES[command]], project, undefined, env)
}

async function agentsPreflight(
  roles: readonly Role[],
  project: string,
  base: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Ready> {
  const ready = await preflight(project, base, env, 'optional', roles)
  const problem = noAgentProblem(
    Object.fromEntries(roles.map((role) => [role, agentsFor(ready.config.config, role)])),
  )
  if (problem === undefined) return ready
  throw new RefusalError(
    'BadConfig',
    problem,
    ready.config.file ?? project,
    namesAgents(ready.config.config)
      ? NAME_AN_AGENT
      : (await import('../agents/agents-list.js')).nextWithoutAgent({ project, env }),
  )
}

function testPlan(
  project: string,
  { config }: LoadedConfig,
  { tests, root, env }: { tests: Tests; root: string; env: NodeJS.ProcessEnv },
): ReturnType<typeof resolveTestPlan> | undefined {
  try {
    return resolveTestPlan({
      cwd: project,
      config: config.test,
      env,
      starts: tests === 'written first',
    })
  } catch (error) {
    if (
      config.test.command !== undefined ||
      !(error instanceof RefusalError) ||
      error.type !== 'NoTestCommand'
    )
      throw error
    if (tests === 'optional') return undefined
    const above = project === root ? undefined : testsAt(root, env)
    throw above === undefined
      ? error
      : new RefusalError(
          error.type,
          error.message,
          error.where,
          `use the root of the repository, whose test command is "${above}": --project ${root}; or ${error.next}`,
        )
  }
}

// A subfolder without tests may belong to a project with tests at its root.
function testsAt(root: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    return resolveTestPlan({ cwd: root, config: loadConfig(root).config.test, env }).display
  } catch (error) {
    if (error instanceof RefusalError) return undefined
    throw error
  }
}

async function repository(project: string): Promise<Repo> {
  try {
    return await findRepo(project)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new RefusalError(
      'NoRepository',
      'this is not a git repository',
      project,
      'create one: git init && git add -A && git commit -m "first commit", or name another directory with --project',
    )
  }
}

/** Returns whether a record or a branch of the project uses this session name. */
export async function sessionTaken(
  { project, repo }: Ready,
  session: string,
): Promise<string | undefined> {
  const dir = [recordDir(project, session), archivedDir(project, session)].find(
    (one) => one !== undefined && existsSync(one),
  )
  if (dir !== undefined) return dir
  for (const branch of [`ratchet/${session}`, `ratchet-runs/${session}`])
    if ((await resolve(repo, `refs/heads/${branch}`)) !== undefined) return `branch ${branch}`
  return undefined
}

/** Yields names for a new session from the directory: WFS-test-shop, WFS-test-shop-2, … */
export function* sessionNames(project: string): Generator<string> {
  for (let n = 1; ; n++) yield sessionName(project, n === 1 ? '' : `-${n}`)
}

/** Checks the session that a user named. */
export function checkedSession(session: string, flag: string): string {
  const problem = sessionProblem(session)
  if (problem !== undefined)
    throw badInput(`${flag} ${problem}`, flag, 'name it like WFS-test-login')
  return session
}
