// session-summary.md: how a session ended, with the pass rates and everything a reviewer must know.
import type { RunResult } from '../../contract/result.js'
import { cell, code, LINE_SHOWN, oneLine } from '../text/one-line.js'
import { percent, type RecordView } from './record-view.js'
import { unconfirmedLine } from '../test-results/best-line.js'
import { describeRun } from '../run/describe-run.js'
import { historyTable } from '../run/iteration-summary.js'
import { usageText } from '../run/run-usage.js'
import { shortList } from '../text/short-text.js'
import { errorLine } from '../text/test-text.js'

/** Failing tests and warnings that a summary shows; all are in test-results.json. */
const SHOWN = 50
/** Characters of a reason, of a note and of a warning. */
const REASON_SHOWN = 2_000

export function sessionSummary(view: RecordView, result: RunResult): string {
  const { name, state } = view
  const last = state.lastRun
  const doubt = unconfirmedLine(result)
  return [
    `# ${name}: ${result.outcome.replaceAll('_', ' ')}`,
    '',
    ...(result.reason === null ? [] : [oneLine(result.reason, REASON_SHOWN), '']),
    ...(result.reviewNeeded
      ? ['> **Review needed**: approved automatically with the notes below.', '']
      : []),
    `- **Tests**: ${last === undefined ? 'not run' : describeRun(last)}`,
    ...rates(view),
    ...(doubt === undefined ? [] : [`- **Canaries**: ${oneLine(doubt, REASON_SHOWN)}`]),
    `- **Iterations**: ${result.iterations} of ${state.maxIterations}${iterationCounts(view)}`,
    `- **Branch**: \`${state.prepared.workspace.branch}\`, taken over with \`ratchet apply ${name}\``,
    `- **Agents**: ${usageText(result.usage, 'turn')}`,
    '',
    ...historyTable(result.history, '/'),
    '',
    ...section(
      'Review notes',
      reviewNotes(view, result).map((text) => cell(text, REASON_SHOWN)),
    ),
    ...section('Failing tests', failing(view)),
    ...section(
      'Warnings',
      state.warnings.slice(0, SHOWN).map((text) => cell(text, REASON_SHOWN)),
    ),
  ].join('\n')
}

/** What a reviewer has to look at, one sentence each. */
export function reviewNotes(
  { state, failures }: Pick<RecordView, 'state' | 'failures'>,
  result: RunResult,
): string[] {
  const run = state.lastRun
  const low =
    result.outcome === 'partial_success' ? failures.filter((one) => one.criticality === 'low') : []
  const flaky =
    run?.kind === 'measured'
      ? [...new Set([...run.flakyTests, ...(run.comparison?.flakyTests ?? [])])]
      : []
  const degraded = state.history.filter((one) => one.analysis === 'degraded')
  return [
    ...(low.length === 0
      ? []
      : [
          `${low.length} failing ${low.length === 1 ? 'test was' : 'tests were'} approved as of low criticality: ${shortList(
            low.map(
              (one) =>
                `${one.file} > ${one.test}${one.source === undefined ? '' : ` (by ${one.source})`}`,
            ),
            low.length,
            SHOWN,
          )}`,
        ]),
    ...(flaky.length === 0
      ? []
      : [`passed only on re-run: ${shortList(flaky, flaky.length, SHOWN)}`]),
    ...(degraded.length === 0
      ? []
      : [
          `the analysis of iteration ${shortList(
            degraded.map((one) => String(one.iteration)),
            degraded.length,
            SHOWN,
          )} was degraded: no agent gave one that could be used`,
        ]),
    ...(state.review ?? []),
  ]
}

function rates({ state }: RecordView): string[] {
  const measured = state.history.filter(
    (one) => one.passRate !== null && one.result !== 'rolled_back',
  )
  const [first, last] = [measured[0], measured.at(-1)]
  if (first === undefined || last === undefined || first === last) return []
  const gain = Math.round(((last.passRate ?? 0) - (first.passRate ?? 0)) * 10) / 10
  return [
    `- **Pass rate**: ${percent(first.passRate)} -> ${percent(last.passRate)} (${gain < 0 ? '' : '+'}${gain} points)`,
  ]
}

function iterationCounts({ state }: RecordView): string {
  const of = (result: string): number => state.history.filter((one) => one.result === result).length
  const parts = [
    [of('kept'), 'kept'],
    [of('rolled_back'), 'rolled back'],
    [of('no_change'), 'without a change'],
  ].filter(([count]) => count !== 0)
  return parts.length === 0
    ? ''
    : ` (${parts.map(([count, what]) => `${count} ${what}`).join(', ')})`
}

function failing({ failures }: RecordView): string[] {
  const line = ({
    file,
    test,
    criticality,
    error,
    line: at,
  }: RecordView['failures'][number]): string =>
    `${code(`${file}${at === undefined ? '' : `:${at}`}`)} ${cell(test, LINE_SHOWN)} (${criticality}): ${cell(errorLine(error), LINE_SHOWN)}`
  return [
    ...failures.slice(0, SHOWN).map(line),
    ...(failures.length > SHOWN
      ? [`and ${failures.length - SHOWN} more, in \`.process/test-results.json\``]
      : []),
  ]
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, '', ...items.map((item) => `- ${item}`), '']
}
