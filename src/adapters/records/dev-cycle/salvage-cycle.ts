// Salvages the readable parts of a damaged master file.
import { salvaged, type Salvaged as SalvagedFile } from '../salvaged.js'
import { StoredCycle } from './cycle-schema.js'

export type Salvaged = SalvagedFile<StoredCycle>

/** Reads a master file as far as that goes. */
export function salvage(master: string): Salvaged {
  return salvaged<StoredCycle>(master, StoredCycle, {
    texts: ['title', 'description', 'created_at', 'status'],
    lists: ['task_history'],
  })
}
