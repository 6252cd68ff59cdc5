// Whether a run has the agents it needs.
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../contract/known-agents.js'
import { joinNames } from '../text/join-names.js'

type Agents = Readonly<Record<string, readonly string[] | undefined>>

/** The line that installs the ACP program of a known agent, at the version that was tried. */
export function installLine(name: (typeof KNOWN_NAMES)[number]): string {
  const { name: pkg, version } = KNOWN_AGENTS[name].package
  return `npm install -g ${pkg}@${version}`
}

const DRY_RUN = 'to try Ratchet without an agent, use the scripted agent "playbook"'

/** What to do where an agent is missing, in lines. */
export const GET_AN_AGENT = [
  `install one of ${KNOWN_NAMES.join(', ')} and log in, for example`,
  installLine('claude'),
  'runs then use it for every role; ratchet init saves this',
  DRY_RUN,
] as const

/** The same in one line, for those who cannot look at the machine. */
export const NAME_AN_AGENT = `install one of ${KNOWN_NAMES.join(', ')} and log in, for example: ${installLine('claude')}; runs then use it if no role is configured; otherwise name it under "roles". To see what is missing, run ratchet doctor; ${DRY_RUN}`

/** Returns that some of these roles have no agent; `undefined` if all have one. */
export function noAgentProblem(
  agents: Agents,
  roles: readonly string[] = Object.keys(agents),
): string | undefined {
  const missing = roles.filter((role) => (agents[role] ?? []).length === 0)
  return missing.length === 0 ? undefined : `no agent is configured for ${joinNames(missing)}`
}

/**
 * Returns why a run cannot continue and what to configure; `undefined` if all roles have an agent.
 */
export function noAgentReason(agents: Agents, roles?: readonly string[]): string | undefined {
  const problem = noAgentProblem(agents, roles)
  return problem === undefined ? undefined : `${problem}; ${NAME_AN_AGENT}`
}
