// The human-readable part of the test-fix cycle's prompts. The headings are 004's; the words are ours.
// Everything that grows with the project is bounded here, and what is left out is said.
// Source: 004 "Agent Invocation Pattern", "Agent Prompt Template", "Agent Context Package".
import type { Role } from '../contract/config.js'
import type { IterationSummary } from '../contract/result.js'
import { FAILURES_SHOWN } from '../contract/test-run.js'
import type { TestFailure } from '../contract/test-run.js'

/** Longest analysis, in characters, that is passed on to the fix agent. */
export const ANALYSIS_SHOWN = 60_000
/** Longest error text per failure, in characters. */
export const PROMPT_ERROR_SHOWN = 2_000
/** Most earlier attempts shown, the newest. */
export const ATTEMPTS_SHOWN = 20
/** Most failures shown to an agent that gets simplified context. */
export const SIMPLIFIED_FAILURES = 5

/**
 * The full run that is to be mended. Where the suite did not start there are no failing tests to list.
 * `outputPath` holds the whole output; it may lie outside what a sandboxed agent can read.
 */
export type PromptRun =
  | { kind: 'measured'; passRate: number | null; passed: number; total: number; failures: readonly TestFailure[]; failuresTotal: number; outputPath: string }
  | { kind: 'not_measured'; reason: string; tail: string; outputPath?: string }

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
    p.roleText,
    contextPackage(p, p.rollbackReason === undefined ? 'test-failure' : 'regression-analysis'),
    rolledBack(p.rollbackReason),
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
    p.roleText,
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

/** The convergence request: time is up, hand over what there is. The task is restated, as some agents forget what was cancelled. */
export function convergePrompt({ role, task, limitMs }: { role: Role; task?: string | undefined; limitMs: number }): string {
  const minutes = Math.max(1, Math.round(limitMs / 60_000))
  const restated = role === 'cli-planning-agent'
    ? ['Your task was to analyse the failing tests and plan the fix, changing no file. Answer in Markdown with these headings, with what you have:', '', ...ANALYSIS_HEADINGS]
    : [`Your task${task === undefined ? '' : `, ${task},`} was to change the code under test so that the failing tests pass, leaving tests and their configuration alone.`, 'Bring the files you were changing into a consistent state, undo what cannot be finished, and end with a short summary.']
  return joined([
    section('## CONVERGE NOW', [`The time for this turn is over and it was interrupted. You have about ${minutes} minute${minutes === 1 ? '' : 's'} left. Start nothing new.`]),
    restated.join('\n'),
    'Say plainly what is not done.',
  ])
}

const ANALYSIS_HEADINGS = ['## Root Cause Analysis', '## Fix Strategy', '## Modification Points', '(one per line: `file:function:lines` - what to change and why)', '## Expected Outcome']

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
  return section('## Context Package', [fenced(JSON.stringify(context, null, 2), 'json')])
}

function rolledBack(reason: string | undefined): string {
  if (reason === undefined) return ''
  return section('## Previous Fix Rolled Back', [
    'The last fix made things worse and was undone; the code is as it was before it. Say why it failed, and propose something else:',
    '',
    bounded(reason, 4_000, 'of the reason'),
  ])
}

function failuresSection(p: Common): string {
  const { run } = p
  if (run.kind === 'not_measured') {
    const whole = run.outputPath === undefined ? [] : ['', `The whole output is in ${run.outputPath}`]
    return section('## Failing Tests', ['The suite did not start or did not finish, so no test result can be trusted:', '', bounded(run.reason, 4_000, 'of the reason'), '', fenced(run.tail.slice(-4_000)), ...whole])
  }
  const shown = shownFailures(p)
  const more = run.failuresTotal - shown.length
  return section('## Failing Tests', [
    ...shown.flatMap(failureLines),
    ...(more > 0 ? [`… and ${more} more failing tests, not shown; the whole output is in ${run.outputPath}`] : []),
  ])
}

function shownFailures({ run, simplified }: Common): readonly TestFailure[] {
  return run.kind === 'measured' ? run.failures.slice(0, simplified === true ? SIMPLIFIED_FAILURES : FAILURES_SHOWN) : []
}

function failureLines({ test, file, error, missing }: TestFailure): string[] {
  const head = [`### ${oneLine(test)}`, `- **File**: ${file}`]
  if (missing === true) return [...head, '- **Error**: no longer run, or skipped; it ran before', '']
  return [...head, '- **Error**:', fenced(bounded(error, PROMPT_ERROR_SHOWN, 'of the error')), '']
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

function section(heading: string, lines: string[]): string {
  return [heading, '', ...lines].join('\n')
}

function joined(parts: string[]): string {
  return parts.map((p) => p.trim()).filter((p) => p !== '').join('\n\n')
}

function bounded(text: string, most: number, what: string): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters ${what} are left out]`
}

// A fence longer than any in the text, so that the text cannot end it.
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((m) => m[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
