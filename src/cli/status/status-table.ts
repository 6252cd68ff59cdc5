// Renders the list of runs as a table that fits the terminal. The least important columns are
// dropped first; if the rest is still too wide, each run gets its own lines.
import Table from 'cli-table3'
import type { createColors } from 'picocolors'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { oneLine } from '../../core/text/one-line.js'
import { percentText } from '../../core/test-results/pass-rate.js'

/** `project` is the name of the project if runs of several are listed, else empty. */
export type Row = {
  id: string
  kind: string
  project: string
  status: string
  phase: string
  iteration: number
  passRate: number | null
  waitingFor: string
  when?: { word: 'since' | 'ended'; at: string }
}

type Colors = ReturnType<typeof createColors>
type Column = { title: string; cells: string[]; tint?: (row: Row, text: string) => string }

/** Minimum width of the last column, what a run waits for. */
const LEAST = 20
const GAP = 2
/** Columns that are dropped, more of them the narrower the terminal is. */
const DROPPED = [[], ['iter'], ['iter', 'tests']]
export const NO_BORDERS = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
    'middle',
  ].map((name) => [name, '']),
)

/**
 * Returns the rows as lines of at most `columns` characters.
 *
 * @param rows `waitingFor` is empty if the run waits for nothing
 */
export function statusTable(rows: readonly Row[], columns: number, colors: Colors): string[] {
  const width = columns - 1
  const waiting = rows.some(({ waitingFor }) => waitingFor !== '')
  const all = columnsOf(rows, colors)
  const restOf = (some: readonly Column[]): number =>
    width - some.reduce((sum, column) => sum + widthOf(column), 0)
  // The gap of the last column is trimmed.
  const shown = DROPPED.map((dropped) => all.filter(({ title }) => !dropped.includes(title))).find(
    (some) => restOf(some) >= (waiting ? LEAST : -GAP),
  )
  if (shown === undefined) return rows.flatMap((row) => stacked(row, width, colors, all))
  const head = [...shown.map(({ title }) => title), ...(waiting ? ['waits for'] : [])]
  const colWidths = [...shown.map(widthOf), ...(waiting ? [restOf(shown) + GAP] : [])]
  const table = new Table({
    head: head.map((title) => colors.dim(title)),
    colWidths,
    wordWrap: true,
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
  })
  for (const [n, row] of rows.entries())
    table.push([
      ...shown.map(({ cells, tint = (_, text) => text }) => tint(row, cells[n] ?? '')),
      ...(waiting ? [waits(row, colors, shown)] : []),
    ])
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

function columnsOf(rows: readonly Row[], colors: Colors): Column[] {
  const words = new Set(rows.flatMap(({ when }) => when?.word ?? []))
  const [only] = words.size === 1 ? words : []
  return [
    { title: 'run', cells: rows.map(({ id }) => id), tint: (_, text) => colors.bold(text) },
    ...(rows.some(({ project }) => project !== '')
      ? [{ title: 'project', cells: rows.map(({ project }) => project || '-') }]
      : []),
    { title: 'state', cells: rows.map(stateOf), tint: (row, text) => tinted(row, text, colors) },
    {
      title: 'iter',
      cells: rows.map(({ kind, iteration }) => (kind === 'prep' ? '-' : String(iteration))),
    },
    {
      title: 'tests',
      cells: rows.map(({ passRate }) => (passRate === null ? '-' : percentText(passRate))),
    },
    ...(words.size === 0
      ? []
      : [
          {
            title: only ?? 'when',
            cells: rows.map(({ when }) =>
              when === undefined ? '-' : only === undefined ? `${when.word} ${when.at}` : when.at,
            ),
          },
        ]),
  ]
}

const widthOf = ({ title, cells }: Column): number =>
  Math.max(title.length, ...cells.map((cell) => stringWidth(cell))) + GAP

function stacked(row: Row, width: number, colors: Colors, all: readonly Column[]): string[] {
  const { id, kind, iteration, passRate, when, project, waitingFor } = row
  const wrap = (text: string): string[] =>
    wrapAnsi(text, Math.max(1, width - 2), { hard: true })
      .split('\n')
      .map((line) => `  ${line}`)
  const facts = [
    tinted(row, stateOf(row), colors),
    ...(kind === 'prep' ? [] : [`iteration ${iteration}`]),
    ...(passRate === null ? [] : [percentText(passRate)]),
    ...(when === undefined ? [] : [`${when.word} ${when.at}`]),
    ...(project === '' ? [] : [`in ${project}`]),
  ].join(', ')
  return [
    ...wrapAnsi(colors.bold(id), width, { hard: true }).split('\n'),
    ...wrap(facts),
    ...(waitingFor === '' ? [] : wrap(waits(row, colors, all))),
  ]
}

// For a run at work, its phase says more than its status.
function stateOf({ status, phase }: Row): string {
  const words =
    (status === 'running' && phase !== '') || phase.startsWith(status) ? [phase] : [status, phase]
  return words.join(' ').trim().replaceAll('_', ' ')
}

function tinted({ status }: Row, text: string, colors: Colors): string {
  if (status === 'failed') return colors.red(text)
  return status === 'completed'
    ? colors.green(text)
    : status === 'paused'
      ? colors.yellow(text)
      : text
}

function waits({ waitingFor }: Row, colors: Colors, shown: readonly Column[]): string {
  const line = oneLine(waitingFor)
  const text = shown.some(({ title }) => title === 'iter')
    ? line.replace(/, iteration \d+$/, '')
    : line
  return /^(person|paused|missing variable)\b/.test(text) ? colors.yellow(text) : text
}
