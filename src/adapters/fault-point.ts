// Named places between two effects, where a test may have this process die as by kill -9.
//
// A point does nothing unless RATCHET_FAULT_POINTS names a directory that holds a file of its name; the
// file is renamed first, so that the process dies there once.
import { renameSync } from 'node:fs'
import path from 'node:path'

export type FaultPoint =
  | 'prepare:done'
  | `${'turn' | 'tests' | 'commit' | 'rollback' | 'record' | 'degraded' | 'restore'}:${'begin' | 'done'}`
  // A session that is opened: task files are there; everything but its session file is there.
  | `session:${'tasks' | 'file'}`
  // An answer with a form: an analysis is read, some of its files are there; everything of an answer is written.
  | `answer:${'read' | 'files' | 'done'}`
  // A fix is noted in the record before it is bought; its commit is published; its commit is noted.
  | 'turn:noted' | `commit:${'published' | 'noted'}`
  // The record: results are copied, digests of what comes are noted, one file of several is written.
  | `record:${'copies' | 'notes' | 'file'}`
  // Clones of several workers are made. Their work: nothing is committed; all of it is in the run's repository; the branch is moved, the files are not; all is done.
  | 'clones:done' | `merge:${'begin' | 'commits' | 'moved' | 'done'}`

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
