// Builds the configuration that `ratchet init` writes: only what was found, and no defaults.
import type { ChosenRoles } from './agents/agent-choice.js'

/** The test command that was found: its words, and how a person types it. */
export type FoundTests = { argv: readonly string[]; display: string }

/**
 * Returns a configuration to write; `undefined` if there is nothing to configure.
 *
 * @param enclosed the tests ran in a sandbox, and the user wants one around the runs
 */
export function initialConfig(
  roles: ChosenRoles,
  tests: FoundTests | undefined,
  enclosed = false,
): Record<string, unknown> | undefined {
  const named = Object.fromEntries(
    Object.entries(roles).map(([role, agents]) => [role, agents.length === 1 ? agents[0] : agents]),
  )
  const config = {
    ...(Object.keys(named).length === 0 ? {} : { roles: named }),
    ...(tests === undefined || isHere(tests) ? {} : { test: { command: tests.display } }),
    ...(enclosed ? { sandbox: 'auto' } : {}),
  }
  return Object.keys(config).length === 0 ? undefined : config
}

// The path of a program, such as one in a virtual environment, differs between machines, so it is
// detected again.
function isHere({ argv: [program = ''] }: FoundTests): boolean {
  return program.includes('/')
}
