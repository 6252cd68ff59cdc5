// The documents of each agent.
import type { Phase } from '../../../contract/dev-cycle/discovery.js'

/**
 * `main` are asked for; `optional` may be left out, as RA may fold its edge cases into the
 * requirements.
 */
export const DOCUMENTS: Readonly<
  Record<Phase, { main: readonly string[]; optional: readonly string[] }>
> = {
  ra: { main: ['requirements.md'], optional: ['edge-cases.md'] },
  ep: { main: ['exploration.md', 'architecture.md', 'plan.json'], optional: [] },
  cd: { main: ['implementation.md'], optional: ['issues.md'] },
  vas: { main: ['validation.md', 'test-results.json', 'summary.md'], optional: ['coverage.md'] },
}

/** Logs that an agent appends to. */
export const LOGS: Readonly<Record<Phase, readonly string[]>> = {
  ra: ['changes.log'],
  ep: ['changes.log'],
  cd: ['changes.log', 'debug-log.ndjson'],
  vas: ['changes.log'],
}

export function allDocuments(phase: Phase): string[] {
  return [...DOCUMENTS[phase].main, ...DOCUMENTS[phase].optional]
}
