// Renders a report in Markdown for a pull request or a chat: the summary of a run, its fixes, its
// agents. The HTML report has more.
import { cell, plainLine } from '../../core/text/one-line.js'
import { verdictOf } from '../../core/report/iterations.js'
import type { Report } from '../../core/report/model.js'
import { duration, many, money, rate, tokensIn, waitNote, whole } from './html/format.js'
import type { FinalRun } from './final-run.js'
import { summaryMarkdown } from './summary.js'
import { resultOf } from './report-result.js'

const ITEMS = 50

/** Returns the report as Markdown, with a trailing newline. */
export function reportMarkdown(report: Report, run: FinalRun): string {
  const {
    headline,
    waitingFor,
    iterations,
    kind,
    usageByAgent,
    perGainedTest,
    notes,
    warnings,
    next,
    cycle,
    loop,
  } = report
  return (
    [
      `**${plainLine(headline)}**`,
      '',
      ...(waitingFor === undefined ? [] : [`Now: ${plainLine(waitingFor)}`, '']),
      summaryMarkdown(resultOf(report), run).trimEnd(),
      '',
      ...list(
        'Changes',
        iterations.filter((one) => one.iteration > 0),
        (one) =>
          `${one.iteration}. ${plainLine(one.title)}: ${verdictOf(one, kind)}${one.passRate === null ? '' : `, ${rate(one.passRate)}`}${one.claimed === undefined || one.claimed === one.passRate ? '' : ` (claimed ${rate(one.claimed)})`}${one.patch?.state === 'known' ? `, ${many(one.patch.files.length, 'file')}` : ''}`,
      ),
      ...list('Open issues', cycle?.openIssues ?? [], (text) => `- ${plainLine(text)}`),
      ...list(
        'Tasks',
        loop?.tasks ?? [],
        (task) =>
          `- ${plainLine(task.id)} ${plainLine(task.description)}: ${task.status.replaceAll('_', ' ')}`,
      ),
      ...list(
        'Conflicts',
        loop?.conflicts ?? [],
        (one) =>
          `- ${plainLine(one.file)}: ${one.workers.join(', ')}${one.chosen === undefined ? '' : `, taken from ${one.chosen}`}`,
      ),
      ...(usageByAgent.length === 0
        ? []
        : [
            '### Agents',
            '',
            '| agent | turns | worked | tokens in | tokens out | cost |',
            '|---|--:|--:|--:|--:|--:|',
            ...usageByAgent.map(
              (row) =>
                `| ${cell(plainLine(row.name))} | ${row.turns} | ${duration(row.workedMs)}${waitNote(row) === '' ? '' : `, ${waitNote(row)}`} | ${tokensIn(row)} | ${whole(row.outputTokens)} | ${money(row.costUsd)} |`,
            ),
            '',
          ]),
      ...(perGainedTest === undefined
        ? []
        : [
            `For each of the ${many(perGainedTest.tests, 'test')} that pass since: ${whole(perGainedTest.tokens)} tokens${perGainedTest.costUsd === undefined ? '' : `, ${money(perGainedTest.costUsd)}`}`,
            '',
          ]),
      ...list('What to do now', next, ({ what, command }) => `- ${what}: \`${command}\``),
      ...list('Warnings', warnings, (text) => `- ${plainLine(text)}`),
      ...list('Notes', notes, (text) => `- ${plainLine(text)}`),
    ]
      .join('\n')
      .trimEnd() + '\n'
  )
}

function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  if (items.length === 0) return []
  return [
    `### ${title}`,
    '',
    ...items.slice(0, ITEMS).map(line),
    ...(items.length > ITEMS ? [`- and ${items.length - ITEMS} more`] : []),
    '',
  ]
}
