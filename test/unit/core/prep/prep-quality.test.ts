// Whether a task is ready.
import { expect, test } from 'vitest'
import type { PrepAnswer } from '../../../../src/contract/prep/prep-draft.js'
import {
  qualityOf,
  scoresOf,
  settledScores,
  unready,
} from '../../../../src/core/prep/prep-quality.js'
import { DRAFT } from '../../../support/prep/prep-play.js'

const CLEAR = { objective: 2, success_criteria: 2, scope: 2, constraints: 2, context: 2 }
const answer = (by: PrepAnswer['by']): PrepAnswer => ({
  question: 'Which files?',
  answer: 'all',
  by,
  about: 'scope',
})

test.each(
  // prettier-ignore
  [
  { why: 'the sum of its parts',               scores: scoresOf(DRAFT),                                                                    quality: 9 },
  { why: 'at most 1 for an assumed part',      scores: scoresOf({ ...DRAFT, assumptions: [{ about: 'scope', text: 'all' }] }),             quality: 8 },
  { why: 'no more than 0 for an unknown one',  scores: settledScores({ ...CLEAR, scope: 0 }, [answer('ratchet')]),                         quality: 8 },
  { why: 'at most 1 without an answer',        scores: settledScores(CLEAR, [answer('ratchet')]),                                          quality: 9 },
  { why: 'all of it with a person\'s answer',  scores: settledScores(CLEAR, [answer('user')]),                                             quality: 10 },
],
)('the quality is $why', ({ scores, quality }) => {
  expect(qualityOf(scores)).toBe(quality)
})

test.each(
  // prettier-ignore
  [
  { scores: CLEAR,                                         says: undefined },
  { scores: { ...CLEAR, scope: 0, context: 0 },            says: undefined },
  { scores: { ...CLEAR, scope: 0, context: 0, objective: 1 }, says: 'the quality is 5 of 10, at least 6 are needed; not clear: objective, scope, context' },
],
)('a task of $scores: $says', ({ scores, says }) => {
  expect(unready(scores)).toBe(says)
})
