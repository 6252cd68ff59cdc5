// Renders the live region of a followed run as lines: its progress, agents at work, what it waits
// for, its usage. Pure: the same look at the same width gives the same lines. They fit the width
// and the height of the terminal, as a region that scrolls cannot be redrawn.
import cliTruncate from 'cli-truncate'
import type { createColors } from 'picocolors'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { BUDGET_PARTS, type BudgetPart } from '../../contract/budget.js'
import type { Question } from '../../contract/question.js'
import type { StatusReply } from '../../contract/result.js'
import { spentOf } from '../../core/agents/budget.js'
import { durationText } from '../../core/text/duration-text.js'
import { dollars } from '../../core/text/money.js'
import { shortList } from '../../core/text/short-text.js'
import { oneLine } from '../../core/text/one-line.js'
import { percentText } from '../../core/test-results/pass-rate.js'
import { iterationNow } from '../output/run-lines.js'
import type { AtWork, Spent } from './model.js'

/** Everything that is shown. `now`, `startedAt`: epoch milliseconds. */
export type Shown = {
  status: StatusReply
  waitingFor: string
  atWork: readonly AtWork[]
  questions: readonly Question[]
  spent?: Spent
  startedAt?: number
  /** Shown instead of what the run waits for, while it cannot be asked. */
  away?: string
}

export type Look = {
  columns: number
  rows: number
  colors: ReturnType<typeof createColors>
  unicode: boolean
}

/** Columns of a label, and the width from which an agent has one line instead of two. */
const LABEL = 9
const WIDE = 72
const RATES = 8
/** Share of a budget from which it is marked. */
const NEARLY = 0.9
const MARKS = {
  true: { dot: '·', to: '→', rule: '─', cut: '…', work: '●' },
  false: { dot: '-', to: '->', rule: '-', cut: '...', work: '*' },
}
const KINDS = {
  'test-fix': 'test-fix',
  'dev-cycle': 'cycle',
  'dev-loop': 'loop',
  prep: 'prep',
} as const

/** Returns the lines of the region, without line ends. */
export function liveLines(shown: Shown, look: Look, now: number): string[] {
  // The last column stays free: some terminals break a line that fills it.
  const width = Math.max(10, look.columns - 1)
  const head = [ruled(shown, width, look), ...headLines(shown, width, look, now)]
  const tail = [
    ...proposedLines(shown, width, look),
    ...waitingLines(shown, width, look, now),
    ...spentLines(shown, width, look),
    hint(width, look),
  ]
  const room = look.rows - 1 - head.length - tail.length
  return [...head, ...agentLines(shown.atWork, width, look, Math.max(1, room)), ...tail]
    .slice(0, Math.max(1, look.rows - 1))
    .map((line) => plain(line, look))
}

function ruled({ status }: Shown, width: number, { colors, unicode }: Look): string {
  const name = cut(`${mark(unicode).rule}${mark(unicode).rule} ${status.id} `, width, unicode)
  return colors.dim(`${name}${mark(unicode).rule.repeat(Math.max(0, width - stringWidth(name)))}`)
}

function headLines(
  { status, startedAt }: Shown,
  width: number,
  { colors, unicode }: Look,
  now: number,
): string[] {
  const { dot } = mark(unicode)
  const n = Math.min(iterationNow(status), Math.max(status.iteration, status.maxIterations))
  // A loop knows its limit once it is prepared.
  const isBaseline = n === 0 && (status.kind !== 'dev-loop' || status.maxIterations === 0)
  const iteration = isBaseline ? 'baseline' : `iteration ${n} of ${status.maxIterations}`
  const elapsed = startedAt === undefined ? [] : [durationText(now - startedAt)]
  const parts = [
    colors.bold(KINDS[status.kind]),
    ...(status.kind === 'prep' ? [] : [iteration]),
    ...(status.passRate === null ? [] : [rated(status.passRate, colors)]),
    colors.cyan(status.phase.replaceAll('_', ' ')),
    ...elapsed,
  ]
  const rates = status.history
    .flatMap(({ passRate, result }) =>
      passRate === null ? [] : [rateOf(passRate, result, colors)],
    )
    .slice(-RATES)
  return [
    ...inRows(parts, ` ${dot} `, width),
    ...(rates.length < 2
      ? []
      : labelled('rates', rates.join(` ${mark(unicode).to} `) + ' %', width, colors)),
  ]
}

