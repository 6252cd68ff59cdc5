// The prompts of rules 1, and the convergence request. The headings are 004's; the words are ours.
// Source: 004 "Agent Invocation Pattern", "Agent Prompt Template", "Agent Context Package".
import type { Role } from '../contract/config.js'
import type { IterationSummary } from '../contract/result.js'
import { ANALYSIS_HEADINGS, formOf } from './prompt-forms.js'
import type { FormRead } from './prompt-forms.js'
import { bounded, fencedJson, joined, oneLine, section } from './prompt-parts.js'
import { ATTEMPTS_SHOWN, failuresSection, rolledBackSection, shownFailures } from './prompt-run.js'
import type { PromptRun } from './prompt-run.js'
import { rolePart } from './role-part.js'

/** Longest analysis, in characters, that is passed on to the fix agent. */
export const ANALYSIS_SHOWN = 60_000

type Common = {
  roleText: string
  iteration: number
  maxIterations: number
  run: PromptRun
  testCommand: string
  /** Oldest first. */
  previousAttempts: readonly Pick<IterationSummary, 'iteration' | 'result' | 'passRate' | 'note'>[]
  /** After the same turn crashed twice: less context. */
  simplified?: boolean
}

/** Asks the cli-planning-agent what is wrong and what to change. Its answer, as text, goes to the fix agent. */
export function analysisPrompt(p: Common & { rollbackReason?: string }): string {
  return joined([
    `**TASK EXECUTION: Analyze test failures, iteration ${p.iteration} of ${p.maxIterations}**`,
    rolePart(p.roleText, 'analysis'),
    contextPackage(p, p.rollbackReason === undefined ? 'test-failure' : 'regression-analysis'),
    rolledBackSection(p.rollbackReason),
    failuresSection(p),
    attemptsSection(p.previousAttempts),
    section('## Your Task', [
      '1. Read the failing tests and the code they exercise. Change no file.',
      '2. Find the root causes: one cause may explain several failures.',
      '3. Decide on the smallest change of the code under test that removes them.',
      '4. Answer in Markdown with these headings:',
      '',
      ...ANALYSIS_HEADINGS,
    ]),
  ])
}

/** Asks the test-fix-agent to carry out the analysis of this iteration. */
export function fixPrompt(p: Common & { task: string; analysis: string }): string {
  return joined([
    `**TASK EXECUTION: ${p.task}: fix the failing tests, iteration ${p.iteration} of ${p.maxIterations}**`,
    rolePart(p.roleText, 'fix'),
    section('## Task Context', [`**ID**: ${p.task}`, '**Type**: test-fix-iteration', '**Agent**: test-fix-agent']),
    contextPackage(p, 'test-fix-iteration'),
    section('## Fix Strategy', [
      'The analysis of this iteration, by another agent. It may be wrong: check it against the code before you follow it.',
      '',
      bounded(p.analysis.trim() === '' ? '(The analysis gave no text. Find the cause yourself.)' : p.analysis, ANALYSIS_SHOWN, 'of the analysis'),
    ]),
    failuresSection(p),
    attemptsSection(p.previousAttempts),
    section('## Your Task', [
      '1. Change the code under test so that the failing tests pass, with the smallest change that is right.',
      '2. Do not edit tests, test configuration, fixtures or snapshots: they are compared and restored after your turn.',
      '3. You need not run the suite until it is green. Ratchet measures after your turn, and what it measures decides.',
      '4. Do not commit, stash, or switch branches.',
      '5. End with a short summary: what you changed, why, and what you left open.',
    ]),
  ])
}

/**
 * The convergence request: time is up, hand over what there is. The task is restated, as some agents
 * forget what was cancelled.
 *
 * @param read what will be read in the answer, where it has a form
 */
export function convergePrompt({ role, task, limitMs, read }: { role: Role; task?: string | undefined; limitMs: number; read?: FormRead | undefined }): string {
  const minutes = Math.max(1, Math.round(limitMs / 60_000))
  return joined([
    section('## CONVERGE NOW', [`The time for this turn is over and it was interrupted. You have about ${minutes} minute${minutes === 1 ? '' : 's'} left. Start nothing new.`]),
    restated(role, task, read),
    'Say plainly what is not done.',
  ])
}

const READ_TASKS: Record<FormRead, string> = {
  analysis: 'analyse the failing tests and plan the fix',
  assessment: 'say how critical the failing tests are',
  gate: 'check the tests and report what you found',
  plan: 'plan the tests',
}

function restated(role: Role, task: string | undefined, read: FormRead | undefined): string {
  const named = task === undefined ? '' : `, ${task},`
  if (read !== undefined) return `Your task${named} was to ${READ_TASKS[read]}, changing no file. Answer now, with what you have, in this form:\n\n${formOf(read)}`
  if (role === 'cli-planning-agent') return ['Your task was to analyse the failing tests and plan the fix, changing no file. Answer in Markdown with these headings, with what you have:', '', ...ANALYSIS_HEADINGS].join('\n')
  const what = role === 'test-fix-agent' ? 'change the code under test so that the failing tests pass, leaving tests and their configuration alone' : 'carry out what its task file says'
  return `Your task${named} was to ${what}.\nBring the files you were changing into a consistent state, undo what cannot be finished, and end with a short summary.`
}

function contextPackage(p: Common, type: string): string {
  const { run } = p
  const measured = run.kind === 'measured'
  const context = {
    iteration: p.iteration,
    max_iterations: p.maxIterations,
    analysis_type: type,
    failure_context: measured
      ? { pass_rate: run.passRate, passed: run.passed, total: run.total, failed_total: run.failuresTotal, failed_tests: shownFailures(p).map(({ test, file }) => ({ test, file })) }
      : { pass_rate: null, suite_started: false },
    test_context: { test_command: p.testCommand, ...(run.outputPath !== undefined && { test_output: run.outputPath }) },
  }
  return section('## Context Package', [fencedJson(context)])
}

function attemptsSection(attempts: Common['previousAttempts']): string {
  if (attempts.length === 0) return ''
  const shown = attempts.slice(-ATTEMPTS_SHOWN)
  const rate = (value: number | null) => (value === null ? 'not measured' : `${value} %`)
  return section('## Iteration History', [
    ...(shown.length < attempts.length ? [`(${attempts.length - shown.length} earlier attempts are not shown)`] : []),
    ...shown.map((a) => `- Iteration ${a.iteration}: ${a.result}, pass rate ${rate(a.passRate)}${a.note ? `: ${oneLine(a.note).slice(0, 500)}` : ''}`),
    '',
    'Do not repeat what did not help.',
  ])
}
