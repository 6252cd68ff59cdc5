// The checks of `ratchet doctor`. Each one answers; none throws for what a user can mend.
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import which from 'which'
import { CYCLE_ROLES } from '../contract/cycle.js'
import { BUDGET_PARTS } from '../contract/budget.js'
import { agentDefinition, agentsFor, Config } from '../contract/config.js'
import type { AgentDefinition, Role } from '../contract/config.js'
import { RefusalError } from '../contract/failures.js'
import { LOOP_ROLES } from '../contract/loop-input.js'
import { choiceText } from '../core/agent-choice.js'
import { installLine, NAME_AN_AGENT } from '../core/agents-needed.js'
import { budgetOf, partText } from '../core/budget.js'
import { findAgent, findProgram } from '../adapters/agents/detect.js'
import { loadConfig } from '../adapters/config.js'
import { configBudgetProblem, withFoundAgents } from '../adapters/run-config.js'
import { userDirs } from '../adapters/state-dir.js'
import { resolveTestPlan } from '../adapters/tests/command.js'
import { cachedTemporal } from '../local/temporal-binary.js'
import { agentLines, roleText } from './agents-list.js'
import type { AgentLine } from './agents-list.js'
import type { Context } from './context.js'
import { preflight, projectDir } from './project.js'
import { isRemote, joinServer } from './server.js'

export type Check = {
  check: string
  ok: boolean
  detail: string
  next: string
  /** It works, and something about it should be known. */
  warning?: true
}

/** Oldest versions that are known to do. */
const NODE = [20, 19] as const
const GIT = [2, 31] as const
const LEAST_FREE_GB = 2
const ROLES_OF_FIX: Role[] = ['cli-planning-agent', 'test-fix-agent']
/** Of the kinds of run that have agents of their own. */
const TEAMS: Role[][] = [Object.values(CYCLE_ROLES), Object.values(LOOP_ROLES)]

const pass = (check: string, detail: string): Check => ({ check, ok: true, detail, next: '' })
const warn = (check: string, detail: string, next: string): Check => ({ ...pass(check, detail), next, warning: true })
const fail = (check: string, detail: string, next: string): Check => ({ check, ok: false, detail, next })

/** Runs every check, in the order a person would mend things. */
export async function checks(context: Context): Promise<Check[]> {
  const project = projectDir(context)
  const config = checkConfig(project, context.env)
  return [
    checkNode(process.versions.node),
    checkPlatform(process.platform),
    checkGit(await gitVersion(context.cwd)),
    checkStateDir(context),
    await checkDisk(context),
    ...(await checkServer(context)),
    await checkRepository(project, context.env),
    config.check,
    checkTests(project, config.config),
    ...(config.config === undefined ? [] : checkBudget(config.config)),
    ...(await checkAgents(config.config ?? Config.parse({}), project, context.env)),
    ...(config.config === undefined ? [] : rolesToCheck(config.config).flatMap((role) => checkRole(role, config.config as Config, project, context.env))),
  ]
}

/** Roles that need an agent. Whoever names agents for test-fix alone is not asked for those of a cycle or a loop. */
export function rolesToCheck(config: Config): Role[] {
  return [...ROLES_OF_FIX, ...TEAMS.filter((roles) => roles.some((role) => agentsFor(config, role).length > 0)).flat()]
}

/** Judges the version of Node. */
export function checkNode(version: string): Check {
  return atLeast(version, NODE) ? pass('node', version) : fail('node', `${version} is too old`, `install Node ${NODE.join('.')} or later`)
}

/** Judges the platform: native Windows has no process groups and no signals. */
export function checkPlatform(platform: NodeJS.Platform): Check {
  if (platform === 'linux' || platform === 'darwin') return pass('platform', `${platform} ${os.arch()}`)
  return fail('platform', `${platform} is not supported`, platform === 'win32' ? 'use WSL2: wsl --install, then install Node and ratchet in it' : 'use Linux or macOS')
}

/** Judges the version of git; `undefined` = there is none. */
export function checkGit(version: string | undefined): Check {
  if (version === undefined) return fail('git', 'git is not on PATH', 'install git')
  return atLeast(version, GIT) ? pass('git', version) : fail('git', `${version} is too old`, `install git ${GIT.join('.')} or later`)
}

