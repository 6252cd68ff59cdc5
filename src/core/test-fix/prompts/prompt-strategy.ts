// What a strategy means: for the analysis that plans a fix, and for the agent that makes it.
import { MOST_CAUSES, type FixCause, type Strategy } from '../../../contract/test-fix/task.js'
import { oneLine } from '../../text/one-line.js'

/** Characters of a cause or a path in a prompt. */
const CAUSE_SHOWN = 300

type Words = { analyse: string; fix: string }

const STRATEGIES: Record<Strategy, Words> = {
  conservative: {
    analyse:
      'Plan ONE fix for the most certain cause, even where you see several; the rest follows in later iterations. All tests run afterwards.',
    fix: 'Make the one planned fix, and nothing else. All tests run afterwards.',
  },
  aggressive: {
    analyse:
      'The failures look alike: find what they share, and plan the fixes of all of them in one batch.',
    fix: 'Make all the planned fixes in one go. They are judged together, so leave none half done.',
  },
  surgical: {
    analyse:
      'An earlier fix broke more than it repaired. Plan the smallest change that can be undone without loss: as few lines as possible, no interface changed, no clean-up.',
    fix: 'Change as few lines as possible, at the planned places only. No renaming, no moving, no clean-up, no new interface.',
  },
  reflective: {
    analyse:
      'The same tests have failed again and again, so what was assumed so far is wrong somewhere. List the assumptions of the earlier attempts, check each against the code, and look for the cause elsewhere: in what runs before, in shared state, in the environment, in the requirement itself. If a test is wrong, propose its change in `proposed_test_changes`; plan a fix of the code all the same.',
    fix: 'Earlier fixes at the obvious places did not help. Check the assumption behind each point before you change it. If you are sure that a test is wrong, propose its change at the end; do not make it.',
  },
}

/** A conservative iteration that may fix several independent causes. */
const SEVERAL: Words = {
  analyse: `Plan ONE fix for the most certain cause. Then name up to ${MOST_CAUSES - 1} further causes in \`independent_causes\`, each only if you are as sure of it, and if it shares no file to change and no failing test with the others. They are fixed in the same turn and can be taken back one by one. The rest follows in later iterations. All tests run afterwards.`,
  fix: 'Make the planned fix of each cause below, and nothing else. Change for a cause only the files that it names: by its files it is judged, and taken back if it breaks a test. All tests run afterwards.',
}

/**
 * The strategy of an iteration in words, for the role that is asked.
 *
 * @param several whether several independent causes may be fixed
 */
export function strategyWords(strategy: Strategy, role: keyof Words, several = false): string {
  return (several ? SEVERAL : STRATEGIES[strategy])[role]
}

/** The causes that one turn fixes, for its prompt; nothing if it is one. */
export function causeLines(causes: readonly FixCause[] | undefined): string[] {
  return (causes ?? []).map(
    ({ task, cause, files }) =>
      `  - ${task}: ${oneLine(cause, CAUSE_SHOWN)} Files: ${files.map((file) => oneLine(file, CAUSE_SHOWN)).join(', ')}`,
  )
}