// The rate of a rolled back iteration is in brackets: the run continues from the rate before it.
function rateOf(rate: number, result: string, colors: Look['colors']): string {
  const text = percentText(rate).replace(' %', '')
  return result === 'rolled_back' ? colors.dim(`(${text})`) : text
}

function agentLines(
  atWork: readonly AtWork[],
  width: number,
  { colors, unicode }: Look,
  room: number,
): string[] {
  const [whoWidth, agentWidth] = [
    Math.max(0, ...atWork.map(({ who }) => stringWidth(who))),
    Math.max(0, ...atWork.map(({ agent = '' }) => stringWidth(agent))),
  ]
  const rows = atWork.map(({ who, agent = '', doing, elapsedMs, tokens }): string[] => {
    const time = durationText(elapsedMs).padStart(7)
    const said = tokens === undefined ? '' : `~${count(tokens)} tokens`
    const work = colors.green(mark(unicode).work)
    if (width >= WIDE) {
      const left = `${work} ${colors.bold(pad(who, whoWidth))}${agentWidth === 0 ? '' : `  ${colors.dim(pad(agent, agentWidth))}`}  ${time}  `
      const right = said === '' ? '' : `  ${said}`
      const room = width - stringWidth(left) - stringWidth(right)
      return [
        cut(`${left}${cut(doing, Math.max(8, room), unicode)}${colors.dim(right)}`, width, unicode),
      ]
    }
    const first = `${work} ${colors.bold(who)}${agent === '' || agent === who ? '' : ` ${colors.dim(agent)}`}`
    const end = ` ${durationText(elapsedMs)}`
    return [
      `${cut(first, width - stringWidth(end), unicode)}${end}`,
      ...(doing === '' ? [] : [cut(`  ${doing}`, width, unicode)]),
    ]
  })
  // If not all fit: one line each, then a count of the rest.
  const [all, short] = [rows.flat(), rows.map(([first]) => first ?? '')]
  if (all.length <= room) return all
  return short.length <= room
    ? short
    : [
        ...short.slice(0, Math.max(0, room - 1)),
        colors.dim(`  and ${short.length - Math.max(0, room - 1)} more at work`),
      ]
}

function proposedLines(
  { status: { proposedTestChanges = [] } }: Shown,
  width: number,
  { colors }: Look,
): string[] {
  const open = proposedTestChanges.filter(({ answer }) => answer === undefined)
  return open.length === 0
    ? []
    : labelled(
        'proposed',
        `a change of ${shortList(open.map(({ file }) => oneLine(file)))}`,
        width,
        colors,
      )
}

function waitingLines(
  { status, waitingFor, questions, away, atWork }: Shown,
  width: number,
  { colors }: Look,
  now: number,
): string[] {
  if (away !== undefined) return labelled('waiting', colors.yellow(away), width, colors)
  const [asked] = questions
  if (waitingFor === '') return []
  // Agents at work are listed above.
  if (
    asked === undefined &&
    atWork.length > 0 &&
    /^(agents?|tests|host|workspace)\b:?/.test(waitingFor) &&
    !/\b(fail|wait|then it)/.test(waitingFor)
  )
    return []
  const person = asked !== undefined || /^(person|paused|missing variable)\b/.test(waitingFor)
  const until = asked === undefined ? namedTime(status.waitingFor) : asked.deadline
  const text = `${oneLine(waitingFor)}${until === undefined || until <= now ? '' : `  (in ${durationText(until - now)})`}`
  return [
    ...labelled('waiting', person ? colors.yellow(text) : text, width, colors),
    ...(asked === undefined
      ? []
      : labelled(
          'answer',
          `ratchet answer ${status.id}${questions.length > 1 ? ` (${questions.length} questions are open)` : ''}`,
          width,
          colors,
        )),
  ]
}

function spentLines({ spent }: Shown, width: number, { colors, unicode }: Look): string[] {
  const text = spent === undefined ? '' : spentText(spent, { colors, unicode })
  return text === '' ? [] : labelled('spent', text, width, colors)
}