function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}

async function gitVersion(cwd: string): Promise<string | undefined> {
  const { stdout } = await execa('git', ['--version'], { cwd, reject: false, stdin: 'ignore' })
  return /(\d+\.\d+(\.\d+)*)/.exec(stdout ?? '')?.[1]
}

function checkStateDir(context: Context): Check {
  const dirs = userDirs(context.env)
  const { mode, uid } = statSync(dirs.state)
  if (uid !== (process.getuid?.() ?? uid)) return fail('state directory', `${dirs.state} belongs to another user`, 'set XDG_STATE_HOME to a directory of your own')
  if ((mode & 0o077) !== 0) return fail('state directory', `${dirs.state} can be read by others`, `chmod 700 ${dirs.state}`)
  return pass('state directory', dirs.state)
}

async function checkDisk(context: Context): Promise<Check> {
  const { state } = userDirs(context.env)
  const { bavail, bsize } = await statfs(state)
  const free = (bavail * bsize) / 1e9
  return free >= LEAST_FREE_GB ? pass('disk', `${free.toFixed(0)} GB free`) : fail('disk', `${free.toFixed(1)} GB free below ${state}`, 'make room, for example with: ratchet clean --all')
}

async function checkServer(context: Context): Promise<Check[]> {
  if (isRemote(context)) {
    const server = await joinServer(context)
    return [pass('server', `${server?.address ?? ''}, namespace ${server?.namespace ?? ''}`)]
  }
  const dirs = userDirs(context.env)
  const { localStatus } = await import('../local/index.js')
  const { server, workers, problems } = await localStatus(dirs)
  const kinds = workers.map((worker) => `${worker.kind} ${worker.pid}`).join(', ')
  return [
    checkProgram(context, cachedTemporal(dirs), server !== undefined),
    pass('server', server === undefined ? 'not running, starts on demand' : `${server.address}, version ${server.version}, web UI ${server.uiUrl}`),
    problems.length === 0 ? pass('workers', kinds === '' ? 'not running, start on demand' : kinds) : fail('workers', problems.join('; '), 'see: ratchet logs'),
  ]
}

// Looks only; finding it for good may download or build, which is the first start's to do.
function checkProgram({ env }: Context, cached: string, running: boolean): Check {
  const name = 'server program'
  const named = env['TEMPORAL_CLI_PATH']
  if (named !== undefined && named !== '') return existsSync(named) ? pass(name, `${named} (TEMPORAL_CLI_PATH)`) : fail(name, `TEMPORAL_CLI_PATH names ${named}, which is not there`, 'set it to a Temporal CLI, or unset it')
  if (existsSync(cached)) return pass(name, cached)
  if (running) return pass(name, 'running')
  const onPath = (program: string): string | null => which.sync(program, { nothrow: true, path: env['PATH'] ?? '' })
  const temporal = onPath('temporal')
  if (temporal !== null) return pass(name, `${temporal}, used where its version fits; else downloaded`)
  const go = onPath('go')
  return pass(name, `not there yet: downloaded at the first start${go === null ? '; without Go it cannot be built where there is no network' : `, or built with ${go}`}`)
}

async function checkRepository(project: string, env: NodeJS.ProcessEnv): Promise<Check> {
  return refusalOf('repository', async () => {
    try {
      await preflight(project, undefined, env)
    } catch (error) {
      // Config and test command are checks of their own.
      if (!(error instanceof RefusalError) || error.type === 'NoRepository' || error.type === 'NoCommit') throw error
    }
    return project
  })
}

function checkConfig(project: string, env: NodeJS.ProcessEnv): { check: Check; config?: Config } {
  try {
    const { config, file, chosen } = withFoundAgents(loadConfig(project), { project, env })
    const found = chosen === undefined ? '' : `; it names no role, so the agents that are here play: ${choiceText(chosen)}. ratchet init writes them down`
    return { config, check: pass('config', `${file ?? 'none, the defaults hold'}${found}`) }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return { check: fail('config', `${error.message} (${error.where})`, error.next) }
  }
}

