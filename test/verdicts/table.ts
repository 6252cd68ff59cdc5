// The table of verdicts, for a terminal and for docs/verdicts.md.
import type { Verdict } from './judge.js'

const HEAD = [
  'repository',
  'mover',
  'verdict',
  'before',
  'after',
  'iterations',
  'kept, rolled back, restored',
  'expected',
  'ok',
]

/** The table of docs/verdicts.md: a line a verdict, without padding. */
export function docsTable(verdicts: readonly Verdict[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...verdicts.map(cells)]
  return `${rows.map((row) => `| ${row.slice(0, -2).join(' | ')} |`).join('\n')}\n\n${sums(verdicts)}\n`
}

/** One line a verdict for a terminal, then what is wrong with the wrong ones. */
export function table(verdicts: readonly Verdict[]): string {
  const rows = [HEAD, ...verdicts.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const wrong = verdicts.filter(({ problems }) => problems.length > 0)
  return [
    lines[0],
    rule,
    ...lines.slice(1),
    '',
    ...wrong.flatMap(({ row, problems, result }) => [
      `${row.repository.name}, ${row.mover.name}:`,
      ...problems.map((problem) => `  ${problem}`),
      `  reason: ${result?.reason ?? 'none'}`,
    ]),
    sums(verdicts),
    '',
  ].join('\n')
}

function sums(verdicts: readonly Verdict[]): string {
  const wrong = verdicts.filter(({ problems }) => problems.length > 0)
  const falseSuccesses = wrong.filter(({ problems }) =>
    problems.some((one) => one.startsWith('FALSE SUCCESS')),
  )
  return `${verdicts.length} verdicts, ${verdicts.length - wrong.length} right, ${wrong.length} wrong, ${falseSuccesses.length} false successes`
}

function cells({ row, expected, result, before, after, problems }: Verdict): string[] {
  const percent = (rate: number | undefined) => (rate === undefined ? '?' : `${rate} %`)
  return [
    row.repository.name,
    row.mover.name,
    verdictOf(result),
    percent(before),
    percent(after),
    String(result?.iterations ?? '?'),
    became(result),
    `${expected.outcome}${expected.outcome === 'partial_success' ? ', review' : ''}`,
    problems.length === 0 ? 'yes' : 'NO',
  ]
}

function verdictOf(result: Verdict['result']): string {
  return result === undefined ? '?' : `${result.outcome}${result.reviewNeeded ? ', review' : ''}`
}

function became(result: Verdict['result']): string {
  const iterations = result?.history.slice(1) ?? []
  const restored = iterations.some((one) => /restored/.test(one.note ?? ''))
    ? ['tests restored']
    : []
  return [...iterations.map((one) => one.result.replace('_', ' ')), ...restored].join(', ')
}
