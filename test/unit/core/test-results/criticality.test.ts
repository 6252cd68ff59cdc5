import { expect, test } from 'vitest'
import {
  criticalityOf,
  levelsOf,
  type CriticalityFacts,
} from '../../../../src/core/test-results/criticality.js'

const rules = [
  { match: 'auth|payment', level: 'high' },
  { match: '^e2e/', level: 'low' },
  { match: 'e2e', level: 'medium' },
] as const
const facts = (rest: Partial<CriticalityFacts>): CriticalityFacts => ({
  rules: [],
  id: 'a.test.ts > adds',
  flaky: false,
  passedBefore: false,
  ...rest,
})
const low = { level: 'low', source: 'assess' } as const

test.each(
  // prettier-ignore
  [
  { why: 'a rule on the test name',              facts: facts({ rules, id: 'a.test.ts > payment fails' }),                 rated: { level: 'high', source: 'config' } },
  { why: 'a rule on the file, in any case',      facts: facts({ rules, id: 'src/Auth.test.ts > adds' }),                   rated: { level: 'high', source: 'config' } },
  { why: 'the first rule that matches',          facts: facts({ rules, id: 'e2e/a.test.ts > adds' }),                      rated: { level: 'low', source: 'config' } },
  { why: 'no rule makes a regression low',       facts: facts({ rules, id: 'e2e/a.test.ts > adds', passedBefore: true }),  rated: { level: 'high', source: 'regression' } },
  { why: 'a rule against a claim',               facts: facts({ rules, id: 'auth.test.ts > adds', claim: low }),           rated: { level: 'high', source: 'config' } },
  { why: 'a rule against a re-run',              facts: facts({ rules, id: 'auth.test.ts > adds', flaky: true }),          rated: { level: 'high', source: 'config' } },
  { why: 'a re-run, where no rule matches',      facts: facts({ rules, flaky: true, passedBefore: true }),                 rated: { level: 'low', source: 'flaky' } },
  { why: 'a test that passed before',            facts: facts({ passedBefore: true }),                                     rated: { level: 'high', source: 'regression' } },
  { why: 'that it passed, against a claim',      facts: facts({ passedBefore: true, claim: low }),                         rated: { level: 'high', source: 'regression' } },
  { why: 'the claim of an assessment',           facts: facts({ claim: low }),                                             rated: { level: 'low', source: 'assess' } },
  { why: 'the claim of an analysis',             facts: facts({ claim: { level: 'medium', source: 'analysis' } }),         rated: { level: 'medium', source: 'analysis' } },
  { why: 'no rating: high',                      facts: facts({ rules }),                                                  rated: { level: 'high', source: 'default' } },
],
)('criticality: $why', ({ facts, rated }) => expect(criticalityOf(facts)).toEqual(rated))

test.each(
  // prettier-ignore
  [
  { why: 'nothing fails',                              failing: [],                                                                                             levels: { high: 0, medium: 0, low: 0, undecided: 0, barring: 0 } },
  { why: 'one of each',                                failing: [{ criticality: 'high', source: 'assess' }, { criticality: 'medium', source: 'analysis' }, { criticality: 'low', source: 'config' }], levels: { high: 1, medium: 1, low: 1, undecided: 1, barring: 1 } },
  { why: 'a high one without a rating is open',        failing: [{ criticality: 'high', source: 'default' }, { criticality: 'high', source: 'config' }],        levels: { high: 2, medium: 0, low: 0, undecided: 1, barring: 1 } },
  { why: 'a low one that an analysis called so is open', failing: [{ criticality: 'low', source: 'analysis' }],                                                         levels: { high: 0, medium: 0, low: 1, undecided: 1, barring: 0 } },
  { why: 'without a level it counts high',   failing: [{}],                                                                                           levels: { high: 1, medium: 0, low: 0, undecided: 1, barring: 0 } },
] as const,
)('levels: $why', ({ failing, levels }) => expect(levelsOf(failing)).toEqual(levels))
