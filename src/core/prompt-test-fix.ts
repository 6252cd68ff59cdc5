// The human-readable part of the test-fix cycle's prompts. The headings are 004's; the words are ours.
// Everything that grows with the project is bounded here, and what is left out is said.
// Source: 004 "Agent Invocation Pattern", "Agent Prompt Template", "Agent Context Package".
import { FAILURES_SHOWN } from '../contract/test-run.js'
import type { TestFailure } from '../contract/test-run.js'

/** Longest analysis, in characters, that is passed on to the fix agent. */
export const ANALYSIS_SHOWN = 60_000
/** Longest error text per failure, in characters. */
export const PROMPT_ERROR_SHOWN = 2_000
/** Most earlier attempts shown, the newest. */
export const ATTEMPTS_SHOWN = 20

/** What an earlier iteration did, newest last. Rates in percent; `null` where the suite did not start. */
export type PreviousAttempt = {
  iteration: number
  result: string
  passRateBefore: number | null
  passRateAfter: number | null
  note?: string | undefined
}

/** The full run that is to be mended. */
export type FailedRun = {
  passRate: number | null
  passed: number
  total: number
  failures: readonly TestFailure[]
  failuresTotal: number
  /** Set where the suite did not start: then there are no failing tests to list. */
  notStarted?: { reason: string; tail: string } | undefined
}

type Common = {
  roleText: string
  iteration: number
  maxIterations: number
  run: FailedRun
  testCommand: string
  /** File with the whole output of that run; may lie outside what a sandboxed agent can read. */
  outputPath: string
  previousAttempts: readonly PreviousAttempt[]
}

/** Why the last fix was undone. */
type Rollback = { rollbackReason?: string | undefined }

/** Asks the cli-planning-agent what is wrong and what to change. Its answer, as text, goes to the fix agent. */
export function analysisPrompt(p: Common & Rollback): string {
  return joined([
    `**TASK EXECUTION: Analyze test failures, iteration ${p.iteration} of ${p.maxIterations}**`,
    p.roleText,
    contextPackage(p, p.rollbackReason === undefined ? 'test-failure' : 'regression-analysis'),
    rolledBack(p.rollbackReason),
    failuresSection(p.run, p.outputPath),
    attemptsSection(p.previousAttempts),
    section('## Your Task', [
      '1. Read the failing tests and the code they exercise. Change no file.',
      '2. Find the root causes: one cause may explain several failures.',
      '3. Decide on the smallest change of the code under test that removes them.',
      '4. Answer in Markdown with these headings:',
      '',
      '## Root Cause Analysis',
      '## Fix Strategy',
      '## Modification Points',
      '(one per line: `file:function:lines` - what to change and why)',
      '## Expected Outcome',
    ]),
  ])
}

/** Asks the test-fix-agent to carry out the analysis of this iteration. */
export function fixPrompt(p: Common & { analysis: string }): string {
  return joined([
    `**TASK EXECUTION: IMPL-fix-${p.iteration}: fix the failing tests, iteration ${p.iteration} of ${p.maxIterations}**`,
    p.roleText,
    section('## Task Context', [`**ID**: IMPL-fix-${p.iteration}`, '**Type**: test-fix-iteration', '**Agent**: test-fix-agent']),
    contextPackage(p, 'test-fix-iteration'),
    section('## Fix Strategy', [
      'The analysis of this iteration, by another agent. It may be wrong: check it against the code before you follow it.',
      '',
      bounded(p.analysis.trim() === '' ? '(The analysis gave no text. Find the cause yourself.)' : p.analysis, ANALYSIS_SHOWN, 'of the analysis'),
    ]),
    failuresSection(p.run, p.outputPath),
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

function contextPackage(p: Common, type: string): string {
  const context = {
    iteration: p.iteration,
    max_iterations: p.maxIterations,
    analysis_type: type,
    failure_context: {
      pass_rate: p.run.passRate,
      passed: p.run.passed,
      total: p.run.total,
      failed_total: p.run.failuresTotal,
      failed_tests: p.run.failures.slice(0, FAILURES_SHOWN).map(({ test, file }) => ({ test, file })),
      suite_started: p.run.notStarted === undefined,
    },
    test_context: { test_command: p.testCommand, test_output: p.outputPath },
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

function failuresSection(run: FailedRun, outputPath: string): string {
  if (run.notStarted !== undefined) {
    const { reason, tail } = run.notStarted
    return section('## Failing Tests', ['The suite did not start or did not finish, so no test result can be trusted:', '', reason, '', fenced(tail.slice(-4_000))])
  }
  const shown = run.failures.slice(0, FAILURES_SHOWN)
  const lines = shown.flatMap((f) => [`### ${oneLine(f.test)}`, `- **File**: ${f.file}`, f.missing ? '- **Error**: no longer run or skipped; it ran before' : '- **Error**:', ...(f.missing ? [] : [fenced(bounded(f.error, PROMPT_ERROR_SHOWN, 'of the error'))]), ''])
  const more = run.failuresTotal - shown.length
  return section('## Failing Tests', [...lines, ...(more > 0 ? [`… and ${more} more failing tests, not shown; the whole output is in ${outputPath}`] : [])])
}

function attemptsSection(attempts: readonly PreviousAttempt[]): string {
  if (attempts.length === 0) return ''
  const shown = attempts.slice(-ATTEMPTS_SHOWN)
  const rate = (value: number | null) => (value === null ? 'not measured' : `${value} %`)
  return section('## Iteration History', [
    ...(shown.length < attempts.length ? [`(${attempts.length - shown.length} earlier attempts are not shown)`] : []),
    ...shown.map((a) => `- Iteration ${a.iteration}: ${a.result}, ${rate(a.passRateBefore)} -> ${rate(a.passRateAfter)}${a.note ? `: ${oneLine(a.note).slice(0, 500)}` : ''}`),
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
