// What differs between the four agents of a cycle, in one table, and the sections that every prompt
// of a cycle has.
import type { CycleBrief } from '../../../contract/dev-cycle/cycle-step.js'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import { code, oneLine } from '../../text/one-line.js'
import { packageMark } from '../plan-tasks.js'
import { bounded, fenced, section } from '../../prompts/prompt-parts.js'

/**
 * Absolute paths as the agent sees them: `progress` is its own directory, `dir` the one with ra/
 * ep/ cd/ vas/ coordination/, `board` the shared file, `stateFile` the record's own, which is only
 * read.
 */
export type CyclePaths = {
  workspace: string
  progress: string
  board: string
  dir: string
  stateFile?: string
}

export type Deliverable = { file: string; what: string }

/** The texts of one agent. */
export type PhaseTexts = {
  title: string
  purpose: string
  /** Responsibilities of the work turn. */
  duties: readonly string[]
  /** What a feedback turn asks for. */
  answers: string
  deliverables: readonly Deliverable[]
  /** Heading of its state, and what stands there in the beginning. */
  state: string
  none: string
}

const LOG: Deliverable = { file: 'changes.log', what: 'append one NDJSON line per change' }
const SHARE = '**Share discoveries** on the board'

/** The four agents of a cycle. */
export const PHASE_TEXTS: Readonly<Record<Phase, PhaseTexts>> = {
  ra: {
    title: 'Requirements Analyst',
    purpose: 'You keep the requirements complete, clear and checkable throughout the cycle.',
    duties: [
      'Work out what the task asks for, and the extension of this iteration if there is one',
      'Specify each requirement so that it can be checked',
      'Find edge cases, and what the task leaves unsaid',
      'Answer open issues, blockers and questions',
      'Keep track of what changes between iterations',
      SHARE,
    ],
    answers:
      'clarify the requirements that the feedback is about, or name another way, and update requirements.md',
    deliverables: [
      { file: 'requirements.md', what: 'the whole requirements specification' },
      {
        file: 'edge-cases.md',
        what: 'edge case analysis; it may be in requirements.md instead',
      },
      LOG,
    ],
    state: '## CURRENT REQUIREMENTS STATE',
    none: 'No previous requirements',
  },
  ep: {
    title: 'Exploration & Planning Agent',
    purpose: 'You find out how the code is built, and plan the implementation.',
    duties: [
      'Explore the code, as far as the task touches it',
      'Name the integration points',
      'Design the implementation',
      'Break the work down into the tasks of plan.json',
      'If there is a plan, continue from it',
      SHARE,
    ],
    answers: 'add what the plan lacks, correct what is wrong in it, and update plan.json',
    deliverables: [
      { file: 'exploration.md', what: 'what was found in the code' },
      { file: 'architecture.md', what: 'the design' },
      { file: 'plan.json', what: 'the plan, strict JSON' },
      LOG,
    ],
    state: '## CURRENT PLAN STATE',
    none: 'No previous plan: first iteration',
  },
  cd: {
    title: 'Code Developer',
    purpose: 'You build what the plan and the requirements say.',
    duties: [
      'Build what the plan says, its tests included; without a plan, work from the task',
      'Make sure that the pieces fit together',
      'Keep the code as good as you found it',
      'Log each change with its reason',
      'Report progress, issues and blockers',
      SHARE,
    ],
    answers:
      'fix the failing tests and the issues in the code, and update implementation.md with how each was resolved',
    deliverables: [
      { file: 'implementation.md', what: 'progress and decisions' },
      { file: 'issues.md', what: 'issues, blockers, questions' },
      { file: 'changes.log', what: 'append one NDJSON line per file: file, action, timestamp, …' },
      { file: 'debug-log.ndjson', what: 'append one line per experiment when you debug' },
    ],
    state: '## CURRENT IMPLEMENTATION STATE',
    none: 'No previous implementation notes',
  },
  vas: {
    title: 'Validation & Archival Specialist',
    purpose: 'You check what was built, and record how the cycle went.',
    duties: [
      'Record the test baseline: command, framework, how many tests exist and pass, coverage if the project measures it',
      'Prepare the validation: one check for each requirement, and what it needs',
      'Write down what you found, as the state before validation. Give no verdict on the work of CD yet: it works at the same time, and you validate its commit in a later turn',
      SHARE,
    ],
    answers: 'check again what the feedback is about, and update your documents',
    deliverables: [
      { file: 'validation.md', what: 'the checks and their results' },
      { file: 'test-results.json', what: 'test results, strict JSON' },
      { file: 'coverage.md', what: 'coverage report' },
      { file: 'summary.md', what: 'cycle summary and recommendations' },
      LOG,
    ],
    state: '## CURRENT VALIDATION STATE',
    none: 'No previous validation',
  },
}

