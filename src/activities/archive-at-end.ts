// Archives the record of a run at its end, where the configuration says so.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { CancelledFailure, CompleteAsyncError } from '@temporalio/activity'
import type { Config } from '../contract/config/config.js'
import { RefusalError } from '../contract/failures.js'
import { isDone } from '../core/run/done-outcomes.js'
import type { RunResult } from '../contract/result.js'
import {
  archive,
  archivedEntry,
  archivedNames,
  finishArchiving,
  type Archivable,
} from '../adapters/records/archive.js'
import { isEntryOf } from '../adapters/records/archive-journal.js'
import { ARCHIVE } from '../adapters/records/test-fix/session-paths.js'
import type { Dirs } from '../adapters/state-dir.js'

type EndingInput = {
  run: string
  at: number
  state: { startedAt: number; prepared: { name: string; workspace: { project: string } } }
}
type Ended = { config: Config; run: Archivable; at: number; record: string; dirs: Dirs }

/** Whether the end of this run archives it. */
function archives({ config, run }: Pick<Ended, 'config' | 'run'>): boolean {
  return config.archive === 'ended' || (config.archive === 'done' && isDone(run.outcome))
}

/**
 * Directory of a record that an earlier attempt has archived; nothing is written for it again.
 *
 * @param ended `record`: what is gone once the record is moved
 */
export async function archivedBefore(
  ended: Omit<Ended, 'at'>,
): Promise<{ archived: string; warnings: string[] } | undefined> {
  const { run, dirs, record } = ended
  if (!archives(ended) || existsSync(record)) return undefined
  try {
    const entry = archivedEntry(run.project, run)
    if (entry === undefined) return undefined
    const { warnings } = await finishArchiving(run.project, { dirs, wants: isEntryOf(run) })
    return { archived: path.join(run.project, entry.archive_path), warnings }
  } catch (error) {
    const warnings = [warningOf('the archive of the record is not finished', error)]
    // The record is not where it was, so it was moved, as far as can be known without a manifest.
    const archived = placeByName(run)
    return archived === undefined ? undefined : { archived, warnings }
  }
}

/** What every kind of run has for the archive. */
export function endedRun(
  { run, state, at }: EndingInput,
  result: RunResult,
): Omit<Archivable, 'kind' | 'dir' | 'description' | 'open'> {
  const { name, workspace } = state.prepared
  return {
    project: workspace.project,
    name,
    workflowId: run,
    outcome: result.outcome,
    result,
    fixes: [],
    startedAt: state.startedAt,
    endedAt: at,
  }
}

/** Moves the record; any failure is a warning, as a retry would hold the run open. */
export async function archiveAtEnd(
  ended: Ended,
): Promise<{ archived?: string; warnings: string[] }> {
  const { run, at, config, dirs, record } = ended
  if (!archives(ended) || !existsSync(record)) return { warnings: [] }
  try {
    const entry = await archive(run, { now: at, offset: config.timezone, dirs })
    return { archived: path.join(run.project, entry.archive_path), warnings: [] }
  } catch (error) {
    const isMoved = !existsSync(record)
    const archived = isMoved ? placeByName(run) : undefined
    const what = isMoved
      ? 'the archive of the record is not finished'
      : 'the record was not archived'
    return { ...(archived && { archived }), warnings: [warningOf(what, error)] }
  }
}

/** The newest directory of a name in the archive. */
function placeByName({ project, name }: Archivable): string | undefined {
  const last = archivedNames(project).findLast(
    (one) => one === name || (one.startsWith(name) && /^-\d+$/.test(one.slice(name.length))),
  )
  return last === undefined ? undefined : path.join(project, ARCHIVE, last)
}

/** @throws the error itself, if it says that this attempt ends here */
function warningOf(what: string, error: unknown): string {
  if (error instanceof CompleteAsyncError || error instanceof CancelledFailure) throw error
  const where = error instanceof RefusalError ? ` (${error.where})` : ''
  return `${what}: ${error instanceof Error ? error.message : String(error)}${where}`
}
