// What an iteration concentrates on: first the core of the task, then everything that belongs to
// it.
import { ITEM_CHARS } from '../../../contract/dev-cycle/phase-reading.js'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import type { Prep } from '../../../contract/dev-cycle/prep-package.js'
import { oneLine } from '../../text/one-line.js'

export type Gate = 'default' | 'zero_to_one' | 'one_to_hundred'

/**
 * `oneToHundred`: 0→1 has converged, which changes the focus independently of the package's lists.
 */
export type FocusCase = { prep?: Prep | undefined; iteration: number; oneToHundred: boolean }

const HEADINGS = {
  zero_to_one: '## FOCUS DIRECTIVE (0→1)',
  one_to_hundred: '## FOCUS DIRECTIVE (1→100)',
} as const

const SENTENCES: Readonly<Record<string, string>> = {
  core_requirements_only:
    'Specify the core functions and nothing else. Leave non-functional requirements and edge cases for a later iteration.',
  minimal_viable_architecture:
    'Plan the simplest architecture that works. Leave out what only later growth would need.',
  happy_path_first:
    'Implement the main path through each function. Error handling comes in a later iteration.',
  smoke_tests_only:
    'Check with a few smoke tests that the main path works. Coverage does not count yet.',
  full_requirements_with_nfr:
    'Complete the requirements: non-functional ones, edge cases and security included.',
  refined_architecture_with_risks:
    'Refine the architecture. Name its risks, what is done about each, and how it grows.',
  complete_implementation_with_error_handling:
    'Implement every task of the plan to the end, with error handling and checks of all input.',
  full_test_suite_with_coverage:
    'Run the whole test suite, report its coverage, and review the quality of the code.',
}

/** The phase gate that an iteration stands before; `default` without a package. */
export function gateOf({ prep, iteration, oneToHundred }: FocusCase): Gate {
  if (prep === undefined) return 'default'
  return !oneToHundred && prep.phase_gates.zero_to_one.iterations.includes(iteration)
    ? 'zero_to_one'
    : 'one_to_hundred'
}

/**
 * Heading and sentence for an agent, or an empty text. A key that is not known speaks for itself.
 */
export function focusDirective(phase: Phase, c: FocusCase): string {
  const gate = gateOf(c)
  if (gate === 'default') return ''
  const key = c.prep?.agent_focus[gate][phase]?.trim() ?? ''
  if (key === '') return ''
  return `${HEADINGS[gate]}\n\n${Object.hasOwn(SENTENCES, key) ? SENTENCES[key] : oneLine(key.replaceAll('_', ' '), ITEM_CHARS)}`
}
