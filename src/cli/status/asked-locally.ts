// Asks the supervisor about open runs. It reads the server at that moment and costs this command
// no Temporal client.
import { userDirs, type Dirs } from '../../adapters/state-dir.js'
import { NAMESPACE } from '../../contract/names.js'
import type { RunFacts } from '../../contract/result.js'
import type { RunsRequest } from '../../dev-server/control.js'
import { LIMIT, listQuery, type ListOptions } from '../../client/list-query.js'
import { localRuns } from '../../dev-server/api/local-runs.js'
import type { LocalStatus } from '../../dev-server/local-status.js'
import type { Context, ProjectChoice } from '../context.js'
import { runUrl, workerState } from '../start/server.js'
import { shownOpen, withStart } from './open-run.js'
import type { ShownRun } from './shown-run.js'

/**
 * Returns what runs locally, and the runs; without `shown`, they have to be found with Temporal's
 * client (direct-status.ts): ended ones, ones that do not answer, and ones that the supervisor does
 * not know.
 */
export async function askedLocally(
  { project, server }: Pick<Context, 'project' | 'server'>,
  { wanted, filters }: { wanted: string | undefined; filters: ListOptions },
): Promise<{ status: LocalStatus; shown?: ShownRun[] }> {
  const dirs = userDirs(server.env)
  const { status, runs } = await localRuns(dirs, await request(project, wanted, filters))
  // An empty answer is checked: the id may be a name, the project misspelt.
  const isChecked = wanted === undefined && project.named === undefined
  if (runs === undefined || (runs.length === 0 && !isChecked)) return { status }
  const shown = await Promise.all(
    runs.map(async (facts) => {
      const of = facts.project ?? (await unindexed(dirs, facts))
      const worker = await workerState({ local: true, dirs }, of, status)
      const line = shownOpen(facts, worker)
      const shown = wanted === undefined ? line : await inFull(line, facts, of, status)
      return withStart(shown, new Date(facts.startedAt), of)
    }),
  )
  return { status, shown }
}

async function request(
  project: ProjectChoice,
  wanted: string | undefined,
  filters: ListOptions,
): Promise<RunsRequest | undefined> {
  if (wanted !== undefined) {
    const { candidates } = await import('../find/find-run.js')
    return { ids: candidates(project, wanted) }
  }
  return filters.open === true
    ? { query: listQuery(filters), limit: filters.limit ?? LIMIT }
    : undefined
}

// A run that has just begun.
async function unindexed(dirs: Dirs, { id, kind }: RunFacts): Promise<string | undefined> {
  const { projectOf } = await import('../find/find-run.js')
  return projectOf(dirs, { id, kind })
}

async function inFull(
  shown: ShownRun,
  facts: RunFacts,
  project: string | undefined,
  { server }: LocalStatus,
): Promise<ShownRun> {
  const full = await import('./status-run.js')
  const uiUrl = runUrl({ uiUrl: server?.uiUrl ?? null, namespace: NAMESPACE }, facts.id)
  return full.inFull(shown, { project, uiUrl }, facts)
}
