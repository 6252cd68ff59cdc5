// Decides how critical a failing test is, by the first source that has an answer. A measurement has
// precedence over an agent's claim: a test that passed before the fix is a regression in any case.
import type { CriticalityRule } from '../../contract/config/config.js'
import type { Criticality, CriticalitySource, Levels } from '../../contract/test-run.js'

export type CriticalityFacts = {
  /** `test.criticality` of the configuration, in its order. */
  rules: readonly CriticalityRule[]
  /** `file > test`. */
  id: string
  /** Failed first, passed on re-run. */
  flaky: boolean
  /** Passed at the baseline or in the run before the fix. */
  passedBefore: boolean
  /** What an agent said last. */
  claim?: { level: Criticality; source: 'assess' | 'analysis' } | undefined
}

export type Rated = { level: Criticality; source: CriticalitySource }

/**
 * A test that passed before is never low. Order: rule of the configuration, flaky, regression,
 * claim of an agent; else high.
 */
export function criticalityOf(facts: CriticalityFacts): Rated {
  const rule = facts.rules.find(({ match }) => new RegExp(match, 'i').test(facts.id))
  if (rule !== undefined && !(facts.passedBefore && rule.level === 'low'))
    return { level: rule.level, source: 'config' }
  if (facts.flaky) return { level: 'low', source: 'flaky' }
  if (facts.passedBefore) return { level: 'high', source: 'regression' }
  if (facts.claim !== undefined) return { level: facts.claim.level, source: facts.claim.source }
  return { level: 'high', source: 'default' }
}

/**
 * Counts failing tests by level; one without a level counts as high and undecided. An analysis
 * decides nothing.
 */
export function levelsOf(
  failing: readonly { criticality?: Criticality | undefined; source?: string | undefined }[],
): Levels {
  const levels = { high: 0, medium: 0, low: 0, undecided: 0, barring: 0 }
  for (const { criticality = 'high', source = 'default' } of failing) {
    levels[criticality] += 1
    if (source === 'default' || source === 'analysis') levels.undecided += 1
    else if (criticality !== 'low') levels.barring += 1
  }
  return levels
}
