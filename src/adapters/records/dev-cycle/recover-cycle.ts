// Rebuilds the master file of a cycle from the state of its workflow or from the files of the
// cycle. The old file is kept under another name.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { CycleState } from '../../../contract/dev-cycle/cycle-state.js'
import type { CycleRecord, CycleStatus } from '../../../contract/dev-cycle/cycle-record.js'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import type { RunResult } from '../../../contract/result.js'
import { timestamp } from '../../timestamp.js'
import { isAsWritten, keepBeside } from '../write-if-unchanged.js'
import { oneWriter } from '../mutex.js'
import { recordLog } from '../safe-files.js'
import { cycleFiles, openCycleRecord, type CycleFiles } from './cycle-paths.js'
import { notesOf, writeMaster } from './write-cycle-record.js'
import { rebuiltFromFiles } from './cycle-recovered.js'
import { recordOf } from './to-cycle-record.js'
import { salvage, type Salvaged } from './salvage-cycle.js'
import { readTimeline } from './timeline.js'

export type RebuildOptions = {
  /** State of the workflow, while the server knows it. */
  from?: CycleState
  /** Of the run, where they are known; `from` alone does not say how a run ended. */
  status?: CycleStatus
  result?: RunResult
  /** Epoch milliseconds, and the offset of times in the record, like "+08:00". */
  at: number
  offset: string
}

/**
 * `kept`: name of the file that holds what was there; `notes`: what was lost, one sentence each.
 */
export type Rebuilt = { record: CycleRecord; kept?: string; notes: string[] }

/**
 * Rebuilds the master file. An intact one stays if no state is given.
 *
 * @throws RefusalError `BadInput` if there is no such cycle, or a newer version wrote its record
 */
export async function rebuildCycle(
  project: string,
  name: string,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const files = cycleFiles(project, name)
  return oneWriter(files.master, async () => {
    const read = salvage(files.master)
    if (read.newer !== undefined)
      throw new RefusalError(
        BAD_INPUT,
        `the record of ${name} has schema ${read.newer}, written by a newer version of Ratchet`,
        files.master,
        'update Ratchet, then try again',
      )
    if (
      options.from === undefined &&
      read.text === undefined &&
      read.problem === undefined &&
      !existsSync(files.progress)
    )
      throw new RefusalError(
        BAD_INPUT,
        'Cycle not found',
        files.master,
        'look at what there is with: ratchet status',
      )
    const isEdited =
      read.record !== undefined &&
      !isAsWritten(files.dir, path.basename(files.master), read.text ?? '', notesOf(files))
    if (options.from === undefined && read.record !== undefined && !isEdited)
      return { record: read.record, notes: [] }
    openCycleRecord(project, name)
    const kept = await keep(files, read, isEdited)
    const { record, notes } =
      options.from === undefined
        ? rebuiltFromFiles(files, read.found, { name, now: timestamp(options.at, options.offset) })
        : { record: fromState(options.from, files, read, { name, ...options }), notes: [] }
    await writeMaster(files, record, { id: record.cycle_id, ours: true })
    return { record, kept, notes }
  })
}

async function keep(
  { master }: CycleFiles,
  { text, record }: Salvaged,
  isEdited: boolean,
): Promise<string | undefined> {
  if (text === undefined || (record !== undefined && !isEdited)) return undefined
  return keepBeside(master, text, record === undefined ? 'damaged' : 'edited')
}

function fromState(
  state: CycleState,
  files: CycleFiles,
  { found }: Salvaged,
  { name, at, offset, ...said }: RebuildOptions & { name: string },
): ReturnType<typeof recordOf> {
  const result =
    said.result ?? (state.currentPhase === 'complete' ? found.ratchet?.result : undefined)
  const isOver = result !== undefined || state.currentPhase === 'complete'
  const isGreen =
    state.openIssues.length === 0 &&
    state.lastRun?.kind === 'measured' &&
    state.lastRun.failed === 0
  const status =
    said.status ??
    (result === undefined ? undefined : result.status === 'failed' ? 'failed' : 'completed') ??
    (!isOver ? 'running' : isGreen ? 'completed' : 'failed')
  const record = recordOf({
    run: name,
    state,
    status,
    result,
    at,
    time: (one) => timestamp(one, offset),
    progress: files.progress,
    old: { ...timelineOf(files), ...found },
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

/** A state carries the newest iterations only; the timeline has all of them. */
function timelineOf(files: CycleFiles): Pick<Partial<Salvaged['found']>, 'iterations'> {
  const { sections } = readTimeline(recordLog(files.timeline))
  return sections.length === 0 ? {} : { iterations: sections.map(({ iteration }) => iteration) }
}