function checkTests(project: string, config: Config | undefined): Check {
  if (config === undefined) return fail('tests', 'the config cannot be read', 'correct the config')
  try {
    return pass('tests', resolveTestPlan({ cwd: project, config: config.test }).display)
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return fail('tests', error.message, error.next)
  }
}

/** The budget in words, and what it cannot count; no line where there is none. */
export function checkBudget(config: Config): Check[] {
  const limit = budgetOf(config.limits)
  if (limit === undefined) return []
  const text = BUDGET_PARTS.flatMap((part) => (limit[part] === undefined ? [] : [partText(part, limit[part])])).join(', ')
  const problem = configBudgetProblem(config, rolesToCheck(config))
  if (problem === undefined) return [pass('budget', text)]
  return [problem.refused ? fail('budget', problem.message, problem.next) : warn('budget', `${text}; ${problem.message}`, problem.next)]
}

/** Each agent: what is here of it, and whether it is logged in. Only one that plays a role must be. */
async function checkAgents(config: Config, project: string, env: NodeJS.ProcessEnv): Promise<Check[]> {
  return (await agentLines(config, { project, env })).filter(({ login }) => login !== null).map((line) => agentCheck(line))
}

/** Judges one of the agents that Ratchet knows. */
export function agentCheck({ name, program, version, login, loginBy, roles, missing, next }: AgentLine): Check {
  const check = `agent ${name}`
  const here = program === null ? '' : `${program}${version === null ? '' : ` ${version}`}, ${login === 'no' ? missing : login === 'yes' ? `logged in: ${loginBy ?? ''}` : `a login may be in ${loginBy ?? ''}`}`
  const plays = roles.length === 0 ? '' : `; plays ${roleText(roles)}`
  if (roles.length === 0) return pass(check, program === null ? missing : here)
  if (program === null) return fail(check, `${missing}${plays}`, next)
  return missing === '' ? pass(check, `${here}${plays}`) : warn(check, `${login === 'no' ? here : `${here}; ${missing}`}${plays}`, next)
}

/** Whether the agents of a role can be started from here. */
export function checkRole(role: Role, config: Config, project: string, env: NodeJS.ProcessEnv): Check[] {
  const agents = agentsFor(config, role)
  if (agents.length === 0) return [fail('agents', `no agent plays ${role}`, NAME_AN_AGENT)]
  return agents.map((agent) => checkAgent(role, agent, agentDefinition(config, agent), project, env))
}

function checkAgent(role: Role, agent: string, definition: AgentDefinition | undefined, project: string, env: NodeJS.ProcessEnv): Check {
  const who = `${agent} plays ${role}`
  if (definition === undefined) return fail('agents', `${who} and is not defined`, `define it under "agents" in ratchet.config.json`)
  const missing = definition.passEnv.filter((name) => env[name] === undefined)
  if (missing.length > 0) return fail('agents', `${who}, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`, 'set what "passEnv" names in this shell, or take it out there')
  if (definition.protocol === 'playbook') {
    const file = path.resolve(project, definition.file)
    return existsSync(file) ? pass('agents', `${who}, scripted by ${file}`) : fail('agents', `${who}, and its file ${file} is not there`, 'write it, or name another one with "file"')
  }
  const install = definition.known === undefined ? `install ${definition.command}, or correct "command" in ratchet.config.json` : installLine(definition.known)
  const [wrapper] = definition.sandbox
  if (wrapper !== undefined && findProgram(wrapper, { project, env }) === null) return fail('agents', `${who}, and ${wrapper} is not on PATH`, `install ${wrapper}, or correct "sandbox" in ratchet.config.json`)
  const found = definition.known === undefined ? findProgram(definition.command, { project, env }) : findAgent(definition.known, { project, env }, definition).program
  return found === null ? fail('agents', `${who}, and ${definition.command} is not on PATH`, install) : pass('agents', `${who}: ${found}`)
}

async function refusalOf(check: string, look: () => Promise<string>): Promise<Check> {
  try {
    return pass(check, await look())
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return fail(check, error.message, error.next)
  }
}
