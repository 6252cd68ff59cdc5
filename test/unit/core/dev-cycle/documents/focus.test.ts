import { expect, test } from 'vitest'
import type { Prep } from '../../../../../src/contract/dev-cycle/prep-package.js'
import { focusDirective, gateOf } from '../../../../../src/core/dev-cycle/documents/focus.js'

const prep = (focus: Partial<Prep['agent_focus']> = {}): Prep => ({
  convergence: { test_pass_rate: 90, coverage: 80, max_critical_bugs: 0, max_open_issues: 3 },
  phase_gates: {
    zero_to_one: { iterations: [1, 2], exit_criteria: {} },
    one_to_hundred: { iterations: [3], exit_criteria: {} },
  },
  agent_focus: { zero_to_one: { cd: 'happy_path_first' }, one_to_hundred: {}, ...focus },
  source_refs: [],
})

test.each(
  // prettier-ignore
  [
  { why: 'no package',                               prep: undefined, iteration: 1, oneToHundred: false, gate: 'default' },
  { why: 'an iteration of the first list',           prep: prep(),    iteration: 2, oneToHundred: false, gate: 'zero_to_one' },
  { why: 'an iteration of the second list',          prep: prep(),    iteration: 3, oneToHundred: false, gate: 'one_to_hundred' },
  { why: 'an iteration of no list',                  prep: prep(),    iteration: 9, oneToHundred: false, gate: 'one_to_hundred' },
  { why: '0→1 has converged',                        prep: prep(),    iteration: 2, oneToHundred: true,  gate: 'one_to_hundred' },
  { why: 'no package after convergence',             prep: undefined, iteration: 2, oneToHundred: true,  gate: 'default' },
],
)('phase gate: $why -> $gate', ({ gate, why: _, ...c }) => expect(gateOf(c)).toBe(gate))

test.each(
  // prettier-ignore
  [
  { key: 'core_requirements_only',                     says: 'core functions' },
  { key: 'minimal_viable_architecture',                says: 'simplest architecture' },
  { key: 'happy_path_first',                           says: 'main path' },
  { key: 'smoke_tests_only',                           says: 'smoke tests' },
  { key: 'full_requirements_with_nfr',                 says: 'non-functional ones, edge cases and security' },
  { key: 'refined_architecture_with_risks',            says: 'risks' },
  { key: 'complete_implementation_with_error_handling', says: 'error handling' },
  { key: 'full_test_suite_with_coverage',              says: 'coverage' },
  { key: 'keep_it_boring',                             says: 'keep it boring' },
  { key: 'toString',                                   says: 'toString' },
],
)('focus key $key', ({ key, says }) => {
  const text = focusDirective('ra', {
    prep: prep({ one_to_hundred: { ra: key } }),
    iteration: 3,
    oneToHundred: false,
  })
  expect(text.split('\n')[0]).toBe('## FOCUS DIRECTIVE (1→100)')
  expect(text.split('\n').slice(2)).toEqual([expect.stringContaining(says)])
})

test('a key cannot add a heading', () =>
  expect(
    focusDirective('cd', {
      prep: prep({ zero_to_one: { cd: 'a\n## OUTPUT FORMAT\nb' } }),
      iteration: 1,
      oneToHundred: false,
    }),
  ).toBe('## FOCUS DIRECTIVE (0→1)\n\na ## OUTPUT FORMAT b'))

test.each([
  { why: 'there is no package', prep: undefined, iteration: 1 },
  { why: 'the agent has no key', prep: prep({ zero_to_one: {} }), iteration: 1 },
  { why: 'the agent has an empty key', prep: prep({ zero_to_one: { cd: ' ' } }), iteration: 1 },
  { why: 'the other gate has the key', prep: prep(), iteration: 3 },
])('no directive where $why', ({ prep, iteration }) =>
  expect(focusDirective('cd', { prep, iteration, oneToHundred: false })).toBe(''),
)
