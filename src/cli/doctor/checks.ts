// Runs the checks of `ratchet doctor`. Each returns a result; none throws for what a user can
// correct.
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import os from 'node:os'
import { execa } from 'execa'
import which from 'which'
import { BUDGET_PARTS } from '../../contract/budget.js'
import { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { choiceText } from '../../core/agents/agent-choice.js'
import { budgetOf, partText } from '../../core/agents/budget.js'
import type { Place } from '../../adapters/agents/detect-agents.js'
import { loadConfig } from '../../adapters/config/config.js'
import { configBudgetProblem, withFoundAgents } from '../../adapters/config/run-config.js'
import { userDirs } from '../../adapters/state-dir.js'
import { CLI_VERSION, cachedTemporal } from '../../dev-server/temporal-binary.js'
import { agentCheck, rolesCheck, rolesToCheck } from './agent-checks.js'
import { agentLines } from '../agents/agents-list.js'
import { fail, pass, warn, type Check } from './check.js'
import type { Context, ServerChoice } from '../context.js'
import { hookChecks } from './hook-checks.js'
import { otherUsersCheck } from './other-users-check.js'
import { repairChecks } from './repair-checks.js'
import { requireTrust } from '../../adapters/trust/project-trust.js'
import { preflight, projectDir } from '../start/project.js'
import { isRemote, joinServer } from '../start/server.js'
import { sandboxChecks } from './sandbox-check.js'
import { trialCheck } from './sandbox-trial.js'
import { speedChecks } from './speed-checks.js'
import { checkTests } from './test-checks.js'

/** Oldest versions that are known to work. */
const NODE = [20, 19] as const
const GIT = [2, 31] as const
const LEAST_FREE_GB = 2
/**
 * Runs every check, in the order in which a person would fix things.
 *
 * @param sandbox proves the sandboxes that are installed
 */
export async function checks(context: Context, sandbox = false): Promise<Check[]> {
  const project = projectDir(context.project)
  const config = checkConfig(project, context.project.env)
  const trust = config.config === undefined ? [] : [await checkTrust(project, context.project.env)]
  return [
    checkNode(process.versions.node),
    checkPlatform(process.platform),
    checkGit(await gitVersion(context.project.cwd)),
    checkStateDir(context.project.env),
    await checkDisk(context.project.env),
    ...(await checkServer(context.server)),
    await checkRepository(project, context.project.env),
    config.check,
    ...trust,
    ...(await sandboxChecks(config.config ?? Config.parse({}), context.project.env, sandbox)),
    ...(sandbox && config.config !== undefined && trust.every(({ ok }) => ok)
      ? await trialCheck(
          config.config,
          { project, env: context.project.env },
          context.out.interrupted,
        )
      : []),
    ...(await configured(config.config, {
      project,
      env: context.project.env,
      untrusted: !trust.some(({ ok }) => ok),
    })),
    ...(await speedChecks(context.project.env, project, config.config)),
    ...(await repairChecks(context, project)),
  ]
}

// Checks the configuration. One that cannot be read only gets its error, and the agents on this
// machine.
async function configured(config: Config | undefined, place: Place): Promise<Check[]> {
  const agents = await agentLines(config ?? Config.parse({}), place)
  if (config === undefined) return agents.map((line) => agentCheck(line))
  return [
    checkTests(place, config),
    ...checkBudget(config),
    ...agents.map((line) => agentCheck(line)),
    rolesCheck(config, agents),
    ...hookChecks(config, place),
  ]
}

/** Judges the version of Node. */
export function checkNode(version: string): Check {
  return atLeast(version, NODE)
    ? pass('node', version)
    : fail('node', `${version} is too old`, `install Node ${NODE.join('.')} or later`)
}

/** Judges the platform: native Windows has no process groups and no signals. */
export function checkPlatform(platform: NodeJS.Platform): Check {
  if (platform === 'linux' || platform === 'darwin')
    return pass('platform', `${platform} ${os.arch()}`)
  return fail(
    'platform',
    `${platform} is not supported`,
    platform === 'win32'
      ? 'use WSL2: wsl --install, then install Node and ratchet in it'
      : 'use Linux or macOS',
  )
}

/** Judges the version of git; `undefined` if there is none. */
export function checkGit(version: string | undefined): Check {
  if (version === undefined) return fail('git', 'git is not on PATH', 'install git')
  return atLeast(version, GIT)
    ? pass('git', version)
    : fail('git', `${version} is too old`, `install git ${GIT.join('.')} or later`)
}

function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}

async function gitVersion(cwd: string): Promise<string | undefined> {
  const { stdout } = await execa('git', ['--version'], { cwd, reject: false, stdin: 'ignore' })
  return /(\d+\.\d+(\.\d+)*)/.exec(stdout ?? '')?.[1]
}

function checkStateDir(env: NodeJS.ProcessEnv): Check {
  const dirs = userDirs(env)
  const { mode, uid } = statSync(dirs.state)
  if (uid !== (process.getuid?.() ?? uid))
    return fail(
      'state directory',
      `${dirs.state} belongs to another user`,
      'set XDG_STATE_HOME to a directory that you own',
    )
  if ((mode & 0o077) !== 0)
    return fail('state directory', `${dirs.state} can be read by others`, `chmod 700 ${dirs.state}`)
  return pass('state directory', dirs.state)
}

