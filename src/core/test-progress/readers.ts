// Reads the progress of a test run from its output.
//
// Best effort: unknown lines are ignored, and a test that prints such lines only distorts its own
// progress. The result of a run always comes from its report.
import { runnerNamed } from '../runners/known-runners.js'
import type { Reader } from './by-line.js'

export type { Reader, Told } from './by-line.js'

/** Returns the reader for a runner by its name; `undefined` for one without progress. */
export function readerFor(runner: string): Reader | undefined {
  return runnerNamed(runner)?.progress?.reader()
}
