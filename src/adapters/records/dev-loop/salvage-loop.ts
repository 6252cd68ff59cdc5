// Salvages the readable parts of a damaged state file.
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import { LoopRecord } from '../../../contract/dev-loop/loop-record.js'
import { salvaged, type Salvaged as SalvagedFile } from '../salvaged.js'

export type Salvaged = SalvagedFile<LoopRecord>

/** Reads a state file as far as that goes. */
export function salvage(master: string): Salvaged {
  return salvaged<LoopRecord>(master, LoopRecord, {
    texts: ['title', 'description', 'created_at', 'status', 'mode'],
    lists: [],
  })
}

/** Nothing of a record that a newer version of Ratchet wrote is touched. */
export function refuseNewer({ newer }: Salvaged, name: string, master: string): void {
  if (newer !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `the record of ${name} has schema ${newer}, written by a newer version of Ratchet`,
      master,
      'update Ratchet, then try again',
    )
}
