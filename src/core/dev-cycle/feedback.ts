// Builds the feedback for an agent about the issues it can solve, within the iteration that found
// them: failing tests go to CD, a wrong plan to EP, blockers to RA. Files are named, never quoted
// in full, and no text of an agent starts a line.
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { FeedbackEntry } from '../../contract/dev-cycle/cycle-record.js'
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import type { TestRun } from '../../contract/test-run.js'
import { oneLine } from '../text/one-line.js'
import { DECISION_CHARS } from './decisions.js'
import { passRate } from '../test-results/pass-rate.js'
import { bullets, joined, section } from '../prompts/prompt-parts.js'
import { firstChars } from '../text/test-text.js'
import { firstSentence } from '../text/short-text.js'
import { holdsUp } from '../answers/severity.js'
import type { Issue, IssueKind } from './issue.js'
import { ITEM_CHARS, ITEMS_KEPT } from '../../contract/dev-cycle/phase-reading.js'

/** Longest message, in characters. */
export const FEEDBACK_CHARS = 12_000

/** Issues that a message names; the failing tests stand below it by name and error. */
const ISSUES_TOLD = 20

/** Feedback that travels with a run, the newest; all of it is in the record. */
export const FEEDBACK_KEPT = 20

/** The log with these entries. */
export function withFeedback(
  log: readonly FeedbackEntry[],
  entries: readonly FeedbackEntry[],
): FeedbackEntry[] {
  return [...log, ...entries].slice(-FEEDBACK_KEPT)
}

/** Agents that feedback goes to; VAS validates again by itself. */
export type Receiver = 'ra' | 'ep' | 'cd'

/** `source`, `summary`: for the feedback log; what the tests or Ratchet found comes as from VAS. */
export type Feedback = { text: string; type: FeedbackEntry['type']; source: Phase; summary: string }

export type FeedbackCase = {
  issues: readonly Issue[]
  results: CycleState['results']
  run?: TestRun | undefined
  unmeasured?: string | undefined
  /** Decisions that CD does not know yet, and what others answered to the receiver. */
  decisions: readonly string[]
  answers: readonly string[]
  iteration: number
  /** Of the iteration's documents. */
  version: string
  /** Where the receiver reads a document of an agent. */
  recordPaths: (phase: Phase, file: string) => string
}

type Shape = {
  issues: string
  documents: readonly [Phase, string][]
  action: string
  success: string
  next: string
}

const SHAPES: Readonly<Record<Receiver, Shape>> = {
  cd: {
    issues: '## ISSUES TO FIX',
    documents: [
      ['vas', 'test-results.json'],
      ['vas', 'validation.md'],
    ],
    action:
      'Find the cause of each issue and repair it in the code. Leave tests as they are, unless a requirement says that they are wrong.',
    success:
      'Every test passes when Ratchet runs the suite again, and no issue of the list remains.',
    next: 'Fix the failing tests, then update implementation.md with the cause and the resolution of each issue.',
  },
  ep: {
    issues: '## ISSUES TO FIX',
    documents: [
      ['ep', 'plan.json'],
      ['cd', 'issues.md'],
    ],
    action: 'Correct what is missing or wrong in the plan: tasks, their order, their files.',
    success:
      'plan.json can be read, names every task once, has no cycle in depends_on, and answers each issue of the list.',
    next: 'Rewrite plan.json, and architecture.md if the design changes.',
  },
  ra: {
    issues: 'Blockers encountered:',
    documents: [
      ['cd', 'issues.md'],
      ['ra', 'requirements.md'],
    ],
    action:
      'Decide what each point requires, or name another way to reach the goal. If only a person can decide, say so.',
    success: 'Each point has one clear answer in requirements.md.',
    next: 'Clarify the requirements or name alternatives, and update requirements.md if they change.',
  },
}

const CAME_FROM: Readonly<Record<Issue['source'], string>> = {
  cd: 'DEVELOPMENT',
  vas: 'VALIDATION',
  ep: 'PLANNING',
  ra: 'REQUIREMENTS',
  tests: 'VALIDATION',
  ratchet: 'VALIDATION',
}

const NAMES: Readonly<Record<IssueKind, string>> = {
  test_failure: 'failing tests',
  not_measured: 'tests that did not run',
  false_claim: 'a false claim',
  validation: 'findings of the validation',
  blocker: 'blockers',
  plan: 'problems of the plan',
  requirements: 'problems of the requirements',
  missing_output: 'missing documents',
  agent_failed: 'an unfinished turn',
  foreign_edit: 'edits of files that are not its own',
  tampering: 'restored test configuration',
}

/**
 * The message for an agent that can do something; none for one that never answered in this
 * iteration. One that had no turn in it is asked only where another agent is blocked and waits for
 * its answer.
 */
