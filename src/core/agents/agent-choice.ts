// Chooses agents for roles that are not configured: the installed ones, in order of preference.
// `ratchet init` saves the same choice.
import { KNOWN_NAMES, type KnownName } from '../../contract/known-agents.js'

/** Agents for analyses, first choice first; missing ones are skipped. */
const PLANNERS: readonly KnownName[] = ['gemini', 'qwen', 'codex']

export type ChosenRoles = { default?: string[]; 'cli-planning-agent'?: string[] }

/**
 * The roles for the agents that can be used. All but the analysis is the first one's; the analysis
 * is a chain where several are there, so that one that fails has another behind it.
 */
export function chooseRoles(usable: readonly KnownName[]): ChosenRoles {
  const [first, ...others] = KNOWN_NAMES.filter((name) => usable.includes(name))
  if (first === undefined) return {}
  if (others.length === 0) return { default: [first] }
  const chain = [...PLANNERS.filter((name) => usable.includes(name)), first].filter(
    (name, n, all) => all.indexOf(name) === n,
  )
  return chain.length === 1 && chain[0] === first
    ? { default: [first] }
    : { default: [first], 'cli-planning-agent': chain }
}

/** The choice as a sentence: "claude; gemini, then claude for cli-planning-agent". */
export function choiceText({
  default: all = [],
  'cli-planning-agent': planners,
}: ChosenRoles): string {
  return [
    all.join(', then '),
    ...(planners === undefined ? [] : [`${planners.join(', then ')} for cli-planning-agent`]),
  ].join('; ')
}
