// The agents of a machine and a project, as `ratchet agents` and `ratchet doctor` show them.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { agentDefinition, agentsFor, ROLES } from '../contract/config.js'
import type { AgentDefinition, Config, Role } from '../contract/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../contract/known-agents.js'
import type { KnownName } from '../contract/known-agents.js'
import { installLine } from '../core/agents-needed.js'
import type { Login } from '../core/agent-login.js'
import { reportsCost } from '../core/budget-reports.js'
import { findAgent, findProgram, programVersion } from '../adapters/agents/detect.js'
import type { FoundAgent, Place } from '../adapters/agents/detect.js'

/** One agent, as `ratchet agents --json` prints it. */
export type AgentLine = {
  name: string
  /** Path of its program; `null` where it is not there. The scripted agent is part of Ratchet. */
  program: string | null
  version: string | null
  /** `null` for agents that Ratchet does not know. */
  login: Login['state'] | null
  /** Variable or file that shows the login. */
  loginBy: string | null
  roles: Role[]
  /** `null` where it is not known. */
  reports: { tokens: boolean | null; cost: boolean | null }
  /** What it lacks, empty where it can be used. */
  missing: string
  /** What to do about that. */
  next: string
}

/** All known agents, then those that the configuration defines beside them. */
export async function agentLines(config: Config, place: Place): Promise<AgentLine[]> {
  const names = new Set<string>([...KNOWN_NAMES, ...Object.keys(config.agents)])
  for (const role of ROLES) for (const agent of agentsFor(config, role)) names.add(agent)
  return Promise.all([...names].map((name) => agentLine(config, place, name)))
}

/** One agent by its name. */
export async function agentLine(config: Config, place: Place, name: string): Promise<AgentLine> {
  const definition = agentDefinition(config, name)
  const bare: AgentLine = { name, program: null, version: null, login: null, loginBy: null, roles: rolesOf(config, name), reports: { tokens: null, cost: null }, missing: '', next: '' }
  if (definition === undefined) return { ...bare, missing: 'not defined', next: 'define it under "agents" in ratchet.config.json' }
  const unset = unsetProblem(definition, place.env)
  if (definition.known !== undefined && definition.protocol === 'acp') return { ...(await knownLine(bare, definition.known, definition, place)), ...unset }
  const reports = { tokens: definition.protocol === 'playbook' ? true : null, cost: reportsCost(definition) ?? null }
  if (definition.protocol === 'playbook') return { ...bare, reports, program: definition.file, ...(existsSync(path.resolve(place.project, definition.file)) ? {} : { missing: `its file ${definition.file} is not there`, next: 'write it, or name another one with "file"' }), ...unset }
  const program = findProgram(definition.command, place)
  if (program !== null) return { ...bare, reports, program, ...unset }
  return { ...bare, reports, missing: `${definition.command} is not on PATH`, next: `install ${definition.command}, or correct "command" in ratchet.config.json` }
}

async function knownLine(bare: AgentLine, known: KnownName, definition: AgentDefinition & { protocol: 'acp' }, place: Place): Promise<AgentLine> {
  const found = findAgent(known, place, definition)
  const { login, program } = found
  const version = program === null ? null : await programVersion(program, place.env, KNOWN_AGENTS[known].env)
  const { tokens, cost } = KNOWN_AGENTS[known].reports
  return { ...bare, program, version, login: login.state, loginBy: login.state === 'no' ? null : login.by, reports: { tokens, cost }, ...lackOf(known, found) }
}

/** What a known agent lacks, and what to do about it. */
export function lackOf(known: KnownName, { program, vendor, login }: Pick<FoundAgent, 'program' | 'vendor' | 'login'>): Pick<AgentLine, 'missing' | 'next'> {
  const { command, title } = KNOWN_AGENTS[known]
  if (program === null && vendor !== null) return { missing: `${title} is here, and ${command} is not, through which it is driven`, next: installLine(known) }
  if (program === null) return { missing: 'not installed', next: installLine(known) }
  return login.state === 'no' ? { missing: 'no key and no login found', next: login.next } : { missing: '', next: '' }
}

function unsetProblem({ passEnv }: AgentDefinition, env: NodeJS.ProcessEnv): Partial<Pick<AgentLine, 'missing' | 'next'>> {
  const unset = passEnv.filter((name) => env[name] === undefined)
  return unset.length === 0 ? {} : { missing: `${unset.join(', ')} ${unset.length === 1 ? 'is' : 'are'} not set`, next: 'set what "passEnv" names in this shell, or take it out there' }
}

function rolesOf(config: Config, name: string): Role[] {
  return ROLES.filter((role) => agentsFor(config, role).includes(name))
}

/** The list as a table, and below it what is missing where somebody needs it. */
export function agentTable(lines: readonly AgentLine[]): string[] {
  const rows = lines.map((line) => [line.name, programText(line), loginText(line), reportText(line), roleText(line.roles)])
  const all = [['agent', 'program', 'login', 'reports', 'roles'], ...rows]
  const widths = all[0]?.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0))) ?? []
  const table = all.map((row) => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ').trimEnd())
  const lacking = lines.filter(({ missing }) => missing !== '').map(({ name, missing, next }) => `${name}: ${missing}${next === '' ? '' : `; ${next}`}`)
  return lacking.length === 0 ? table : [...table, '', ...lacking]
}

function programText({ program, version }: AgentLine): string {
  if (program === null) return '-'
  return version === null ? program : `${program} ${version}`
}

function loginText({ login, loginBy }: AgentLine): string {
  if (login === null) return '-'
  if (login === 'unknown') return `perhaps, in ${loginBy ?? ''}`
  return login === 'yes' ? `yes, ${loginBy ?? ''}` : 'not found'
}

function reportText({ reports }: AgentLine): string {
  const known = [...(reports.tokens === true ? ['tokens'] : []), ...(reports.cost === true ? ['cost'] : [])]
  if (known.length > 0) return known.join(', ')
  return reports.tokens === null && reports.cost === null ? 'not known' : 'none'
}

/** Roles in words: "all", "all but 2", or their names. */
export function roleText(roles: readonly Role[]): string {
  if (roles.length === 0) return '-'
  if (roles.length === ROLES.length) return 'all'
  const others = ROLES.filter((role) => !roles.includes(role))
  return others.length <= 2 ? `all but ${others.join(', ')}` : roles.join(', ')
}