/** Returns the usage, with the budget; empty if there is neither. */
export function spentText(
  { usage, budget = {} }: Spent,
  { colors, unicode }: Pick<Look, 'colors' | 'unicode'>,
): string {
  if (usage.turns === 0 && Object.keys(budget).length === 0) return ''
  const amounts = spentOf(usage)
  const parts = BUDGET_PARTS.flatMap((part) => {
    const limit = budget[part]
    if (
      limit === undefined &&
      (part === 'minutes' || (part === 'costUsd' && usage.costUsd === undefined))
    )
      return []
    const text = `${amount(part, amounts[part])}${limit === undefined ? '' : ` of ${amount(part, limit)}`}${part === 'turns' && (limit ?? amounts.turns) === 1 ? ' turn' : UNITS[part]}`
    return [limit !== undefined && amounts[part] >= limit * NEARLY ? colors.yellow(text) : text]
  })
  return `${parts.join(` ${mark(unicode).dot} `)}${usage.estimated ? ' (estimated)' : ''}`
}

function hint(width: number, { colors, unicode }: Look): string {
  return colors.dim(cut('Ctrl-C leaves, the run continues', width, unicode))
}

/** Returns a label and a text that wraps below itself. */
export function labelled(
  label: string,
  text: string,
  width: number,
  colors: Look['colors'],
  labelWidth = LABEL,
): string[] {
  return wrapAnsi(text, Math.max(1, width - labelWidth), { hard: true })
    .split('\n')
    .map(
      (line, n) =>
        `${n === 0 ? colors.dim(label.padEnd(labelWidth)) : ' '.repeat(labelWidth)}${line}`,
    )
}

/** Returns `850`, `12.3k` or `1.2M`. */
export function count(n: number): string {
  if (n < 1_000) return String(Math.round(n))
  return n < 999_500 ? `${(n / 1_000).toFixed(n < 99_950 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`
}

// Joins parts of a line; splits them into rows if they do not fit.
function inRows(parts: readonly string[], between: string, width: number): string[] {
  const rows: string[] = []
  for (const part of parts) {
    const last = rows.at(-1)
    if (last === undefined || stringWidth(last) + stringWidth(between) + stringWidth(part) > width)
      rows.push(part)
    else rows[rows.length - 1] = `${last}${between}${part}`
  }
  return rows.map((row) => cut(row, width, true))
}

// A moment in the words of a run, as for a rate limit.
function namedTime(text: string): number | undefined {
  const found = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)/.exec(text)
  const at = found === null ? NaN : Date.parse(found[0])
  return Number.isNaN(at) ? undefined : at
}

const UNITS: Record<BudgetPart, string> = {
  turns: ' turns',
  tokens: ' tokens',
  costUsd: '',
  minutes: ' agent minutes',
}

function amount(part: BudgetPart, value: number): string {
  if (part === 'costUsd') return `$${dollars(value)}`
  return part === 'tokens' ? count(value) : String(Math.round(value * 10) / 10)
}

function rated(rate: number, colors: Look['colors']): string {
  return rate === 100 ? colors.green(percentText(rate)) : colors.bold(percentText(rate))
}

const mark = (unicode: boolean): (typeof MARKS)['true'] => MARKS[`${unicode}`]

function cut(text: string, width: number, unicode: boolean): string {
  const most = Math.max(1, width)
  const shortened = cliTruncate(text, most, { truncationCharacter: mark(unicode).cut })
  return stringWidth(shortened) <= most
    ? shortened
    : // a wide character at the edge
      cliTruncate(text, most - 1, { truncationCharacter: mark(unicode).cut })
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

/** Colours the result in a line about a finished iteration; leaves other lines unchanged. */
export function tinted(line: string, colors: Look['colors']): string {
  return line.replace(
    /^(iteration \d+ .*? %  )(kept|rolled back)(?=  |$)/,
    (_, before: string, result: string) =>
      `${before}${result === 'kept' ? colors.green(result) : colors.yellow(result)}`,
  )
}

/** Replaces Ratchet's own symbols by ASCII if the terminal has no Unicode; names stay unchanged. */
export function plain(line: string, { unicode }: Pick<Look, 'unicode'>): string {
  return unicode ? line : line.replaceAll('→', '->').replaceAll('·', '-').replaceAll('…', '...')
}
