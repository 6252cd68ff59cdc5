// What of a cycle's state travels: to the host that writes its record, and into the next iteration.
//
// Whole entries are left out, never parts of one: the record has every entry by its key and keeps
// what it has.
import type { CycleState, PhaseResult } from '../../contract/dev-cycle/cycle-state.js'
import type { Blocker } from '../../contract/dev-cycle/cycle-record.js'
import { PHASES } from '../../contract/dev-cycle/discovery.js'
import { ITEM_CHARS } from '../../contract/dev-cycle/phase-reading.js'

/** Iterations that travel, entries of a log, closed blockers, summaries. */
const ITERATIONS_CARRIED = 3
const ENTRIES_CARRIED = 10
const HISTORY_CARRIED = 50

/** For the record: of what the agents said only what it is written from. */
export function forRecord(state: CycleState): CycleState {
  const results = PHASES.flatMap((phase) => {
    const result = state.results[phase]
    return result === undefined
      ? []
      : [[phase, { ...result, issues: [], planIssues: [], decisions: [] } satisfies PhaseResult]]
  })
  return { ...state, results: Object.fromEntries(results) as CycleState['results'] }
}

/** For the next iteration, after the record was written: its agents start new sessions. */
export function forNext(state: CycleState): CycleState {
  return {
    ...state,
    results: {},
    iterations: state.iterations.slice(-ITERATIONS_CARRIED),
    history: state.history.slice(-HISTORY_CARRIED),
    feedbackLog: state.feedbackLog.slice(-ENTRIES_CARRIED),
    phaseErrors: state.phaseErrors.slice(-ENTRIES_CARRIED),
    blockers: newestClosed(state.blockers),
  }
}

/** Returns the input that a run carries: the task is in the state and in the record. */
export function carriedInput(
  { task: _task, extend: _extend, base: _base, prep: _prep, ...input }: CycleState['input'],
  id: string,
): CycleState['input'] {
  return { ...input, cycleId: input.cycleId ?? id }
}

/** An error as it travels. */
export function carriedError(error: string): string {
  return error.length > 2 * ITEM_CHARS ? `${error.slice(0, 2 * ITEM_CHARS - 1)}…` : error
}

function newestClosed(blockers: readonly Blocker[]): Blocker[] {
  const closed = blockers.filter(({ status }) => status !== 'open').slice(-ENTRIES_CARRIED)
  return blockers.filter((blocker) => blocker.status === 'open' || closed.includes(blocker))
}
