// Rebuilds the state file of a record from the state of its workflow or from the record's other
// files. The old state file is kept under another name.
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import type { RunResult } from '../../contract/result.js'
import { timestamp } from '../timestamp.js'
import { oneWriter } from './mutex.js'
import { hasFolders, refuseNewer, salvage } from './read-record.js'
import type { RecordDefinition, RecordFields, RecordFiles } from './record-definition.js'
import { isAsWritten, keepCopy } from './write-if-unchanged.js'

export type RebuildOptions<S, Status> = {
  /** State of the workflow, while the server knows it. */
  from?: S
  /** Of the run, if they are known; `from` alone does not say how a run ended. */
  status?: Status
  result?: RunResult
  /** Epoch milliseconds, and the offset of times in the record, like "+08:00". */
  at: number
  offset: string
}

/**
 * `kept`: name of the file that holds the old content; `notes`: what was lost, one sentence each.
 */
export type Rebuilt<R> = { record: R; kept?: string | undefined; notes: string[] }

/**
 * Rebuilds the state file. An intact one stays if no state is given.
 *
 * @throws RefusalError `BadInput` if there is no such record, or a newer version wrote it
 */
export async function rebuildRecord<R extends RecordFields, F extends RecordFiles, S>(
  definition: RecordDefinition<R, F, S>,
  project: string,
  name: string,
  options: RebuildOptions<S, R['status']>,
): Promise<Rebuilt<R>> {
  const files = definition.paths(project, name)
  const { master } = files
  return oneWriter(master, async () => {
    const read = salvage(definition, files)
    const { text, record: intact } = read
    refuseNewer(read, name, master)
    if (
      options.from === undefined &&
      text === undefined &&
      read.problem === undefined &&
      !hasFolders(definition, files)
    )
      throw new RefusalError(
        BAD_INPUT,
        `${definition.kind === 'cycle' ? 'Cycle' : 'Loop'} not found`,
        master,
        'list the runs with: ratchet status',
      )
    const isEdited =
      intact !== undefined &&
      !isAsWritten(files.dir, path.basename(master), text ?? '', definition.digests(files))
    const isWhole = intact !== undefined && !isEdited
    if (options.from === undefined && isWhole) return { record: intact, notes: [] }
    definition.open(project, name)
    const kept =
      text === undefined || isWhole
        ? undefined
        : await keepCopy(master, text, intact === undefined ? 'damaged' : 'edited')
    const now = timestamp(options.at, options.offset)
    const { record, notes } =
      options.from === undefined
        ? definition.recover(files, read, { name, now })
        : {
            record: withEnd(
              definition.toRecord(options.from, {
                name,
                files,
                found: read.found,
                status: options.status,
                result: options.result,
                at: options.at,
                time: (one) => timestamp(one, options.offset),
              }),
              read.found,
            ),
            notes: [],
          }
    await definition.write(files, record, now)
    return { record, kept, notes }
  })
}

/** Keeps how and when the run ended, as the old state file says; the rebuild is no end. */
function withEnd<R extends RecordFields>(record: R, found: Partial<R>): R {
  const reason =
    record.failure_reason ??
    (record.status === 'failed'
      ? (found.failure_reason ?? 'the record was lost, and with it how the run ended')
      : undefined)
  const completed =
    record.completed_at === undefined || found.completed_at === undefined
      ? {}
      : { completed_at: found.completed_at }
  return { ...record, ...completed, ...(reason === undefined ? {} : { failure_reason: reason }) }
}
