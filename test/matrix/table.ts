// The results of the cases as a table: victim and moment by mode.
import { MODES, planOf, type Plan } from './plan.js'
import type { Outcome } from './lane.js'

/** Rows `victim signal, when`, one column per mode; each cell is `green/all`. */
export function tableOf(outcomes: ReadonlyMap<number, Outcome>): string {
  const cells = new Map<string, Map<string, { green: number; all: number }>>()
  for (const [seed, { problems }] of outcomes) {
    const plan = planOf(seed)
    const row = cells.get(rowOf(plan)) ?? new Map<string, { green: number; all: number }>()
    const cell = row.get(plan.mode) ?? { green: 0, all: 0 }
    row.set(plan.mode, { green: cell.green + (problems.length === 0 ? 1 : 0), all: cell.all + 1 })
    cells.set(rowOf(plan), row)
  }
  const rows = [...cells.keys()].sort()
  const lines = rows.map(
    (row) => `| ${row} | ${MODES.map((mode) => textOf(cells.get(row)?.get(mode))).join(' | ')} |`,
  )
  const red = [...outcomes].filter(([, { problems }]) => problems.length > 0).map(([seed]) => seed)
  return [
    `| struck | ${MODES.join(' | ')} |`,
    `|---|${MODES.map(() => '---|').join('')}`,
    ...lines,
    '',
    `${outcomes.size - red.length} of ${outcomes.size} cases end as the undisturbed run${red.length === 0 ? '' : `; not so: SEEDS=${red.join(',')}`}`,
  ].join('\n')
}

function rowOf({ victim, blow, moment }: Plan): string {
  return `${victim} ${blow}, ${moment.at === 'point' ? 'between two steps' : moment.at === 'turn' ? 'in a turn' : moment.at === 'tests' ? 'in a test run' : moment.at === 'paused' ? 'while paused' : 'while it asks'}`
}

function textOf(cell: { green: number; all: number } | undefined): string {
  return cell === undefined ? '' : `${cell.green}/${cell.all}`
}
