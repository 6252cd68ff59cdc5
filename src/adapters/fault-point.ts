// Named places between two effects, where a test may have this process die as by kill -9.
//
// A point does nothing unless RATCHET_FAULT_POINTS names a directory that holds a file of its name; the
// file is renamed first, so that the process dies there once.
import { renameSync } from 'node:fs'
import path from 'node:path'

export type FaultPoint =
  | 'prepare:done'
  | `${'turn' | 'tests' | 'commit' | 'rollback' | 'record'}:${'begin' | 'done'}`

const directory = process.env['RATCHET_FAULT_POINTS']

/** Passes a named place. */
export function reach(point: FaultPoint): void {
  if (directory === undefined || directory === '') return
  const file = path.join(directory, point.replace(':', '-'))
  try {
    renameSync(file, `${file}.reached`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  process.kill(process.pid, 'SIGKILL')
}