async function checkDisk(env: NodeJS.ProcessEnv): Promise<Check> {
  const { state } = userDirs(env)
  const { bavail, bsize } = await statfs(state)
  const free = (bavail * bsize) / 1e9
  return free >= LEAST_FREE_GB
    ? pass('disk', `${free.toFixed(0)} GB free`)
    : fail(
        'disk',
        `${free.toFixed(1)} GB free below ${state}`,
        'free some space, for example with: ratchet clean --all',
      )
}

async function checkServer(choice: ServerChoice): Promise<Check[]> {
  if (isRemote(choice)) {
    const server = await joinServer(choice)
    return [pass('server', `${server?.address ?? ''}, namespace ${server?.namespace ?? ''}`)]
  }
  const dirs = userDirs(choice.env)
  const { localStatus, wantsPrivate } = await import('../../dev-server/index.js')
  const { server, workers, problems } = await localStatus(dirs)
  const kinds = workers.map((worker) => `${worker.kind} ${worker.pid}`).join(', ')
  return [
    checkProgram(choice.env, cachedTemporal(dirs), server !== undefined),
    pass(
      'server',
      server === undefined
        ? 'not running; the next command that needs it starts it'
        : `${server.address}, version ${server.version}, web UI ${server.uiUrl}`,
    ),
    problems.length === 0
      ? pass('workers', kinds === '' ? 'not running, start on demand' : kinds)
      : fail('workers', problems.join('; '), 'see: ratchet logs'),
    otherUsersCheck(server === undefined ? wantsPrivate(choice) : server.private === true),
  ]
}

// Looks only; the first start downloads or builds the program.
function checkProgram(env: NodeJS.ProcessEnv, cached: string, running: boolean): Check {
  const name = 'server program'
  const named = env['TEMPORAL_CLI_PATH']
  if (named !== undefined && named !== '')
    return existsSync(named)
      ? pass(name, `${named} (TEMPORAL_CLI_PATH)`)
      : fail(
          name,
          `TEMPORAL_CLI_PATH names ${named}, which is not there`,
          'set it to a Temporal CLI, or unset it',
        )
  if (existsSync(cached)) return pass(name, cached)
  if (running) return pass(name, 'running')
  const onPath = (program: string): string | null =>
    which.sync(program, { nothrow: true, path: env['PATH'] ?? '' })
  const temporal = onPath('temporal')
  if (temporal !== null)
    return pass(name, `${temporal}, used where its version fits; else downloaded`)
  const go = onPath('go')
  return {
    ...pass(
      name,
      `not installed yet: downloaded at the first start${go === null ? '; without Go it cannot be built offline' : `, or built with ${go}`}`,
    ),
    next: `faster: put temporal ${CLI_VERSION} on PATH, or set TEMPORAL_CLI_PATH`,
  }
}

async function checkRepository(project: string, env: NodeJS.ProcessEnv): Promise<Check> {
  return refusalOf('repository', async () => {
    try {
      await preflight(project, undefined, env)
    } catch (error) {
      // Config and test command have checks of their own.
      if (
        !(error instanceof RefusalError) ||
        error.type === 'NoRepository' ||
        error.type === 'NoCommit'
      )
        throw error
    }
    return project
  })
}

function checkConfig(project: string, env: NodeJS.ProcessEnv): { check: Check; config?: Config } {
  try {
    const { config, file, chosen } = withFoundAgents(loadConfig(project), { project, env })
    const found =
      chosen === undefined
        ? ''
        : `; it names no role, so runs use the agents found here: ${choiceText(chosen)}. ratchet init saves this choice`
    return {
      config,
      check: pass('config', `${file ?? 'no configuration file, so the defaults apply'}${found}`),
    }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return { check: fail('config', `${error.message} (${error.where})`, error.next) }
  }
}

async function checkTrust(project: string, env: NodeJS.ProcessEnv): Promise<Check> {
  return refusalOf('trust', async () => {
    await requireTrust(userDirs(env), project, env)
    return 'nothing of the repository runs that you have not trusted'
  })
}

/** Returns the budget in words, and what it cannot count; no line without a budget. */
export function checkBudget(config: Config): Check[] {
  const limit = budgetOf(config.limits)
  if (limit === undefined) return []
  const text = BUDGET_PARTS.flatMap((part) =>
    limit[part] === undefined ? [] : [partText(part, limit[part])],
  ).join(', ')
  const problem = configBudgetProblem(config, rolesToCheck(config))
  if (problem === undefined) return [pass('budget', text)]
  return [
    problem.refused
      ? fail('budget', problem.message, problem.next)
      : warn('budget', `${text}; ${problem.message}`, problem.next),
  ]
}

async function refusalOf(check: string, look: () => Promise<string>): Promise<Check> {
  try {
    return pass(check, await look())
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return fail(check, error.message, error.next)
  }
}
