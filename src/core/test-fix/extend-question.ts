// The question at the iteration limit of a run that still makes progress, where a person is there.
import type { Question } from '../../contract/question.js'
import { namedAmount } from '../agents/budget.js'

/** Iterations that `extend` adds where the person names no number. */
const USUAL = 3

/** @param standing how the run stands, as "3 of 5 tests pass" */
export function extendQuestion({
  iteration,
  standing,
  askedAt,
}: {
  iteration: number
  standing: string
  askedAt: number
}): Question {
  return {
    id: `extend-${iteration}`,
    kind: 'extend',
    text: `${iteration === 1 ? 'the one iteration is' : `all ${iteration} iterations are`} spent, and the last one made progress: ${standing}. Extend the run?`,
    options: ['extend', 'end'],
    descriptions: {
      extend: `adds ${USUAL} iterations, or as many as you name`,
      end: 'ends the run at its best state',
    },
    recommended: 'extend',
    amount: { option: 'extend', unit: 'iterations', usual: String(USUAL) },
    askedAt,
  }
}

/**
 * Iterations that an answer adds; 0 for every other answer. @param most the highest number that is
 * taken
 */
export function iterationsIn(
  answer: string | undefined,
  text: string | undefined,
  most: number,
): number {
  if (answer !== 'extend') return 0
  const named = text === undefined ? undefined : namedAmount(text)
  return Math.min(most, Math.max(1, Math.floor(named ?? USUAL)))
}
