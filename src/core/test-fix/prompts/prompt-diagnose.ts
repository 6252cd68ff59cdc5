// Asks the cli-planning-agent why tests fail and what to change, with a context package. Its answer
// ends in JSON, from which Ratchet writes the fix task.
import type { Diagnose } from '../../../contract/turn-input.js'
import { describeAttempt, type Attempt, type FailureFact } from '../failure-facts.js'
import { ANALYSIS_FORM, CAUSES_FORM } from '../../prompts/prompt-forms.js'
import {
  bullets,
  changeSection,
  fencedJson,
  joined,
  oneLine,
  section,
} from '../../prompts/prompt-parts.js'
import {
  ATTEMPTS_SHOWN,
  failuresSection,
  rolledBackSection,
  shownFailures,
  type PromptRun,
} from './prompt-run.js'
import { codeSection, type PromptCode } from './prompt-code.js'
import { repositoryMark } from '../../prompts/from-repository.js'
import { rolePart } from '../../prompts/role-part.js'
import { strategyWords } from './prompt-strategy.js'
import { lesson } from '../../records/archive-entry.js'
import type { EarlierLessons } from '../../records/earlier-lessons.js'
import type { KnownFix } from '../fix-history-match.js'

/** Characters of an error in the context package; the whole error stands below it. */
const PACKAGE_ERROR = 300
const PACKAGE_MESSAGES = 20
/** Most stuck tests that are named. */
const STUCK_NAMED = 20
/** Characters of the context package as JSON. */
export const PACKAGE_SHOWN = 80_000

/** Template by type of analysis, as the source's tools know them. */
const TEMPLATES: Record<Diagnose['analysisType'], string> = {
  'test-failure': '01-diagnose-bug-root-cause.txt',
  'regression-analysis': '01-trace-code-execution.txt',
}

export type DiagnoseFacts = {
  roleText: string
  session: string
  iteration: number
  maxIterations: number
  analysisType: Diagnose['analysisType']
  strategy: Diagnose['strategy']
  because: string
  /** Further independent causes are wanted. */
  several?: boolean | undefined
  stuckTests: readonly string[]
  rollbackReason?: string | undefined
  simplified: boolean
  /** A person wants another plan. */
  change?: Diagnose['change']
  run: PromptRun<FailureFact>
  testCommand: string
  attempts: readonly Attempt[]
  /** Files that the attempts are from, as far as the repository brings them. */
  attemptsFrom?: readonly string[]
  /** What earlier sessions learned about failures like these. */
  lessons?: EarlierLessons | undefined
  /** Agents of the role: the one that is asked, then those behind it. */
  chain: readonly string[]
  /** Model of the agent, where the configuration names one. */
  model?: string | undefined
  timeoutMs: number
  /** The code around the failures. */
  code?: PromptCode | undefined
}

export function diagnosePrompt(p: DiagnoseFacts): string {
  return joined([
    `**TASK EXECUTION: Analyze test failures and plan the fix, iteration ${p.iteration} of ${p.maxIterations}**`,
    rolePart(p.roleText, 'analysis'),
    section('## Context Package', [fencedJson(contextPackage(p), PACKAGE_SHOWN)]),
    section('## Strategy', [
      `**${p.strategy}**: ${oneLine(p.because)}`,
      '',
      strategyWords(p.strategy, 'analyse', p.several),
    ]),
    rolledBackSection(p.rollbackReason),
    stuckSection(p.stuckTests),
    failuresSection(p),
    ...(p.code === undefined ? [] : codeSection(p.code)),
    p.simplified ? '' : attemptsText(p.attempts, p.attemptsFrom),
    p.simplified ? '' : lessonsText(p.lessons),
    planBefore(p.change),
    changeSection(p.change?.words),
    section('## Your Task', [
      `1. ${p.code === undefined || p.code.shown.length === 0 ? 'Read the failing tests and the code they exercise.' : 'The failing tests and code that they exercise are above: read further files only for what is missing.'} Change no file; Ratchet runs the tests and writes the task files.`,
      '2. Find the root causes: one cause may explain several failures.',
      '3. Plan the fix after the strategy above. Each modification point names a file and a function or lines that exist.',
      '4. Say how critical each failing test is: high = security, core function, data loss, something that worked before; medium = edge cases, minor degradation; low = flaky, bound to the environment, known with a workaround.',
      '5. If a test itself is wrong or out of date, do not plan around it: propose its change in `proposed_test_changes`, as a unified diff with paths from the project. A person decides on it. Leave the field out otherwise.',
      '6. Answer in Markdown with these headings:',
      '',
      p.several === true ? CAUSES_FORM : ANALYSIS_FORM,
    ]),
  ])
}

