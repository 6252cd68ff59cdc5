// ratchet stats: sums up what agents used, over several runs. Reads only, and starts nothing.
import Table from 'cli-table3'
import { turnsOfRuns } from '../../adapters/agents/run-turns.js'
import { registeredProjects } from '../../adapters/config/registry.js'
import { userDirs } from '../../adapters/state-dir.js'
import { countedRun, turnsByRecord, type CountedRun } from '../../core/report/counted-run.js'
import { STATS_BY, statsOf, type StatsRow } from '../../core/report/stats.js'
import { durationText } from '../../core/text/duration-text.js'
import { dollars } from '../../core/text/money.js'
import type { Context, ProjectChoice } from '../context.js'
import { everyRecord } from '../find/every-record.js'
import { count } from '../live/view.js'
import { badInput, EXIT } from '../output/errors.js'
import { projectPath } from '../start/project-dir.js'
import { kindOf, sinceOf } from '../status/status-filters.js'
import { NO_BORDERS } from '../status/status-table.js'

type Options = { by?: string; kind?: string; since?: string; all?: boolean; csv?: boolean }

export function run({ project, out }: Context, _args: string[], options: Options): Promise<number> {
  const by = STATS_BY.find((one) => one === (options.by ?? 'work'))
  if (by === undefined)
    throw badInput(
      `unknown grouping ${JSON.stringify(options.by)}`,
      '--by',
      `use one of: ${STATS_BY.join(', ')}`,
    )
  const runs = countedRuns(project, options)
  const { rows, all } = statsOf(runs, by)
  const lines =
    options.csv === true
      ? csvOf(rows)
      : rows.length === 0
        ? ['no turns of agents are recorded here']
        : tableOf(rows.length === 1 ? rows : [...rows, all])
  out.answer({ by, rows, all }, lines)
  return Promise.resolve(EXIT.done)
}

function countedRuns(choice: ProjectChoice, options: Options): CountedRun[] {
  const kind = options.kind === undefined ? undefined : kindOf(options.kind)
  const since = options.since === undefined ? 0 : sinceOf(options.since, Date.now())
  const dirs = userDirs(choice.env)
  const projects =
    options.all === true
      ? registeredProjects(dirs).map((known) => known.path)
      : [projectPath(choice)]
  const isCounted = (of: string): boolean => kind === undefined || of === kind
  const records = projects.flatMap(everyRecord)
  const known = new Set(records.map(({ id }) => id))
  // A preparation leaves no record: its turns say what they were for.
  const turns = turnsOfRuns(
    dirs,
    records.filter((one) => isCounted(one.kind)).map(({ id }) => id),
    isCounted('prep')
      ? ({ kind: of, paths }) => of === 'prep' && projects.includes(paths.project)
      : undefined,
  )
  const preparations = [...turns].filter(([id]) => !known.has(id))
  return [
    ...turnsByRecord(records, turns).flatMap(
      ({ record: { id, result }, turns: own }) =>
        countedRun({ id, result, iterates: true, turns: own }, since) ?? [],
    ),
    ...preparations.flatMap(
      ([id, own]) => countedRun({ id, iterates: false, turns: own }, since) ?? [],
    ),
  ]
}

function tableOf(rows: readonly StatsRow[]): string[] {
  const table = new Table({
    head: [
      '',
      'runs',
      'turns',
      'in',
      'cached',
      'out',
      'cost',
      'per turn',
      'time',
      'tests',
      'per test',
    ],
    colAligns: ['left', ...Array.from({ length: 10 }, () => 'right' as const)],
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
  })
  for (const row of rows)
    table.push([
      row.name,
      row.runs,
      row.turns,
      count(row.inputTokens),
      row.cachedTokens === undefined ? '' : count(row.cachedTokens),
      count(row.outputTokens),
      row.costUsd === undefined ? '' : `$${dollars(row.costUsd)}`,
      `${count(row.tokensPerTurn.median)} (${count(row.tokensPerTurn.q1)}-${count(row.tokensPerTurn.q3)})`,
      durationText(row.workedMsPerTurn.median),
      row.tests === undefined ? '' : `${row.tests.runs} (${durationText(row.tests.ms)})`,
      row.tokensPerGainedTest === null ? '' : count(row.tokensPerGainedTest),
    ])
  return [
    ...table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd()),
    '',
    'tokens in and out; per turn: median (quartiles); time: median; tests: runs that agents asked for (their time);',
    'per test: for each test that passes since',
    ...(rows.some(({ partialRuns }) => partialRuns > 0)
      ? ['Runs that began before the period count only with their later turns, and not per test.']
      : []),
    ...(rows.some(({ estimated }) => estimated)
      ? ['Some agents report no tokens; theirs are estimated from the text.']
      : []),
  ]
}

// prettier-ignore
const COLUMNS: readonly [string, (row: StatsRow) => string | number | null | undefined][] = [
  ['name', (row) => row.name],
  ['runs', (row) => row.runs],
  ['outcome', (row) => row.outcome],
  ['iterations', (row) => row.iterations],
  ['turns', (row) => row.turns],
  ['input_tokens', (row) => row.inputTokens],
  ['cached_tokens', (row) => row.cachedTokens],
  ['output_tokens', (row) => row.outputTokens],
  ['estimated', (row) => String(row.estimated)],
  ['cost_usd', (row) => row.costUsd],
  ['worked_ms', (row) => row.workedMs],
  ['tokens_per_turn_q1', (row) => row.tokensPerTurn.q1],
  ['tokens_per_turn_median', (row) => row.tokensPerTurn.median],
  ['tokens_per_turn_q3', (row) => row.tokensPerTurn.q3],
  ['worked_ms_per_turn_q1', (row) => row.workedMsPerTurn.q1],
  ['worked_ms_per_turn_median', (row) => row.workedMsPerTurn.median],
  ['worked_ms_per_turn_q3', (row) => row.workedMsPerTurn.q3],
  ['gained_tests', (row) => row.gained],
  ['tokens_per_iteration', (row) => row.tokensPerIteration],
  ['tokens_per_gained_test', (row) => row.tokensPerGainedTest],
  ['partial_runs', (row) => row.partialRuns],
  ['agent_test_runs', (row) => row.tests?.runs],
  ['agent_test_ms', (row) => row.tests?.ms],
]

function csvOf(rows: readonly StatsRow[]): string[] {
  return [
    COLUMNS.map(([name]) => name).join(','),
    ...rows.map((row) => COLUMNS.map(([, value]) => csvCell(String(value(row) ?? ''))).join(',')),
  ]
}

// A spreadsheet would run a cell that begins like a formula.
function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
