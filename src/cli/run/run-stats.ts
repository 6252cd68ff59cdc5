// ratchet stats: sums up what agents used, over several runs. Reads only, and starts nothing.
import Table from 'cli-table3'
import { turnsOfRuns } from '../../adapters/agents/run-turns.js'
import { registeredProjects } from '../../adapters/config/registry.js'
import { userDirs } from '../../adapters/state-dir.js'
import type { Kind } from '../../contract/names.js'
import type { RunResult } from '../../contract/result.js'
import { STATS_BY, statsOf, type CountedRun, type StatsRow } from '../../core/report/stats.js'
import { durationText } from '../../core/text/duration-text.js'
import { dollars } from '../../core/text/money.js'
import type { Context, ProjectChoice } from '../context.js'
import { keptRuns } from '../find/run-record.js'
import { readRecord } from '../find/session-record.js'
import { sessionsOf } from '../find/sessions.js'
import { count } from '../live/view.js'
import { badInput, EXIT } from '../output/errors.js'
import { projectPath } from '../start/project-dir.js'
import { kindOf, sinceOf } from '../status/status-filters.js'
import { NO_BORDERS } from '../status/status-table.js'

type Options = { by?: string; kind?: string; since?: string; all?: boolean; csv?: boolean }
type Known = Pick<CountedRun, 'id'> & { kind: Kind; result: RunResult | undefined }

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
  const known = projects.flatMap(runsIn).filter((one) => kind === undefined || one.kind === kind)
  const turns = turnsOfRuns(
    dirs,
    known.map(({ id }) => id),
  )
  return known.flatMap(({ id, result }) => {
    const own = (turns.get(id) ?? []).filter(({ startedAt }) => startedAt >= since)
    if (own.length === 0) return []
    const counted = {
      id,
      iterations: result?.iterations ?? Math.max(...own.map(({ iteration }) => iteration)),
      gained: result === undefined ? null : gainedIn(result),
      turns: own,
    }
    return [result === undefined ? counted : { ...counted, outcome: result.outcome }]
  })
}

function runsIn(project: string): Known[] {
  return [
    ...sessionsOf(project).map(({ runId, name }) => ({
      id: runId,
      kind: 'test-fix' as const,
      result: readRecord(project, name)?.result,
    })),
    ...(['dev-cycle', 'dev-loop'] as const).flatMap((kind) =>
      keptRuns(project, kind).map(({ id, result }) => ({ id, kind, result })),
    ),
  ]
}

// A run ends at its best state, a cycle or loop at its last one.
function gainedIn({ best, history }: RunResult): number | null {
  const measured = history.filter(({ passed }) => passed !== undefined)
  const last = best ?? measured.at(-1)
  const start = measured.find(({ iteration }) => iteration === 0)?.passed
  const end = measured.findLast(({ iteration }) => iteration === last?.iteration)?.passed
  return start === undefined || end === undefined ? null : end - start
}

function tableOf(rows: readonly StatsRow[]): string[] {
  const table = new Table({
    head: ['', 'runs', 'turns', 'in', 'cached', 'out', 'cost', 'per turn', 'time', 'per test'],
    colAligns: ['left', ...Array.from({ length: 9 }, () => 'right' as const)],
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
      row.tokensPerGainedTest === null ? '' : count(row.tokensPerGainedTest),
    ])
  return [
    ...table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd()),
    '',
    'tokens in and out; per turn: median (quartiles); time: median; per test: for each test that passes since',
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
