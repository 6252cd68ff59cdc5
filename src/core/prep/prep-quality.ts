// Decides how well a task is prepared, and whether it is ready.
//
// An agent rates the five parts of its own draft. A part that rests on an assumption is at most
// partly known, and the sum is Ratchet's.
import {
  DIMENSIONS,
  type Dimension,
  type PrepAnswer,
  type PrepDraft,
} from '../../contract/prep/prep-draft.js'
import { LEAST_QUALITY } from './package-checks.js'

export type Scores = Record<Dimension, number>

/** Highest score of a part that rests on an assumption. */
const ASSUMED = 1

/** Returns the scores of a draft, without the answers to its questions. */
export function scoresOf({ dimensions, assumptions }: PrepDraft): Scores {
  const said = Object.fromEntries(DIMENSIONS.map((name) => [name, dimensions[name].score]))
  return capped(
    said as Scores,
    assumptions.map(({ about }) => about),
  )
}

/** Returns the scores with what no one answered: a recommended answer is an assumption. */
export function settledScores(scores: Scores, answers: readonly PrepAnswer[]): Scores {
  return capped(
    scores,
    answers.filter(({ by }) => by === 'ratchet').map(({ about }) => about),
  )
}

/** Of 10. */
export function qualityOf(scores: Scores): number {
  return DIMENSIONS.reduce((sum, name) => sum + scores[name], 0)
}

/** Returns why a task is not ready, or `undefined`. */
export function unready(scores: Scores): string | undefined {
  const quality = qualityOf(scores)
  if (quality >= LEAST_QUALITY) return undefined
  const weak = DIMENSIONS.filter((name) => scores[name] < 2)
  return `the quality is ${quality} of 10, at least ${LEAST_QUALITY} are needed; not clear: ${weak.join(', ')}`
}

function capped(scores: Scores, assumed: readonly Dimension[]): Scores {
  const entries = DIMENSIONS.map((name) => [
    name,
    assumed.includes(name) ? Math.min(scores[name], ASSUMED) : scores[name],
  ])
  return Object.fromEntries(entries) as Scores
}
