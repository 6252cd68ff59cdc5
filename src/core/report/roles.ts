// Roles in words for somebody who has never seen them. Names of public API stay in the data.
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

/** What a role does, in a word or two; a role that is not known by its name. */
export function roleWords(role: string): string {
  return Object.hasOwn(WORDS, role) ? (WORDS[role] ?? role) : role
}

const PHASES: Readonly<Record<string, string>> = { ...CYCLE_ROLES, user: 'you' }

/** The same of the short name that a cycle's record has for an agent. */
export function phaseWords(phase: string): string {
  return roleWords(Object.hasOwn(PHASES, phase) ? (PHASES[phase] ?? phase) : phase)
}
