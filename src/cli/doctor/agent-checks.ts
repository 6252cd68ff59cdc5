// The checks of `ratchet doctor` about agents: one line for each, and one for roles without an
// agent.
import { CYCLE_ROLES } from '../../contract/dev-cycle/cycle-state.js'
import { agentsFor, namesAgents, type Config } from '../../contract/config/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../contract/known-agents.js'
import { LOOP_ROLES } from '../../contract/dev-loop/loop-input.js'
import { GET_AN_AGENT } from '../../core/agents/agents-needed.js'
import { joinNames } from '../../core/text/join-names.js'
import { NO_LOGIN, NOT_INSTALLED, type AgentLine } from '../agents/agents-list.js'
import { roleText } from '../agents/agents-table.js'
import { fail, pass, warn, type Check } from './check.js'
import type { Role } from '../../contract/config/agent-config.js'

/** A fix that writes tests needs one more role, which most fixes do not. */
const NEEDED_BY_FIX: readonly Role[] = ['cli-planning-agent', 'test-fix-agent']
/** Kinds of run that have agents of their own. */
const TEAMS: readonly { kind: string; roles: readonly Role[] }[] = [
  { kind: 'cycle', roles: Object.values(CYCLE_ROLES) },
  { kind: 'loop', roles: Object.values(LOOP_ROLES) },
]

/**
 * Judges one agent: whether it is installed and can be used. Only an agent with a role has to be
 * usable.
 */
export function agentCheck({
  name,
  program,
  version,
  login,
  loginBy,
  roles,
  missing,
  next,
}: AgentLine): Check {
  const check = `agent ${name}`
  const by =
    login === 'yes'
      ? [`logged in: ${loginBy ?? ''}`]
      : login === 'unknown'
        ? [`a login may be in ${loginBy ?? ''}`]
        : []
  const here = [
    ...(program === null
      ? []
      : [`${program}${versionText(login === null ? undefined : name, version)}`]),
    ...by.slice(program === null ? 1 : 0),
    ...(missing === '' ? [] : [missing]),
  ].join(', ')
  if (roles.length === 0) return pass(check, here)
  const detail = `${here}; roles: ${roleText(roles)}`
  if (missing === '') return pass(check, detail)
  return program !== null && missing === NO_LOGIN
    ? warn(check, detail, next)
    : fail(check, detail, next)
}

// The measurements hold for the version that was tried; another version may work as well.
function versionText(name: string | undefined, version: string | null): string {
  const known = KNOWN_NAMES.find((one) => one === name)
  const tried = known === undefined ? undefined : KNOWN_AGENTS[known].package.version
  if (version === null) return tried === undefined ? '' : ` of unknown version (tried: ${tried})`
  return tried === undefined || tried === version ? ` ${version}` : ` ${version} (tried: ${tried})`
}

/** Judges whether every role has an agent. */
export function rolesCheck(config: Config, lines: readonly AgentLine[]): Check {
  const without = rolesToCheck(config).filter((role) => agentsFor(config, role).length === 0)
  if (without.length > 0)
    return fail(
      'roles',
      `no agent has the role${without.length === 1 ? '' : 's'} ${joinNames(without)}`,
      nextForRoles(config, lines).join('\n'),
    )
  const idle = TEAMS.filter(({ roles }) => isIdle(config, roles)).map(({ kind }) => kind)
  return pass(
    'roles',
    idle.length === 0
      ? 'every role has an agent'
      : `roles of fix have an agent, those of ${joinNames(idle)} have none`,
  )
}

/**
 * Returns the roles that need an agent. A configuration with agents for test-fix only is not
 * checked for those of a cycle or a loop.
 */
export function rolesToCheck(config: Config): Role[] {
  return [
    ...NEEDED_BY_FIX,
    ...TEAMS.filter(({ roles }) => !isIdle(config, roles)).flatMap(({ roles }) => roles),
  ]
}

function isIdle(config: Config, roles: readonly Role[]): boolean {
  return roles.every((role) => agentsFor(config, role).length === 0)
}

// With named roles, no agent is chosen automatically; without, an agent that is almost usable is
// the shortest way.
function nextForRoles(config: Config, lines: readonly AgentLine[]): readonly string[] {
  if (namesAgents(config))
    return [
      'name one under "roles" in the configuration; "default" gets every role that is not named',
    ]
  const near = lines.filter(
    ({ login, missing }) => login !== null && missing !== '' && missing !== NOT_INSTALLED,
  )
  return near.length === 0
    ? GET_AN_AGENT
    : [
        'make one of these usable; runs then use it without configuration',
        ...near.map(({ name, next }) => `${name}: ${next}`),
      ]
}
