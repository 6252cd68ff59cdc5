// failure-report.md: what is left when a session ends without its gate, and what a person can do
// about it. Every recommendation follows from a fact of the run.
import type { IterationSummary, RunResult } from '../../contract/result.js'
import { REVIEW_RATE } from '../test-fix/gate.js'
import { cell, code, LINE_SHOWN } from '../text/one-line.js'
import { fenced } from '../prompts/prompt-parts.js'
import { fixIdOf, percent, rateBefore, short, type RecordView } from './record-view.js'
import { isStuck } from '../test-results/stuck.js'
import { openChanges, patchFile } from '../test-fix/test-changes.js'
import { firstSentence, shortList } from '../text/short-text.js'
import { errorLine } from '../text/test-text.js'
import { isForPerson } from '../test-results/judge-fix.js'
import { rateOf } from '../test-results/pass-rate.js'

/** Failing tests that a report shows; all are in test-results.json. */
const SHOWN = 50
const REASON_SHOWN = 2_000
const POINTS = 5

/** Whether an outcome has a failure report: what ended by request has none. */
export function hasFailureReport(result: RunResult): boolean {
  return result.outcome === 'failed' || result.outcome === 'blocked'
}

export function failureReport(view: RecordView, result: RunResult): string {
  const { name, state, failures } = view
  return [
    `# Failure report: ${name}`,
    '',
    `- **Outcome**: ${result.outcome}`,
    `- **Final pass rate**: ${finalRate(view)}`,
    `- **Target**: 100%, or ${REVIEW_RATE}% with failures of low criticality only`,
    `- **CLI analysis quality**: ${analysisQuality(state.history)}`,
    ...(result.reason === null ? [] : [`- **Reason**: ${cell(result.reason, REASON_SHOWN)}`]),
    '',
    '## Remaining failures',
    '',
    ...remaining(view),
    '',
    ...proposedSection(view),
    '## Iteration history',
    '',
    ...historyLines(view),
    '',
    '## Attempted fixes',
    '',
    ...attempts(view),
    '',
    '## Recommendations for manual intervention',
    '',
    ...recommendations(view, result).map((text, n) => `${n + 1}. ${text}`),
    '',
    '## Where to look',
    '',
    `- What was kept: the branch \`${state.prepared.workspace.branch}\`, taken over with \`ratchet apply ${name}\``,
    '- Every failure: `.process/test-results.json`; the output of the tests: `.process/test-output.log`',
    '- Analyses and attempts: `.process/iteration-N-analysis.md`, `.process/fix-history.json`',
    ...(failures.length === 0
      ? []
      : ['- What each iteration tried: `.summaries/iteration-summaries/`']),
    '',
  ].join('\n')
}

/** "85% after 5 iterations". */
function finalRate({ state }: RecordView): string {
  return `${percent(rateOf(state.lastRun))} after ${count(state.iteration, 'iteration')}`
}

function analysisQuality(history: readonly IterationSummary[]): string {
  const degraded = history
    .filter((one) => one.analysis === 'degraded')
    .map((one) => String(one.iteration))
  return degraded.length === 0
    ? 'normal'
    : `degraded in iteration ${shortList(degraded, degraded.length, SHOWN)}`
}

function remaining({ state, failures }: RecordView): string[] {
  const run = state.lastRun
  if (run === undefined) return ['Nothing was measured.']
  if (run.kind !== 'measured')
    return [
      `Nothing was measured: ${cell(firstSentence(run.reason))}`,
      '',
      fenced(run.tail.trimEnd()),
    ]
  if (failures.length === 0) return ['None in the last full run.']
  const row = (one: RecordView['failures'][number]): string =>
    `| ${one.criticality}${one.source === undefined ? '' : ` (${one.source})`} | ${cell(`${one.file}${one.line === undefined ? '' : `:${one.line}`}`, LINE_SHOWN)} | ${cell(one.test, LINE_SHOWN)} | ${one.streak ?? '-'} | ${cell(errorLine(one.error), 200)} |`
  return [
    '| criticality | file | test | failed in a row | error |',
    '|---|---|---|---|---|',
    ...failures.slice(0, SHOWN).map(row),
    ...(failures.length > SHOWN
      ? ['', `and ${failures.length - SHOWN} more, in \`.process/test-results.json\``]
      : []),
  ]
}

function proposedSection({ name, state }: RecordView): string[] {
  const open = openChanges(state)
  if (open.length === 0) return []
  return [
    '## Proposed test changes',
    '',
    ...open.map(
      ({ file, why, number, agent }) =>
        `- ${code(file)}: ${cell(why, REASON_SHOWN)} (${cell(agent, LINE_SHOWN)}, \`${patchFile(number)}\`)`,
    ),
    '',
    `Ratchet applies exactly these patches with \`ratchet answer ${name} accept\`.`,
    '',
  ]
}