/** The plan that a person did not approve, for a session that does not know it. */
function planBefore(change: DiagnoseFacts['change']): string {
  return change === undefined ? '' : section('## The Plan So Far', [oneLine(change.plan)])
}

function contextPackage(p: DiagnoseFacts): unknown {
  const { run } = p
  const failures = shownFailures(p)
  const messages = failures.map(({ error }) => firstLine(error)).filter((message) => message !== '')
  const failed = failures.map(({ test, file, error, line, criticality, test_type: type }) => ({
    test,
    file,
    error: error.slice(0, PACKAGE_ERROR),
    line,
    criticality,
    test_type: type,
  }))
  return {
    session_id: p.session,
    iteration: p.iteration,
    analysis_type: p.analysisType,
    failure_context: {
      failed_tests: failed,
      ...(run.kind === 'measured' && run.failuresTotal > failed.length
        ? { failed_tests_not_shown: run.failuresTotal - failed.length }
        : {}),
      error_messages:
        run.kind === 'measured'
          ? [...new Set(messages)].slice(0, PACKAGE_MESSAGES)
          : [firstLine(run.reason)],
      test_output: run.outputPath ?? null,
      pass_rate: run.kind === 'measured' ? run.passRate : null,
      ...(run.kind === 'measured' ? {} : { suite_started: false }),
      previous_attempts: p.simplified ? [] : p.attempts.slice(-ATTEMPTS_SHOWN),
      stuck_tests: p.stuckTests.slice(0, STUCK_NAMED),
    },
    cli_config: {
      tool: p.chain[0] ?? null,
      model: p.model,
      template: TEMPLATES[p.analysisType],
      timeout: p.timeoutMs,
      fallback: p.chain[1] ?? null,
    },
    task_config: {
      agent: '@test-fix-agent',
      type: 'test-fix-iteration',
      max_iterations: p.maxIterations,
      use_codex: false,
    },
    test_command: p.testCommand,
  }
}

/** Tests that no attempt has changed; empty where there are none. */
export function stuckSection(stuck: readonly string[]): string {
  if (stuck.length === 0) return ''
  return section('## Stuck Tests', [
    'These failed in at least three full runs in a row, despite every attempt:',
    '',
    ...bullets(stuck, STUCK_NAMED),
  ])
}

function attemptsText(attempts: readonly Attempt[], from: readonly string[] = []): string {
  if (attempts.length === 0) return ''
  const shown = attempts.slice(-ATTEMPTS_SHOWN)
  return section('## What Was Tried', [
    ...repositoryMark(from),
    ...(shown.length < attempts.length
      ? [`(${attempts.length - shown.length} earlier attempts are not shown)`]
      : []),
    ...shown.flatMap((a) => [
      `- ${describeAttempt(a)}`,
      ...a.fixes_attempted
        .slice(0, 5)
        .map((point) => `  - changed: ${oneLine(point).slice(0, 200)}`),
    ]),
    '',
    'Do not repeat what did not help. What was kept is in the code.',
  ])
}

function lessonsText({ worked, failed }: EarlierLessons = { worked: [], failed: [] }): string {
  if (worked.length + failed.length === 0) return ''
  const lines = (title: string, fixes: readonly KnownFix[]): string[] =>
    fixes.length === 0 ? [] : [title, ...fixes.map((fix) => `- ${fix.session}: ${lesson(fix)}`)]
  return section('## Earlier Sessions', [
    ...repositoryMark([...worked, ...failed].map(({ brought }) => brought)),
    'Failures like these were worked on before. It is a hint, not a diagnosis: check it against the code.',
    '',
    ...lines('What worked:', worked),
    ...lines('What did not:', failed),
  ])
}

function firstLine(text: string): string {
  return oneLine(text.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, PACKAGE_ERROR)
}
