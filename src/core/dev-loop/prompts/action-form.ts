// The form that each worker of a loop answers in. Prompts end with it, a retry prompt repeats it.
// It holds placeholders that no reader takes for an answer.
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import { fenced, fencedJson, joined } from '../../prompts/prompt-parts.js'

const FILES = ['<path>']
const IDS = ['<task id>']
const FINDING = '<severity, then what is wrong, with file and line>'

const STATUSES: Readonly<Record<LoopAction, string>> = {
  init: 'success | partial | failed | needs_input',
  develop: 'success | partial | blocked | failed | needs_input',
  debug: 'success | inconclusive | failed | needs_input',
  validate: 'success | needs_fix | failed | needs_input',
  complete: 'success | partial | failed | needs_input',
}

const DETAILS: Readonly<Record<LoopAction, unknown>> = {
  init: {
    tasks: [
      {
        id: '<T1>',
        description: '<one piece of work>',
        priority: 'high | medium | low',
        files: FILES,
      },
    ],
  },
  develop: {
    tasks_completed: IDS,
    tasks_remaining: IDS,
    no_change: [{ id: '<task id>', why: '<why it needs no change>' }],
  },
  debug: {
    hypotheses: [
      {
        id: '<H1>',
        description: '<what may be wrong>',
        testable_condition: '<what shows it>',
        confidence: 'high | medium | low',
        evidence: ['<what you saw>'],
        mechanism: '<how it causes the problem>',
      },
    ],
    root_cause: '<one sentence>',
    findings: [FINDING],
  },
  validate: {
    tests: { passed: '<count>', failed: '<count>', total: '<count>' },
    coverage: '<percent>%',
    failures: [{ test: '<name>', error: '<what it says>', location: '<file:line>' }],
    findings: [FINDING],
    removed_tests: ['<test that is gone on purpose, with its file>'],
  },
  complete: {
    commit_suggestion: {
      message: '<subject line, then a blank line and why>',
      branch_strategy: '<how to merge it>',
    },
    recommendations: ['<what to do next>'],
  },
}

/** The exact form of an answer, as Markdown without a heading, and the form of a question. */
export function workerForm(action: LoopAction): string {
  return joined([
    'End your last message with this block. Keep the keys and replace every value; `[]` is an empty list, `null` means none:',
    fenced(
      [
        'WORKER_RESULT:',
        `- action: ${action}`,
        `- status: ${STATUSES[action]}`,
        '- summary: <one line>',
        '- files_changed: [<path>]',
        '- next_suggestion: <action, or null>',
        '- loop_back_to: <action, or null>',
        '',
        'DETAILED_OUTPUT:',
        '<what you did and found>',
      ].join('\n'),
    ),
    'After the text of DETAILED_OUTPUT, add one JSON object. Leave out fields you have nothing for:',
    fencedJson(DETAILS[action]),
    ...(action === 'debug' || action === 'validate'
      ? [
          'Begin each finding with its severity: [high], [medium] or [low]. A low one blocks nothing; without a severity it counts as medium.',
        ]
      : []),
    'If you cannot continue without a decision, ask instead, at most five questions. Recommend an answer to each: it applies if no person answers. End your message with the questions:',
    fenced(
      [
        'CLARIFICATION_NEEDED:',
        'Q1: <question> | Options: [<option>, <option>] | Recommended: [<option>]',
      ].join('\n'),
    ),
  ])
}
