// How far a test run is, from what its runner prints while it runs.
//
// Best effort: a line that nothing is known of counts for nothing, and a test that prints such
// lines itself miscounts only its own progress. The result of a run never comes from here, but from
// its report.
import { runnerNamed } from '../runners/known-runners.js'
import type { Reader } from './by-line.js'

export type { Reader, Told } from './by-line.js'

/** The reader for a runner, by its name; `undefined` for one that does not tell. */
export function readerFor(runner: string): Reader | undefined {
  return runnerNamed(runner)?.progress?.reader()
}
