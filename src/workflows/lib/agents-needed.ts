// Whether a run has the agents it needs.

/** Why a run cannot go on without an agent for one of these roles, and what to write; `undefined` where all have one. */
export function noAgentReason(agents: Readonly<Record<string, readonly string[] | undefined>>, roles: readonly string[] = Object.keys(agents)): string | undefined {
  const missing = roles.filter((role) => (agents[role] ?? []).length === 0)
  if (missing.length === 0) return undefined
  return `no agent is configured for ${missing.join(', ').replace(/, (?=[^,]*$)/, ' and ')}; name one in ratchet.config.json: { "roles": { "default": "<agent>" }, "agents": { "<agent>": { "protocol": "acp", "command": "…" } } }`
}
