// Summaries below `.summaries/`: one for each task that is over, one for each iteration.
import type { IterationSummary } from '../../contract/result.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { cell, LINE_SHOWN, oneLine } from '../text/one-line.js'
import { isFixOrRetest } from '../test-fix/queue.js'
import { comparedOf, fixIdOf, percent, rateBefore, short, type RecordView } from './record-view.js'
import { fixStatus } from './todo-list.js'

/** Points, causes and tests that a summary names. */
const LISTED = 20

/** Texts of `.summaries/`, by name. `latest` names the one that task-summary.md repeats. */
export function taskSummaries(view: RecordView): {
  files: Map<string, string>
  latest: string | undefined
} {
  const files = new Map<string, string>()
  const { history, queue = [] } = view.state
  for (const task of queue)
    if (!isFixOrRetest(task) && (task.status === 'completed' || task.status === 'blocked'))
      files.set(`${task.id}-summary.md`, taskSummary(view, task))
  const fixes = history.filter((one) => one.iteration > 0)
  for (const one of fixes) files.set(`${fixIdOf(one)}-summary.md`, fixSummary(view, one))
  for (const one of history)
    files.set(`iteration-summaries/iteration-${one.iteration}.md`, iterationSummary(view, one))
  return { files, latest: latestTask(view, fixes, queue) }
}

// The end of a run closes its test tasks; before that the last fix is what happened last.
function latestTask(
  { result }: RecordView,
  fixes: readonly IterationSummary[],
  queue: readonly TaskEntry[],
): string | undefined {
  const closed = queue
    .filter(
      (task) => !isFixOrRetest(task) && (task.status === 'completed' || task.status === 'blocked'),
    )
    .at(-1)
  const fix = fixes.at(-1)
  if (fix === undefined || (result !== undefined && closed !== undefined))
    return closed === undefined ? undefined : `${closed.id}-summary.md`
  return `${fixIdOf(fix)}-summary.md`
}

function taskSummary({ state }: RecordView, task: TaskEntry): string {
  const own = state.history.filter((one) => one.iteration > 0 && one.parent === task.id)
  const first = state.history[0]
  const last = state.history.at(-1)
  const rates =
    task.type === 'test-fix' && first !== undefined && last !== undefined
      ? [`- **Pass rate**: ${percent(first.passRate)} -> ${percent(last.passRate)}`]
      : []
  return page(`${task.id}: ${oneLine(task.title, LINE_SHOWN)}`, [
    `- **Status**: ${task.status.replaceAll('_', ' ')}`,
    `- **Type**: ${task.type}`,
    `- **Agent**: @${task.role}`,
    task.type === 'test-fix'
      ? `- **Iterations**: ${own.length}`
      : `- **Attempts**: ${task.attempts}`,
    ...rates,
    ...(own.length === 0
      ? []
      : [
          '',
          '## Iterations',
          '',
          ...own.map(
            (one) =>
              `- ${one.iteration}: ${fixIdOf(one)}, ${one.result.replaceAll('_', ' ')}, ${percent(one.passRate)}`,
          ),
        ]),
  ])
}

function fixSummary(view: RecordView, one: IterationSummary): string {
  const details = view.fixes.get(fixIdOf(one))
  return page(
    `${fixIdOf(one)}: ${details === undefined ? 'test fix' : cell(details.approach, 100)}`,
    [
      `- **Status**: ${fixStatus(one.result).replaceAll('_', ' ')}`,
      ...facts(view, one),
      ...listed('Modification points', details?.points ?? []),
      ...listed('Root causes', details?.rootCauses ?? []),
    ],
  )
}

function iterationSummary(view: RecordView, one: IterationSummary): string {
  if (one.iteration === 0)
    return page('Iteration 0: initial test run', [`- **Pass rate**: ${rate(one)}`, ...noteOf(one)])
  const details = view.fixes.get(fixIdOf(one))
  const file =
    one.task === undefined
      ? []
      : ['', `Analysis: \`.process/iteration-${one.iteration}-analysis.md\``]
  return page(`Iteration ${one.iteration}: ${one.result.replaceAll('_', ' ')}`, [
    `- **Fix task**: ${fixIdOf(one)}`,
    ...facts(view, one),
    ...changed(view, one),
    ...(one.startedAt === undefined || one.completedAt === undefined
      ? []
      : [`- **Time**: ${view.time(one.startedAt)} to ${view.time(one.completedAt)}`]),
    ...(details === undefined || details.approach === ''
      ? []
      : ['', '## Approach', '', details.approach]),
    ...listed('Modification points', details?.points ?? []),
    ...listed(
      'Failing before',
      (details?.failures ?? []).map(({ file: where, test }) =>
        where === '' ? test : `${where} > ${test}`,
      ),
    ),
    ...file,
  ])
}

function facts({ state }: RecordView, one: IterationSummary): string[] {
  const { levels } = one
  return [
    `- **Result**: ${one.result.replaceAll('_', ' ')}`,
    `- **Pass rate**: ${percent(rateBefore(state.history, one.iteration))} -> ${rate(one)}`,
    ...(one.strategy === undefined ? [] : [`- **Strategy**: ${one.strategy}`]),
    ...(one.analysis === undefined ? [] : [`- **Analysis**: ${one.analysis}`]),
    ...(levels === undefined
      ? []
      : [
          `- **Failures**: ${levels.high} high, ${levels.medium} medium, ${levels.low} low${one.stuck === undefined || one.stuck === 0 ? '' : `; ${one.stuck} stuck`}`,
        ]),
    `- **Commit**: ${one.commit === null ? 'none' : `\`${short(one.commit)}\``}`,
    `- **Agent turns**: ${one.turns}`,
    ...noteOf(one),
  ]
}

function changed(view: RecordView, one: IterationSummary): string[] {
  const compared = comparedOf(view, one)
  if (compared === undefined) return []
  const { new_failures: count, affected_first: affected } = compared
  return [
    `- **New failures**: ${count === 0 ? 'none' : `${count}, passed before this fix`}`,
    ...(affected === undefined
      ? []
      : [`- **Affected tests, run first**: ${affected.passed} of ${affected.total} passed`]),
  ]
}

function noteOf({ note }: IterationSummary): string[] {
  return note === undefined ? [] : [`- **Note**: ${cell(note)}`]
}

function rate(one: IterationSummary): string {
  return one.passRate === null
    ? 'not measured'
    : `${percent(one.passRate)} (${one.passed} of ${one.total})`
}

function listed(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const more = items.length > LISTED ? [`- and ${items.length - LISTED} more`] : []
  return [
    '',
    `## ${title}`,
    '',
    ...items.slice(0, LISTED).map((item) => `- ${cell(item, LINE_SHOWN)}`),
    ...more,
  ]
}

function page(title: string, lines: readonly string[]): string {
  return [`# ${title}`, '', ...lines, ''].join('\n')
}
