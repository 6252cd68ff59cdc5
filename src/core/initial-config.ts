// What `ratchet init` writes: only what was found, nothing that equals a default.
import type { ChosenRoles } from './agents/agent-choice.js'

/** The test command that was found: its words, and how a person types it. */
export type FoundTests = { argv: readonly string[]; display: string }

/** A configuration as it is written; `undefined` where there is nothing to say. */
export function initialConfig(
  roles: ChosenRoles,
  tests: FoundTests | undefined,
): Record<string, unknown> | undefined {
  const named = Object.fromEntries(
    Object.entries(roles).map(([role, agents]) => [role, agents.length === 1 ? agents[0] : agents]),
  )
  const config = {
    ...(Object.keys(named).length === 0 ? {} : { roles: named }),
    ...(tests === undefined || isHere(tests) ? {} : { test: { command: tests.display } }),
  }
  return Object.keys(config).length === 0 ? undefined : config
}

// A program by its path, such as a virtual environment's, is another one on another machine: it is
// found anew.
function isHere({ argv: [program = ''] }: FoundTests): boolean {
  return program.includes('/')
}
