// Describes roles in words for readers who do not know them. Names of the public API stay in the
// data.
import { CYCLE_ROLES } from '../../contract/dev-cycle/cycle-state.js'

const WORDS: Readonly<Record<string, string>> = {
  'cli-planning-agent': 'analysis',
  'test-fix-agent': 'fix',
  'requirements-analyst': 'requirements',
  'exploration-planner': 'exploration and plan',
  'code-developer': 'development',
  'validation-archivist': 'validation',
  'loop-init': 'init',
  'loop-develop': 'develop',
  'loop-debug': 'debug',
  'loop-validate': 'validate',
  'loop-complete': 'complete',
}

/** Returns the work of a role in a word or two, or the name of an unknown role. */
export function roleWords(role: string): string {
  return Object.hasOwn(WORDS, role) ? (WORDS[role] ?? role) : role
}

const PHASES: Readonly<Record<string, string>> = { ...CYCLE_ROLES, user: 'you' }

/** The same for an agent's short name in the record of a cycle. */
export function phaseWords(phase: string): string {
  return roleWords(Object.hasOwn(PHASES, phase) ? (PHASES[phase] ?? phase) : phase)
}