export function feedbackFor(to: Receiver, f: FeedbackCase): Feedback | undefined {
  const own = f.issues.filter((issue) => issue.to === to && holdsUp(issue.text))
  const hasNews = f.answers.length > 0 || (to === 'cd' && f.decisions.length > 0)
  const result = f.results[to]
  const isReached =
    result === undefined
      ? own.some(({ kind, source }) => kind === 'blocker' && source !== to)
      : result.synthetic !== true
  return (own.length > 0 || hasNews) && isReached ? feedback(to, own, f) : undefined
}

/** Whether CD waits for an answer of RA or EP, or a blocked EP for one of RA. */
export function waitsFor(issues: readonly Issue[], receiver: Receiver): boolean {
  return issues.some(
    ({ kind, source, to }) =>
      source === receiver &&
      (receiver === 'cd' ? to === 'ra' || to === 'ep' : kind === 'blocker' && to === 'ra'),
  )
}

function feedback(to: Receiver, own: readonly Issue[], f: FeedbackCase): Feedback {
  const shape = SHAPES[to]
  // What was restored explains a failure that CD could not understand otherwise.
  const told = to === 'cd' ? [...own, ...f.issues.filter(({ kind }) => kind === 'tampering')] : own
  const source =
    own.find(({ source: from }) => from === 'cd')?.source ??
    own[0]?.source ??
    (to === 'ep' ? 'ra' : 'ratchet')
  const list = bullets(
    told.map(({ text }) => text),
    ISSUES_TOLD,
    ITEM_CHARS,
  )
  const heading = `## FEEDBACK FROM ${to === 'cd' ? 'VALIDATION' : CAME_FROM[source]}`
  const rate = `Test pass rate: ${rateText(f)}`
  const context = section('## CONTEXT', [
    `Iteration ${f.iteration}${f.iteration > 1 ? `, after iteration ${f.iteration - 1}` : ''}; the documents of this iteration have version ${f.version}.`,
  ])
  const text = joined([
    to === 'cd' ? section(heading, [rate]) : heading,
    ...news(to, f),
    list.length === 0
      ? ''
      : shape.issues.startsWith('#')
        ? section(shape.issues, list)
        : [shape.issues, ...list].join('\n'),
    section(
      '## REFERENCED OUTPUT',
      shape.documents.map(
        ([phase, file]) =>
          `- File: ${oneLine(f.recordPaths(phase, file))} (version ${f.version}, if it is there)`,
      ),
    ),
    section('## REQUIRED ACTION', [
      list.length === 0
        ? `Work the decisions and answers into the ${to === 'ep' ? 'plan' : 'code'}. If they change nothing, say so.`
        : shape.action,
    ]),
    section('## SUCCESS CRITERIA', [shape.success]),
    section('## NEXT STEP', [shape.next]),
    context,
  ])
  return {
    text: firstChars(text, FEEDBACK_CHARS),
    type: typeOf(to, own),
    source: to === 'cd' || source === 'tests' || source === 'ratchet' ? 'vas' : source,
    summary: summary(told, to === 'cd' ? rate : undefined),
  }
}

function news(to: Receiver, { decisions, answers }: FeedbackCase): string[] {
  return [
    ...(to !== 'cd' || decisions.length === 0
      ? []
      : [section('## DECISIONS MADE', bullets([...decisions], ITEMS_KEPT, DECISION_CHARS))]),
    ...(answers.length === 0
      ? []
      : [
          section('## ANSWERS TO YOUR BLOCKERS', [
            ...bullets([...answers], ITEMS_KEPT, ITEM_CHARS),
            '',
            'Continue with what was blocked. Leave out solved blockers in your result.',
          ]),
        ]),
  ]
}

function typeOf(to: Receiver, own: readonly Issue[]): Feedback['type'] {
  const has = (...kinds: IssueKind[]): boolean => own.some(({ kind }) => kinds.includes(kind))
  if (to === 'cd' && has('test_failure', 'not_measured', 'validation')) return 'bug_report'
  return to === 'ra' && has('blocker', 'requirements') ? 'clarification' : 'issue_fix'
}

function rateText({ run, unmeasured }: FeedbackCase): string {
  if (run?.kind === 'measured')
    return `${passRate(run.passed, run.total)}% (${run.passed} of ${run.total})`
  return `not measured (${oneLine(firstSentence(run?.reason ?? unmeasured ?? 'no test run took place'), ITEM_CHARS)})`
}

function summary(issues: readonly Issue[], rate: string | undefined): string {
  const kinds = [...new Set(issues.map(({ kind }) => kind))].map((kind) => NAMES[kind]).join(', ')
  return oneLine(
    [
      rate,
      issues.length === 0
        ? 'decisions and answers'
        : `${kinds}: ${issues[0]?.text ?? ''}${issues.length > 1 ? `, and ${issues.length - 1} more` : ''}`,
    ]
      .filter((part) => part !== undefined)
      .join('; '),
    ITEM_CHARS,
  )
}
