// Archives the record of a run at its end, where the configuration says so.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../contract/config/config.js'
import { RefusalError } from '../contract/failures.js'
import { isDone } from '../core/run/done-outcomes.js'
import type { RunResult } from '../contract/result.js'
import {
  archive,
  archivedEntry,
  finishArchiving,
  type Archivable,
} from '../adapters/records/archive.js'

type EndingInput = {
  run: string
  at: number
  state: { startedAt: number; prepared: { name: string; workspace: { project: string } } }
}
type Ended = { config: Config; run: Archivable; at: number; record: string }

/** Whether the end of this run archives it. */
function archives({ config, run }: Pick<Ended, 'config' | 'run'>): boolean {
  return config.archive === 'ended' || (config.archive === 'done' && isDone(run.outcome))
}

/**
 * Directory of a record that an earlier attempt has archived; nothing is written for it again.
 *
 * @param ended `record`: what is gone once the record is moved
 */
export async function archivedBefore(ended: Omit<Ended, 'at'>): Promise<string | undefined> {
  if (!archives(ended) || existsSync(ended.record)) return undefined
  const { project, name, workflowId } = ended.run
  const entry = archivedEntry(project, { name, workflowId })
  if (entry === undefined) return undefined
  await finishArchiving(project)
  return path.join(project, entry.archive_path)
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

/** Moves the record; a record that stays is a warning. */
export async function archiveAtEnd(
  ended: Ended,
): Promise<{ archived?: string; warnings: string[] }> {
  const { run, at, config } = ended
  if (!archives(ended) || !existsSync(ended.record)) return { warnings: [] }
  try {
    const entry = await archive(run, { now: at, offset: config.timezone })
    return { archived: path.join(run.project, entry.archive_path), warnings: [] }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return { warnings: [`the record was not archived: ${error.message} (${error.where})`] }
  }
}
