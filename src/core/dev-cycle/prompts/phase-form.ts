// The form that each agent of a cycle answers in. Prompts end with it, a retry prompt repeats it.
// It holds placeholders that no reader takes for an answer.
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import { fenced, fencedJson, joined } from '../../prompts/prompt-parts.js'

const LIST = '[<one line each, or nothing>]'
const ISSUES = '[<[high|medium|low] one line each, or nothing>]'
const COUNT = '<count>'
const SUMMARY = '<one line>'

const FIELDS: Readonly<Record<Phase, Readonly<Record<string, string>>>> = {
  ra: {
    status: 'success | failed',
    summary: SUMMARY,
    issues: ISSUES,
    blockers: LIST,
  },
  ep: { status: 'success | failed', summary: SUMMARY, issues: ISSUES, blockers: LIST },
  cd: {
    status: 'success | failed | partial',
    files_changed: COUNT,
    summary: SUMMARY,
    tasks_completed: '[<task id>]',
    issues: ISSUES,
    blockers: LIST,
    plan_issues: LIST,
  },
  vas: {
    status: 'success | failed | partial',
    summary: SUMMARY,
    test_pass_rate: '<percent>%',
    coverage: '<percent>%',
    failed_tests: '[<test>]',
    removed_tests: '[<test that is gone on purpose, with its file>]',
    requirements_met: '<count>/<count of all>',
    critical_issues: COUNT,
    ready_for_production: 'true | false',
    issues: ISSUES,
    blockers: LIST,
  },
}

const DECISIONS = [
  {
    description: '<a choice that only a person can make>',
    options: ['<option>'],
    recommended: '<option>',
  },
]
const DETAILS: Readonly<Record<Phase, unknown>> = {
  ra: { issues: ['<[high|medium|low] issue>'], blockers: ['<blocker>'], decisions: DECISIONS },
  ep: { issues: ['<[high|medium|low] issue>'], blockers: ['<blocker>'], decisions: DECISIONS },
  cd: {
    issues: ['<[high|medium|low] issue>'],
    blockers: ['<blocker>'],
    plan_issues: ['<what is missing or wrong in plan.json>'],
    no_change: [{ id: '<id of a task that needs no change>', why: '<why>' }],
    decisions: DECISIONS,
  },
  vas: {
    issues: ['<[high|medium|low] issue>'],
    blockers: ['<blocker>'],
    failed_tests: ['<test>'],
    decisions: DECISIONS,
  },
}

/** The exact form of an answer, as Markdown without a heading. */
export function phaseForm(phase: Phase): string {
  const block = Object.entries(FIELDS[phase]).map(([key, value]) => `- ${key}: ${value}`)
  return joined([
    'End your last message with this block. Keep the keys and replace every value; `[]` is an empty list, `n/a` a number that you did not measure:',
    fenced(['PHASE_RESULT:', `- phase: ${phase}`, ...block].join('\n')),
    'Begin each issue with its severity: [high], [medium] or [low]. A low one blocks nothing; without a severity it counts as medium.',
    'If lists need more room, or a person has to decide something, add one JSON object. Otherwise leave it out:',
    `PHASE_DETAILS:\n\n${fencedJson(DETAILS[phase])}`,
  ])
}
