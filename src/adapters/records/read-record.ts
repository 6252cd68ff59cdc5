// Reads the state file of a record. A link is not followed.
import { existsSync } from 'node:fs'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import type { RecordFields, RecordFiles, StateFile } from './record-definition.js'
import { salvaged, type Salvaged } from './salvaged.js'

/** `problem` is one sentence that begins with the file. */
export type Reading<R> =
  | { state: 'none' }
  | { state: 'ok'; record: R }
  | { state: 'damaged'; problem: string }
  | { state: 'newer'; schema: number }

export function readRecord<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  project: string,
  name: string,
): Reading<R> {
  const read = salvage(definition, definition.paths(project, name))
  if (read.newer !== undefined) return { state: 'newer', schema: read.newer }
  if (read.record !== undefined) return { state: 'ok', record: read.record }
  return read.problem === undefined
    ? { state: 'none' }
    : { state: 'damaged', problem: read.problem }
}

/** Reads what is readable of a state file. */
export function salvage<R extends RecordFields, F extends RecordFiles>(
  { schema, words }: StateFile<R, F>,
  { master }: F,
): Salvaged<R> {
  return salvaged<R>(master, schema, words)
}

/** Returns whether other files of a record exist: its state file may be gone. */
export function hasFolders<R extends RecordFields, F extends RecordFiles>(
  { folders }: StateFile<R, F>,
  files: F,
): boolean {
  return folders(files).some((folder) => existsSync(folder))
}

/**
 * Leaves a record alone that a newer version of Ratchet wrote.
 *
 * @throws RefusalError `BadInput`
 */
export function refuseNewer(
  { newer }: Pick<Salvaged<unknown>, 'newer'>,
  name: string,
  master: string,
): void {
  if (newer !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `the record of ${name} has schema ${newer}, written by a newer version of Ratchet`,
      master,
      'update Ratchet, then try again',
    )
}
