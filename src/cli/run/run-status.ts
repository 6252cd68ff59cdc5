// ratchet status: lists runs, one line each, or shows one run in full. Never starts anything, and
// never waits long.
import { existsSync } from 'node:fs'
import { layout, userDirs } from '../../adapters/state-dir.js'
import type { Context, ServerChoice } from '../context.js'
import { badInput } from '../output/errors.js'
import { historyLines } from '../output/run-lines.js'
import { isRemote } from '../start/server.js'
import { askedLocally } from '../status/asked-locally.js'
import { plainLines, tableLines } from '../status/list-lines.js'
import type { RunLine, ServerLine, ShownRun } from '../status/shown-run.js'
import { isFiltered, statusFilters, type StatusOptions } from '../status/status-filters.js'

type WorkerLine = { pid: number; queue: string; host: string; kind: string }
type StatusDocument = { server: ServerLine | null; workers: WorkerLine[]; runs: RunLine[] }

export async function run(
  context: Context,
  [typed]: string[],
  options: StatusOptions = {},
): Promise<number> {
  const wanted =
    typed === undefined ? undefined : (await import('../find/find-run.js')).checkedId(typed)
  if (wanted !== undefined && isFiltered(options))
    throw badInput(
      'an id and filters cannot be used together',
      'ratchet status',
      `use one of them: ratchet status ${wanted}`,
    )
  const filters = statusFilters(context.project, options, Date.now())
  const looked = { wanted, filters }
  const asked = isRemote(context.server) ? undefined : await askedLocally(context, looked)
  for (const problem of asked?.status.problems ?? []) context.out.warn(`warning: ${problem}`)
  const { server, shown } =
    asked?.shown !== undefined
      ? { server: asked.status.server ?? null, shown: asked.shown }
      : await (
          await import('../status/direct-status.js')
        ).directStatus(context, looked, asked?.status)
  const one = wanted === undefined ? undefined : shown[0]
  const document: StatusDocument = {
    server,
    workers: asked?.status.workers ?? [],
    runs: shown.map(({ line }) => line),
  }
  const { columns, env } = context.out
  context.out.answer(document, [
    ...processLines(document),
    ...(one === undefined && columns !== undefined
      ? await tableLines(shown, { columns, env })
      : plainLines(shown)),
    ...(shown.length > 0 ? [] : [whyNone(context.server, options, server)]),
    ...(one === undefined ? [] : detailLines(one)),
  ])
  return 0
}

// The iterations of a run, then how it is going or how it ended.
function detailLines({ line, history, recorded = [], more = [] }: ShownRun): string[] {
  return [...historyLines(history, 0, line.kind), ...recorded, ...more].map(
    (text) => `${''.padEnd(9)}${text}`,
  )
}

function processLines({ server, workers }: StatusDocument): string[] {
  return [
    server === null
      ? 'server   not running'
      : `server   ${server.address}${server.uiUrl === null ? '' : `  ${server.uiUrl}`}${server.pid === null ? '' : `  process ${server.pid}`}  version ${server.version}`,
    ...workers.map((worker) => `worker   ${worker.kind}  ${worker.queue}  process ${worker.pid}`),
  ]
}

function whyNone(choice: ServerChoice, options: StatusOptions, server: ServerLine | null): string {
  if (isFiltered(options)) return 'no run matches; list all of them with: ratchet status --all'
  if (server === null && leftRuns(choice))
    return 'runs were open when the server stopped; they continue when it runs again; start it with: ratchet dev'
  return 'no run is open'
}

// A stopping server removes its record, unless it leaves open runs or could not check for them.
function leftRuns(server: ServerChoice): boolean {
  return !isRemote(server) && existsSync(layout.serverRecord(userDirs(server.env)))
}
