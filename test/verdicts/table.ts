// The table of verdicts, for a terminal and as it stands in docs/verdicts.md.
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

/** One line a verdict; what is wrong stands below. */
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
    `${verdicts.length} verdicts, ${verdicts.length - wrong.length} right, ${wrong.length} wrong, ${wrong.filter(({ problems }) => problems.some((one) => one.startsWith('FALSE SUCCESS'))).length} false successes`,
    '',
  ].join('\n')
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
