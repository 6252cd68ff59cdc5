// What `ratchet doctor` says of agents: one line for each of them, and one for the roles that
// nobody plays.
import { CYCLE_ROLES } from '../../contract/dev-cycle/cycle-state.js'
import { agentsFor, namesAgents, type Config, type Role } from '../../contract/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../contract/known-agents.js'
import { LOOP_ROLES } from '../../contract/dev-loop/loop-input.js'
import { GET_AN_AGENT } from '../../core/agents/agents-needed.js'
import { joinNames } from '../../core/text/join-names.js'
import { NO_LOGIN, NOT_INSTALLED, type AgentLine } from '../agents/agents-list.js'
import { roleText } from '../agents/agents-table.js'
import { fail, pass, warn, type Check } from './check.js'

/** A fix that writes tests has one more, which most do not need. */
const NEEDED_BY_FIX: readonly Role[] = ['cli-planning-agent', 'test-fix-agent']
/** Of the kinds of run that have agents of their own. */
const TEAMS: readonly { kind: string; roles: readonly Role[] }[] = [
  { kind: 'cycle', roles: Object.values(CYCLE_ROLES) },
  { kind: 'loop', roles: Object.values(LOOP_ROLES) },
]

/**
 * Judges one agent: what is here of it, and whether it can be used. Only one that plays a role must
 * be.
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
  const detail = `${here}; plays ${roleText(roles)}`
  if (missing === '') return pass(check, detail)
  return program !== null && missing === NO_LOGIN
    ? warn(check, detail, next)
    : fail(check, detail, next)
}

// What was measured holds for the version that was tried; another one may do.
function versionText(name: string | undefined, version: string | null): string {
  const known = KNOWN_NAMES.find((one) => one === name)
  const tried = known === undefined ? undefined : KNOWN_AGENTS[known].package.version
  if (version === null) return tried === undefined ? '' : ` of unknown version (tried: ${tried})`
  return tried === undefined || tried === version ? ` ${version}` : ` ${version} (tried: ${tried})`
}

/** Judges whether every role has an agent that a run may ask for. */
export function rolesCheck(config: Config, lines: readonly AgentLine[]): Check {
  const without = rolesToCheck(config).filter((role) => agentsFor(config, role).length === 0)
  if (without.length > 0)
    return fail(
      'roles',
      `no agent plays ${joinNames(without)}`,
      nextForRoles(config, lines).join('\n'),
    )
  const idle = TEAMS.filter(({ roles }) => isIdle(config, roles)).map(({ kind }) => kind)
  return pass(
    'roles',
    idle.length === 0
      ? 'each has an agent'
      : `those of fix have an agent, those of ${joinNames(idle)} have none`,
  )
}

/**
 * Roles that need an agent. Whoever names agents for test-fix alone is not asked for those of a
 * cycle or a loop.
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

// With roles that are named, nobody is taken by himself; without, an agent that is nearly there is
// the shortest way.
function nextForRoles(config: Config, lines: readonly AgentLine[]): readonly string[] {
  if (namesAgents(config))
    return ['name one under "roles" in the configuration; "default" plays all that are not named']
  const near = lines.filter(
    ({ login, missing }) => login !== null && missing !== '' && missing !== NOT_INSTALLED,
  )
  return near.length === 0
    ? GET_AN_AGENT
    : [
        'make one of these usable, a run then takes it by itself',
        ...near.map(({ name, next }) => `${name}: ${next}`),
      ]
}
