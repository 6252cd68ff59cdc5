// Whether a run has the agents it needs.

type Agents = Readonly<Record<string, readonly string[] | undefined>>

/** What to write where an agent is missing. */
export const NAME_AN_AGENT = 'name one in ratchet.config.json: { "roles": { "default": "<agent>" }, "agents": { "<agent>": { "protocol": "acp", "command": "…" } } }'

/** That nobody plays some of these roles; `undefined` where all have an agent. */
export function noAgentProblem(agents: Agents, roles: readonly string[] = Object.keys(agents)): string | undefined {
  const missing = roles.filter((role) => (agents[role] ?? []).length === 0)
  return missing.length === 0 ? undefined : `no agent is configured for ${missing.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`
}

/** Why a run cannot go on, and what to write; `undefined` where all roles have an agent. */
export function noAgentReason(agents: Agents, roles?: readonly string[]): string | undefined {
  const problem = noAgentProblem(agents, roles)
  return problem === undefined ? undefined : `${problem}; ${NAME_AN_AGENT}`
}
