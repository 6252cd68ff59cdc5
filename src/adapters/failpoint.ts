// Named places between two effects, where a test may have this process die as by kill -9, or stand
// still while something else is killed.
//
// A point does nothing unless RATCHET_FAULT_POINTS names a directory that holds a file of its name.
// The file is renamed first, so that it happens once. Its text says when and what: "" (die the
// first time), "3 die" (the third time), "2 hold" (wait, the whole process, until a file NAME.go is
// there). Where a file `trace` is there, each point that is passed is a line of it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type FaultPoint =
  | 'prepare:done'
  | `${'turn' | 'tests' | 'commit' | 'accept' | 'rollback' | 'back' | 'takeout' | 'record' | 'degraded' | 'restore'}:${'begin' | 'done'}`
  // A session that is opened: task files are there; everything but its session file is there.
  | `session:${'tasks' | 'file'}`
  // An answer with a form: an analysis is read, some of its files are there; everything of an
  // answer is written.
  | `answer:${'read' | 'files' | 'done'}`
  // A fix is noted in the record before it is bought; its commit is published; its commit is noted.
  | 'turn:noted'
  | `commit:${'published' | 'noted'}`
  // The record: results are copied, digests of what comes are noted, one file of several is
  // written; a person's edit is noted and not yet copied.
  | `record:${'copies' | 'notes' | 'file' | 'edits'}`
  // A package is copied, and not yet replaced.
  | 'package:kept'
  // The archive: the journal is written; a part is moved; the manifest has the entry.
  | `archive:${'begun' | 'moved' | 'listed'}`
  // A line of the code under test is changed for a mutant.
  | 'mutants:changed'
  // A hook: it is noted that it is about to be told; it was called; that is noted.
  | `hook:${'begun' | 'called' | 'told'}`
  // Clones of several workers are made. Their work: nothing is committed; all of it is in the run's
  // repository; the branch is moved, the files are not; all is done.
  | 'clones:done'
  | `merge:${'begin' | 'commits' | 'moved' | 'done'}`

/**
 * Where the points of one worker lie, and how it dies. In a process of its own: the directory of
 * its environment, by SIGKILL.
 */
export type FaultPoints = { directory: string; die: () => never }

/** The points of a worker that shares its process with others. For tests. */
export const faultPoints = new AsyncLocalStorage<FaultPoints>()

const OF_THIS_PROCESS: FaultPoints = {
  directory: process.env['RATCHET_FAULT_POINTS'] ?? '',
  die: () => {
    process.kill(process.pid, 'SIGKILL')
    throw new Error('SIGKILL was not taken')
  },
}
const HOLD_POLL_MS = 20
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))

/** Runs a step with the points of its run: a worker process has many projects. */
export function withFaultPoints<T>(env: NodeJS.ProcessEnv, step: () => T): T {
  const directory = env['RATCHET_FAULT_POINTS']
  if (directory === undefined || faultPoints.getStore() !== undefined) return step()
  return faultPoints.run({ directory, die: OF_THIS_PROCESS.die }, step)
}

/** Passes a named place. */
export function failpoint(point: FaultPoint): void {
  const { directory, die } = faultPoints.getStore() ?? OF_THIS_PROCESS
  if (directory === '') return
  const trace = path.join(directory, 'trace')
  if (existsSync(trace)) appendFileSync(trace, `${point}\n`)
  const file = path.join(directory, point.replace(':', '-'))
  const taken = `${file}.${process.pid}`
  if (!renamed(file, taken)) return
  const [nth = '1', then = 'die'] = readFileSync(taken, 'utf8')
    .split(' ')
    .filter((word) => word !== '')
  if (Number(nth) > 1) {
    writeFileSync(taken, `${Number(nth) - 1} ${then}`)
    renameSync(taken, file)
    return
  }
  renameSync(taken, `${file}.reached`)
  if (then === 'die') die()
  while (existsSync(`${file}.reached`) && !existsSync(`${file}.go`))
    Atomics.wait(NEVER_WOKEN, 0, 0, HOLD_POLL_MS)
}

function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
