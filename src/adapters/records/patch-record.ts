// Changes a record between two full writes: its state file, and what a person edited. A record has
// one writer at a time.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { PersonEdit } from '../../contract/dev-cycle/person-edit.js'
import { timestamp } from '../timestamp.js'
import { editsAfter } from './edits/edits-log.js'
import { oneWriter } from './mutex.js'
import { refuseNewer, salvage } from './read-record.js'
import type { RecordFields, RecordFiles, StateFile } from './record-definition.js'
import { clear } from './safe-files.js'
import type { Salvaged } from './salvaged.js'
import { jsonText } from './write-file.js'
import { changeProjected } from './write-if-unchanged.js'

/** The content of a state file, with what a person may have typed into it. */
export type Known = Record<string, unknown>

/**
 * Writes a record, whose directories exist, as its only writer.
 *
 * @throws RecordUnwritableError if the disk is full or a link or a file is in the way
 * @throws RefusalError if a newer version of Ratchet wrote the record
 */
export async function withRecord<R extends RecordFields, F extends RecordFiles, T>(
  definition: StateFile<R, F>,
  project: string,
  name: string,
  write: (files: F, read: Salvaged<R>) => Promise<T>,
): Promise<T> {
  const files = definition.paths(project, name)
  return oneWriter(files.master, async () => {
    const read = salvage(definition, files)
    refuseNewer(read, name, files.master)
    definition.open(project, name)
    return write(files, read)
  })
}

/**
 * Changes the state file, if it is intact; the next full record replaces a damaged one.
 *
 * @param change answers `undefined` if nothing changes
 */
export async function patchRecord<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  project: string,
  name: string,
  change: (record: R, known: Known) => Known | undefined,
): Promise<void> {
  const files = definition.paths(project, name)
  await oneWriter(files.master, () =>
    changeState(definition, files, salvage(definition, files), change),
  )
}

/** As `patchRecord`, for the record's writer. */
export async function changeState<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  files: F,
  { record, json }: Salvaged<R>,
  change: (record: R, known: Known) => Known | undefined,
): Promise<void> {
  if (record === undefined || json === undefined) return
  const changed = change(record, json)
  if (changed === undefined) return
  clear(files.master)
  // Starts from the file as it is: what a person typed into it stays until it is reported.
  await changeProjected(
    files.dir,
    [{ name: path.basename(files.master), text: jsonText({ ...json, ...changed }) }],
    definition.digests(files),
  )
}

/** The change that adds warnings; empty if there are none. */
export function withWarnings(
  { ratchet }: RecordFields,
  known: Known,
  warnings: readonly string[],
): Known {
  if (warnings.length === 0) return {}
  return {
    ratchet: {
      ...(known['ratchet'] as object),
      warnings: [...new Set([...ratchet.warnings, ...warnings])],
    },
  }
}

/** Marks a run as running in its state file after a pause. `at`: epoch milliseconds. */
export async function noteResumed<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  project: string,
  name: string,
  { at, offset }: { at: number; offset: string },
): Promise<void> {
  await patchRecord(definition, project, name, ({ status }) =>
    status === 'paused' ? { status: 'running', updated_at: timestamp(at, offset) } : undefined,
  )
}

/**
 * Takes what a person edited in a record, and returns the edits that its run does not know.
 *
 * @param seen number of edits that the run knows
 */
export async function takeRecordEdits<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  { project, name, seen }: { project: string; name: string; seen: number },
  take: (files: F) => Promise<void>,
): Promise<PersonEdit[]> {
  const files = definition.paths(project, name)
  if (!existsSync(files.progress)) return []
  return oneWriter(files.master, async () => {
    definition.open(project, name)
    await take(files)
    return editsAfter(files.edits, seen)
  })
}
