// Lists the agents of a machine and a project: what is installed, their roles, and what is missing.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { agentDefinition, agentsFor, type Config } from '../../contract/config/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES, type KnownName } from '../../contract/known-agents.js'
import { installLine, NAME_AN_AGENT } from '../../core/agents/agents-needed.js'
import type { Login } from '../../core/agents/agent-login.js'
import { reportsCost } from '../../core/agents/budget-reports.js'
import {
  findAgent,
  findProgram,
  isUsable,
  knownHere,
  programVersion,
  type FoundAgent,
  type Place,
} from '../../adapters/agents/detect-agents.js'
import { ROLES, type AgentDefinition, type Role } from '../../contract/config/agent-config.js'

/** One agent, as `ratchet agents --json` prints it. */
export type AgentLine = {
  name: string
  /** Path of its program; `null` if it is not installed. The scripted agent is part of Ratchet. */
  program: string | null
  version: string | null
  /** `null` for agents that Ratchet does not know. */
  login: Login['state'] | null
  /** Variable or file that shows the login. */
  loginBy: string | null
  roles: Role[]
  /** `null` if it is not known. */
  reports: { tokens: boolean | null; cost: boolean | null }
  /** What it lacks; empty if it can be used. */
  missing: string
  /** What to do about that. */
  next: string
}

/** Returns all known agents, then the others that the configuration defines. */
export async function agentLines(config: Config, place: Place): Promise<AgentLine[]> {
  const names = new Set<string>([...KNOWN_NAMES, ...Object.keys(config.agents)])
  for (const role of ROLES) for (const agent of agentsFor(config, role)) names.add(agent)
  return Promise.all([...names].map((name) => agentLine(config, place, name)))
}

/** Returns one agent by its name. */
export async function agentLine(config: Config, place: Place, name: string): Promise<AgentLine> {
  const definition = agentDefinition(config, name)
  const bare: AgentLine = {
    name,
    program: null,
    version: null,
    login: null,
    loginBy: null,
    roles: rolesOf(config, name),
    reports: { tokens: null, cost: null },
    missing: '',
    next: '',
  }
  if (definition === undefined)
    return {
      ...bare,
      missing: 'not defined',
      next: 'define it under "agents" in ratchet.config.json',
    }
  const unset = { ...wrapperProblem(definition, place), ...unsetProblem(definition, place.env) }
  if (definition.known !== undefined && definition.protocol === 'acp')
    return { ...(await knownLine(bare, definition.known, definition, place)), ...unset }
  const reports = {
    tokens: definition.protocol === 'playbook' ? true : null,
    cost: reportsCost(definition) ?? null,
  }
  if (definition.protocol === 'playbook')
    return {
      ...bare,
      reports,
      program: definition.file,
      ...(existsSync(path.resolve(place.project, definition.file))
        ? {}
        : {
            missing: `its file ${definition.file} is not there`,
            next: 'create it, or set another file with "file"',
          }),
      ...unset,
    }
  const program = findProgram(definition.command, place)
  if (program !== null) return { ...bare, reports, program, ...unset }
  return {
    ...bare,
    reports,
    missing: `${definition.command} is not on PATH`,
    next: `install ${definition.command}, or correct "command" in ratchet.config.json`,
  }
}

async function knownLine(
  bare: AgentLine,
  known: KnownName,
  definition: AgentDefinition & { protocol: 'acp' },
  place: Place,
): Promise<AgentLine> {
  const found = findAgent(known, place, definition)
  const { login, program } = found
  const version =
    program === null ? null : await programVersion(program, place, KNOWN_AGENTS[known].env)
  const { tokens, cost } = KNOWN_AGENTS[known].reports
  return {
    ...bare,
    program,
    version,
    login: login.state,
    loginBy: login.state === 'no' ? null : login.by,
    reports: { tokens, cost },
    ...lackOf(known, found),
  }
}

/** No login was found. There may still be one, so this alone does not make an agent unusable. */
export const NO_LOGIN = 'no key and no login found'
export const NOT_INSTALLED = 'not installed'

/** Returns what a known agent lacks, and what to do about it. */
export function lackOf(
  known: KnownName,
  { program, vendor, login }: Pick<FoundAgent, 'program' | 'vendor' | 'login'>,
): Pick<AgentLine, 'missing' | 'next'> {
  const { command, title } = KNOWN_AGENTS[known]
  if (program === null && vendor !== null)
    return {
      missing: `${title} is installed, but ${command}, which drives it, is not`,
      next: installLine(known),
    }
  if (program === null) return { missing: NOT_INSTALLED, next: installLine(known) }
  return login.state === 'no' ? { missing: NO_LOGIN, next: login.next } : { missing: '', next: '' }
}

function unsetProblem(
  { passEnv }: AgentDefinition,
  env: NodeJS.ProcessEnv,
): Partial<Pick<AgentLine, 'missing' | 'next'>> {
  const unset = passEnv.filter((name) => env[name] === undefined)
  return unset.length === 0
    ? {}
    : {
        missing: `${unset.join(', ')} ${unset.length === 1 ? 'is' : 'are'} not set`,
        next: 'set the variables of "passEnv" in this shell, or remove them from "passEnv"',
      }
}

function wrapperProblem(
  { sandbox: [wrapper] }: AgentDefinition,
  place: Place,
): Partial<Pick<AgentLine, 'missing' | 'next'>> {
  if (wrapper === undefined || findProgram(wrapper, place) !== null) return {}
  return {
    missing: `${wrapper} of its "sandbox" is not on PATH`,
    next: `install ${wrapper}, or correct "sandbox" in ratchet.config.json`,
  }
}

/**
 * Returns the known agents that are installed but not yet usable, one line each: most need only a
 * login.
 */
export function almostThere(found: readonly FoundAgent[]): string[] {
  return found
    .filter((agent) => !isUsable(agent) && (agent.program !== null || agent.vendor !== null))
    .map((agent) => {
      const { missing, next } = lackOf(agent.name, agent)
      return `${agent.name}: ${missing}; ${next}`
    })
}

/**
 * Returns what to do if the configuration names no agent and none is usable, in one line.
 *
 * @param otherwise if no known agent is installed
 */
export function nextWithoutAgent(place: Place, otherwise: string = NAME_AN_AGENT): string {
  const near = almostThere(knownHere(place))
  return near.length === 0 ? otherwise : near.join('. ')
}

function rolesOf(config: Config, name: string): Role[] {
  return ROLES.filter((role) => agentsFor(config, role).includes(name))
}