/** Characters of an extension that the description above it holds whole. */
const REPEATED_CHARS = 2_000

/** Where the cycle stands. */
export function contextLines(brief: CycleBrief, paths: CyclePaths): string[] {
  return [
    `- **Cycle ID**: ${oneLine(brief.cycleId)}`,
    `- **Progress Dir**: ${paths.progress}`,
    `- **Workspace**: ${paths.workspace}`,
    `- **Current Iteration**: ${brief.iteration} of ${brief.maxIterations}`,
    `- **Version**: ${brief.version}`,
  ]
}

/**
 * The task description, at most `most` characters of it, then the extension of this iteration under
 * its own heading. The extension ends the description as a rule: it is not told twice.
 *
 * @param stateFile a file that has all of it
 */
export function taskLines(brief: CycleBrief, most = Infinity, stateFile?: string): string[] {
  const { description, extension } = brief
  const of = `of the description${stateFile === undefined ? '' : ` (all of it: ${oneLine(stateFile)})`}`
  const mark = packageMark(description)
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
  if (extension === undefined || extension.trim() === '')
    return [...mark, '- **Task Description**:', '', fenced(bounded(description, most, of))]
  const [before = '', ...parts] = description.split(`\n\n--- ITERATION ${brief.iteration} ---\n`)
  const isSplit = parts.length > 0
  const whole = isSplit ? parts.join('\n\n') : extension
  return [
    ...mark,
    ...(before === ''
      ? []
      : [
          `- **Task Description**${isSplit ? ', as it was before this iteration' : ''}:`,
          '',
          fenced(bounded(before, most, of)),
          '',
        ]),
    `### EXTENSION OF ITERATION ${brief.iteration}`,
    '',
    'Work on this in the current iteration:',
    '',
    fenced(bounded(whole, isSplit ? most : Math.min(most, REPEATED_CHARS), 'of the extension')),
  ]
}

/** The files that a turn leaves in the agent's own directory. */
export function deliverablesSection(brief: CycleBrief, phase: Phase, paths: CyclePaths): string {
  return section('## DELIVERABLES', [
    `Write files to ${paths.progress}:`,
    ...PHASE_TEXTS[phase].deliverables.map(({ file, what }) => `- ${file}: ${what}`),
    `The version of this iteration is ${code(brief.version)}: write it into each document. Ratchet sets the versions, and replaces any other number.`,
  ])
}

/** What an agent of a cycle may touch. */
export function boundaries(phase: Phase): string[] {
  return [
    phase === 'cd'
      ? '- Only you edit sources. Do not write in the directories of the other agents; append to the board.'
      : '- Only CD edits sources. Write only in your own progress directory, and append to the board; Ratchet reports edits elsewhere as issues.',
    '- Do not commit, switch branches or stash: others work in the same directory. Ratchet commits after the turn.',
    '- Do not claim what you did not run. Ratchet runs the tests itself, and its measurement counts.',
    '- Do not start processes that outlive your turn.',
  ]
}
