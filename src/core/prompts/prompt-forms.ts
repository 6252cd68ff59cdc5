// The forms of answers that Ratchet reads. The samples hold placeholders that no reader takes for
// an answer, so an agent that only echoes them has not answered.
import type { TurnRead } from '../../contract/turn-input.js'
import { LAYERS } from '../test-gen/test-layers.js'
import { fenced } from './prompt-parts.js'

/** Headings of an analysis in prose. */
export const ANALYSIS_HEADINGS: readonly string[] = [
  '## Root Cause Analysis',
  '## Fix Strategy',
  '## Modification Points',
  '(one per line: `file:function:lines` - what to change and why)',
  '## Expected Outcome',
]

const ANALYSIS_SAMPLE = {
  root_causes: ['<one sentence per cause>'],
  fix_strategy: {
    approach: '<what to do, and why it removes the causes>',
    modification_points: ['<file>:<function>:<first line>-<last line>'],
    expected_outcome: '<which tests pass afterwards>',
    layer_context: '<optional: what kind of tests these are, and what that means for the fix>',
    verification_steps: ['<optional: how the fix can be checked>'],
  },
  confidence_score: '<a number from 0 to 1>',
  affected_tests: ['<file> > <test>'],
  criticality: { '<file> > <test>': '<low, medium or high>' },
  proposed_test_changes: [
    {
      file: '<optional: a test file that is itself wrong>',
      why: '<what shows that the test is wrong, not the code>',
      patch: '<unified diff of that file alone>',
    },
  ],
}
const ASSESSMENT_SAMPLE = { criticality: { '<test>': 'low|medium|high' } }
const GATE_SAMPLE = {
  critical: '<count>',
  error: '<count>',
  warning: '<count>',
  coverage: { lines: '<percent>', branches: '<percent>', functions: '<percent>' },
  anti_patterns: [{ severity: 'critical|error|warning', what: '<what, and where>' }],
  issues: ['<what is wrong, where, and what to do about it>'],
}

/** Of tests whose coverage Ratchet has measured: the cases of each layer instead. */
const QUALITY_SAMPLE = {
  critical: GATE_SAMPLE.critical,
  error: GATE_SAMPLE.error,
  warning: GATE_SAMPLE.warning,
  anti_patterns: GATE_SAMPLE.anti_patterns,
  cases: [
    {
      layer: Object.keys(LAYERS).join('|'),
      what: '<a case that needs a test>',
      test: '<the name of its test, or null>',
    },
  ],
  issues: GATE_SAMPLE.issues,
}

/** An analysis: headings, then one JSON object. */
export const ANALYSIS_FORM = analysisForm(ANALYSIS_SAMPLE)

/** The same, if further independent causes are wanted. */
export const CAUSES_FORM = analysisForm({
  ...ANALYSIS_SAMPLE,
  independent_causes: [
    {
      cause: '<one sentence about a further cause>',
      modification_points: ['<file>:<function>:<first line>-<last line>'],
      affected_tests: ['<file> > <test>'],
    },
  ],
})

function analysisForm(form: object): string {
  return [
    ...ANALYSIS_HEADINGS,
    '',
    'and then, as the last thing, ONE fenced JSON object with every <…> replaced by what you found:',
    '',
    sample(form),
  ].join('\n')
}

/** Test changes that the agent of a fix proposes, at the end of its summary. */
export const PROPOSALS_FORM = sample({
  proposed_test_changes: [
    {
      file: '<test file>',
      why: '<what shows that the test is wrong, not the code>',
      patch: '<unified diff of that file alone>',
    },
  ],
})

export const ASSESSMENT_FORM = `Answer with ONE fenced JSON object, with the test names exactly as given:\n\n${sample(ASSESSMENT_SAMPLE)}`

export const GATE_FORM = `End with ONE fenced JSON object, with every <…> replaced by what you found; "coverage" is null if you could not measure it:\n\n${sample(GATE_SAMPLE)}`

export const QUALITY_FORM = `End with ONE fenced JSON object, with every <…> replaced by what you found. List each case that needs a test, once, with its layer (${Object.entries(
  LAYERS,
)
  .map(([layer, { name }]) => `${layer} ${name}`)
  .join(', ')}); leave layers out that do not apply:\n\n${sample(QUALITY_SAMPLE)}`

export const PLAN_FORM = [
  'Answer with the plan as Markdown, with these headings:',
  '',
  '## Project',
  '## Coverage: Current and Target',
  '## Test Layers',
  '## Requirements by File',
  '## Risks in the Code',
  '## Success Criteria',
].join('\n')

/**
 * What is read in an answer by a form of the test-fix cycle; other kinds of run have their own.
 */
export type FormRead = Exclude<TurnRead['as'], 'phase' | 'worker' | 'prep'>

/** The form of what is read in an answer. */
export function formOf(read: FormRead): string {
  return { analysis: ANALYSIS_FORM, assessment: ASSESSMENT_FORM, gate: GATE_FORM, plan: PLAN_FORM }[
    read
  ]
}

function sample(value: unknown): string {
  return fenced(JSON.stringify(value, null, 2), 'json')
}
