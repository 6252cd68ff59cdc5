// What a strategy means: for the analysis that plans a fix, and for the agent that makes it.
import type { Strategy } from '../../../contract/test-fix/task.js'

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

/** The strategy of an iteration in words, for the role that is asked. */
export function strategyWords(strategy: Strategy, role: keyof Words): string {
  return STRATEGIES[strategy][role]
}