function historyLines({ state }: RecordView): string[] {
  const row = (one: IterationSummary): string =>
    `| ${one.iteration} | ${percent(one.passRate)} | ${one.result.replaceAll('_', ' ')} | ${one.strategy ?? '-'} | ${one.analysis ?? '-'} | ${cell(one.note ?? '', 500)} |`
  return [
    '| iteration | pass rate | result | strategy | analysis | note |',
    '|---|---|---|---|---|---|',
    ...state.history.map(row),
  ]
}

function attempts({ state, fixes }: RecordView): string[] {
  const tried = state.history.filter((one) => one.iteration > 0)
  if (tried.length === 0) return ['None.']
  return tried.flatMap((one) => {
    const details = fixes.get(fixIdOf(one))
    const points =
      details === undefined || details.points.length === 0
        ? []
        : [
            `  - Points: ${shortList(
              details.points.map((point) => code(point)),
              details.points.length,
              POINTS,
            )}`,
          ]
    const causes =
      details === undefined || details.rootCauses.length === 0
        ? []
        : [
            `  - Causes: ${shortList(
              details.rootCauses.map((cause) => cell(cause, LINE_SHOWN)),
              details.rootCauses.length,
              POINTS,
            )}`,
          ]
    const commit = one.commit === null ? 'no commit' : `commit \`${short(one.commit)}\``
    return [
      `- ${fixIdOf(one)}: ${percent(rateBefore(state.history, one.iteration))} -> ${percent(one.passRate)}, ${one.result.replaceAll('_', ' ')}, ${commit}`,
      ...causes,
      ...points,
    ]
  })
}

/** What a person can do, from what happened; never empty. */
export function recommendations(
  { name, state, failures, fixes }: RecordView,
  result: RunResult,
): string[] {
  const { history, lastRun } = state
  const idle = lastRun?.kind === 'measured' ? undefined : lastRun
  const stuck = failures.filter((one) => isStuck(one.streak))
  const high = failures.filter((one) => one.criticality === 'high' && !stuck.includes(one))
  const of = (wanted: IterationSummary['result']): IterationSummary[] =>
    history.filter((one) => one.result === wanted && one.iteration > 0)
  const [undone, empty] = [of('rolled_back'), of('no_change')]
  const degraded = history.filter((one) => one.analysis === 'degraded')
  const names = (tests: readonly { file: string; test: string }[]): string =>
    shortList(tests.map((one) => `${code(one.file)} ${cell(one.test, LINE_SHOWN)}`))
  const proposed = openChanges(state)
  const texts = [
    proposed.length > 0
      ? `Read the proposed change${proposed.length === 1 ? '' : 's'} of ${shortList(proposed.map(({ file }) => code(file)))}: if a test is wrong there, run \`ratchet answer ${name} accept\`.`
      : undefined,
    idle !== undefined && isForPerson(idle, state)
      ? `Correct how the tests run, as no agent can do that: ${cell(firstSentence(idle.reason))}`
      : undefined,
    idle !== undefined && !isForPerson(idle, state)
      ? `Make the suite start first: ${cell(firstSentence(idle.reason))} The end of its output is above.`
      : undefined,
    stuck.length > 0
      ? `Look at the stuck tests yourself, as no attempt changed them: ${names(stuck)}. If every attempt assumed the same cause, question the test and its set-up.`
      : undefined,
    high.length > 0 ? `Begin with the failures of high criticality: ${names(high)}.` : undefined,
    undone.length > 0
      ? `Read why ${shortList(undone.map(fixIdOf))} made things worse before trying the same again: ${shortList(
          undone.map(
            (one) =>
              `${fixIdOf(one)} went from ${percent(rateBefore(history, one.iteration))} to ${percent(one.passRate)}${pointsOf(fixes.get(fixIdOf(one))?.points)}`,
          ),
          undone.length,
          3,
        )}.`
      : undefined,
    degraded.length > 0
      ? `Check the agents of the role cli-planning-agent: the analysis of iteration ${shortList(degraded.map((one) => String(one.iteration)))} could not be used. \`ratchet doctor\` says what is configured.`
      : undefined,
    empty.length > 0 && proposed.length === 0
      ? `${shortList(empty.map(fixIdOf))} changed nothing: see in the transcripts whether the agent was allowed to write.`
      : undefined,
    state.progress === true
      ? `The last iteration repaired or moved a test: allow more iterations with \`ratchet fix --resume-session ${name} --max-iterations ${state.maxIterations + Math.max(1, state.iteration)}\`.`
      : undefined,
  ].filter((text) => text !== undefined)
  return texts.length > 0
    ? texts
    : [
        result.reason === null
          ? 'Read the test output in `.process/test-output.log`.'
          : `Repair what ended the run: ${cell(result.reason, REASON_SHOWN)}`,
      ]
}

function pointsOf(points: readonly string[] | undefined): string {
  return points === undefined || points.length === 0
    ? ''
    : ` at ${shortList(
        points.map((point) => code(point)),
        points.length,
        3,
      )}`
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
