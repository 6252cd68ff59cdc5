// Reads how critical the test-fix-agent calls the failures of the band from 95 to 100 %.
import { z } from 'zod'
import type { Criticality } from '../../../contract/test-run.js'
import { Claimed } from './analysis-answer.js'
import {
  claimOn,
  indexClaims,
  type CriticalityClaim,
} from '../../test-results/criticality-claims.js'
import { lastJson } from '../../answers/fenced-json.js'

export type Levels = [test: string, level: Criticality][]

const Answer = z.object({
  criticality: Claimed.refine(
    (levels) => levels.length > 0,
    'must give a level, low, medium or high, by test',
  ),
})

/**
 * The levels by test, as the agent names the tests; those of tests that do not fail are left out.
 */
export function readAssessment(
  text: string,
  failing: readonly { test: string; file: string }[],
): { ok: true; levels: Levels } | { ok: false; problem: string } {
  const json = lastJson(text, Answer, ['criticality'])
  if (!json.ok) return json
  const levels = json.value.criticality.filter(([name, level]) => {
    const index = indexClaims([claim(name, level, ANYBODY)])
    return failing.some((failure) => claimOn(index, failure) !== undefined)
  })
  return levels.length > 0
    ? { ok: true, levels }
    : {
        ok: false,
        problem: 'criticality names none of the failing tests: use the names exactly as given',
      }
}

type By = Pick<CriticalityClaim, 'source' | 'agent' | 'iteration' | 'fingerprint'>

const ANYBODY: By = { source: 'assess', agent: '', iteration: 0 }

/** What an answer claims, under the names that the agent gave the tests. */
export function claimsOf(levels: Levels, by: By): CriticalityClaim[] {
  return levels.map(([name, level]) => claim(name, level, by))
}

function claim(test: string, level: Criticality, by: By): CriticalityClaim {
  return { test, level, ...by }
}
