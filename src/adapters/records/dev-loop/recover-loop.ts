// Rebuilds the state file of a loop from the state of its workflow or from the files of its
// workers. The old file is kept under another name.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import type { LoopRecord, LoopStatus } from '../../../contract/dev-loop/loop-record.js'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import type { RunResult } from '../../../contract/result.js'
import { timestamp } from '../../timestamp.js'
import { oneWriter } from '../mutex.js'
import { isAsWritten, keepBeside } from '../write-if-unchanged.js'
import { readOutputs, withFacts } from './outputs.js'
import { loopFiles, openLoopRecord } from './loop-paths.js'
import { notesFile, writeFiles } from './write-loop-record.js'
import { rebuiltFromFiles } from './loop-recovered.js'
import { recordOf } from './to-loop-record.js'
import { refuseNewer, salvage, type Salvaged } from './salvage-loop.js'

export type RebuildOptions = {
  /** State of the workflow, while the server knows it. */
  from?: LoopState
  /** Of the run, where they are known; `from` alone does not say how a run ended. */
  status?: LoopStatus
  result?: RunResult
  /** Epoch milliseconds, and the offset of times in the record, like "+08:00". */
  at: number
  offset: string
}

/**
 * `kept`: name of the file that holds what was there; `notes`: what was lost, one sentence each.
 */
export type Rebuilt = { record: LoopRecord; kept?: string; notes: string[] }

/**
 * Rebuilds the state file and missing output files. An intact one stays if no state is given.
 *
 * @throws RefusalError `BadInput` if there is no such loop, or a newer version wrote its record
 */
export async function rebuildLoop(
  project: string,
  name: string,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const files = loopFiles(project, name)
  return oneWriter(files.master, async () => {
    const read = salvage(files.master)
    refuseNewer(read, name, files.master)
    const isThere =
      read.text !== undefined ||
      read.problem !== undefined ||
      existsSync(files.progress) ||
      existsSync(files.workers)
    if (options.from === undefined && !isThere)
      throw new RefusalError(
        BAD_INPUT,
        'Loop not found',
        files.master,
        'look at what there is with: ratchet status',
      )
    const isEdited =
      read.record !== undefined &&
      !isAsWritten(files.dir, path.basename(files.master), read.text ?? '', notesFile(files))
    if (options.from === undefined && read.record !== undefined && !isEdited)
      return { record: read.record, notes: [] }
    openLoopRecord(project, name)
    const kept =
      read.text === undefined || (read.record !== undefined && !isEdited)
        ? undefined
        : await keepBeside(
            files.master,
            read.text,
            read.record === undefined ? 'damaged' : 'edited',
          )
    const now = timestamp(options.at, options.offset)
    const { record, notes } =
      options.from === undefined
        ? rebuiltFromFiles(files, read, { name, now })
        : { record: fromState(options.from, read, { name, ...options }), notes: [] }
    const outputs = readOutputs(files, record.ratchet.workers)
    await writeFiles(
      files,
      record,
      withFacts(outputs, { workers: record.ratchet.workers }, [], now),
      { ours: true },
    )
    return { record, kept, notes }
  })
}

function fromState(
  state: LoopState,
  { found }: Salvaged,
  { name, at, offset, ...said }: RebuildOptions & { name: string },
): LoopRecord {
  const status = said.status ?? said.result?.status ?? found.status ?? 'failed'
  const result = said.result ?? (status === found.status ? found.ratchet?.result : undefined)
  const record = recordOf({
    run: found.ratchet?.run ?? name,
    state,
    status,
    result,
    now: timestamp(at, offset),
    time: (one) => timestamp(one, offset),
    old: found,
  })
  const reason =
    record.failure_reason ??
    (status === 'failed'
      ? (found.failure_reason ?? 'the record was lost, and how the run ended with it')
      : undefined)
  // When it ended is what the record said, not when it was written again.
  const completed =
    record.completed_at === undefined || found.completed_at === undefined
      ? {}
      : { completed_at: found.completed_at }
  return { ...record, ...completed, ...(reason === undefined ? {} : { failure_reason: reason }) }
}
