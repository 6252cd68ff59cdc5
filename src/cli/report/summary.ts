// Renders a run in Markdown, for the summary page of a CI and for a comment.
import type { RunResult } from '../../contract/result.js'
import { isDone } from '../../core/run/done-outcomes.js'
import { plainLine } from '../../core/text/one-line.js'
import { errorLine } from '../../core/text/test-text.js'
import { historyTable } from '../../core/run/iteration-summary.js'
import { usageText } from '../../core/run/run-usage.js'
import { percentText } from '../../core/test-results/pass-rate.js'
import { oneLine, type FinalRun, type ReportedTest } from './final-run.js'

/** Limit of listed failing tests; CI pages take about a megabyte. */
const FAILURES_LISTED = 50
const ERROR_CHARS = 200

/** Returns the summary as Markdown, with a trailing newline. */
export function summaryMarkdown(result: RunResult, run: FinalRun): string {
  const { id, outcome, iterations, passRate, branch, commits, reason, usage, reviewNeeded } = result
  const facts = [
    `**Pass rate**: ${percentText(passRate)}${counted(run)}`,
    `**Iterations**: ${iterations}`,
    ...(reason === null
      ? []
      : [`**${reviewNeeded ? 'Review' : 'Reason'}**: ${plainLine(reason, Infinity)}`]),
    ...(branch === null
      ? []
      : [
          `**Branch**: ${code(branch)} (${commits.length} commit${commits.length === 1 ? '' : 's'})${commits.length === 0 ? '' : `, applied with ${code(`ratchet apply ${id}`)}`}`,
        ]),
    ...(usage.turns === 0 ? [] : [`**Agents**: ${usageText(usage, 'turn')}`]),
  ]
  return [
    `## ${signOf(outcome)} ${id}: ${outcome.replaceAll('_', ' ')}${reviewNeeded ? ', needs review' : ''}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    ...(result.history.length === 0 ? [] : [...historyTable(result.history, ' of '), '']),
    ...section(
      'Failing tests',
      run.tests.filter((one) => one.status === 'failed'),
      result.failuresTotal,
    ),
    ...section(
      'Passed only on re-run',
      run.tests.filter((one) => one.status === 'flaky'),
    ),
  ].join('\n')
}

// Covers every outcome, and open runs.
function signOf(outcome: string): string {
  if (outcome === 'partial_success' || outcome === 'completed_with_issues') return '⚠️'
  if (outcome === 'open') return '⏳'
  return isDone(outcome) ? '✅' : '❌'
}

function counted({ tests, whole }: FinalRun): string {
  if (!whole) return ''
  const of = (...statuses: ReportedTest['status'][]): number =>
    tests.filter((one) => statuses.includes(one.status)).length
  const skipped = of('skipped')
  return ` (${of('passed', 'flaky')} of ${tests.length - skipped}${skipped === 0 ? '' : `, ${skipped} skipped`})`
}

function section(title: string, tests: readonly ReportedTest[], total = tests.length): string[] {
  if (tests.length === 0) return []
  const more = Math.max(total, tests.length) - Math.min(tests.length, FAILURES_LISTED)
  const line = ({ file, test, error, criticality }: ReportedTest): string =>
    `- ${code(file)} ${code(test)}${criticality === undefined ? '' : ` (${criticality})`}${error === '' ? '' : `: ${code(oneLine(errorLine(error)).slice(0, ERROR_CHARS))}`}`
  return [
    `### ${title}`,
    '',
    ...tests.slice(0, FAILURES_LISTED).map(line),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
  ]
}

// Quotes any test name as text, with a fence longer than any run of backticks in it.
function code(text: string): string {
  const plain = oneLine(text)
  if (plain === '') return ''
  const fence = '`'.repeat(
    Math.max(0, ...[...plain.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1,
  )
  const pad = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${plain}${pad}${fence}`
}
