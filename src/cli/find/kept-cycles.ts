// Reads a dev cycle from its record.
import { existsSync } from 'node:fs'
import type { CycleRecord } from '../../contract/dev-cycle/cycle-record.js'
import { fileName } from '../../contract/ids.js'
import type { RunResult } from '../../contract/result.js'
import { iterationsDone } from '../../core/dev-cycle/next-iteration.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { cycleFiles } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { readCycle } from '../../adapters/records/dev-cycle/load-cycle-record.js'
import { StoredNotes } from '../../adapters/records/dev-cycle/cycle-schema.js'
import type { KeptRun } from './run-record.js'
import { NO_USAGE, damageOf } from './kept-state.js'
import { resultWarnings } from '../../core/run/result-warnings.js'

/**
 * Returns the cycle of a project by its id, even if only its progress directory is left;
 * `undefined` if there is none.
 */
export function keptCycle(project: string, wanted: string): KeptRun | undefined {
  const name = fileName(wanted)
  const read = readCycle(project, name)
  const { master: file, progress } = cycleFiles(project, name)
  if (read.state === 'none' && !existsSync(progress)) return undefined
  const kept: KeptRun = {
    kind: 'dev-cycle',
    project,
    name,
    id: wanted,
    file,
    history: [],
    lines: [],
    spent: 0,
    ...damageOf(read),
  }
  if (read.state !== 'ok') return kept
  const { record } = read
  const notes = StoredNotes.safeParse(record.ratchet).data
  const history = notes?.history ?? []
  const last = record.iterations.at(-1)
  const result = resultOf(record, notes, progress)
  const { branch, base } = record.ratchet
  return {
    ...kept,
    id: record.cycle_id,
    history,
    lines: history.length > 0 ? [] : iterationLines(record),
    standing: {
      status: record.status,
      phase: record.current_phase,
      iteration: record.current_iteration,
      passRate: record.test_results?.pass_rate ?? null,
    },
    spent: iterationsDone(
      last === undefined
        ? undefined
        : { number: last.number, isOver: last.completed_at !== undefined },
    ),
    ...(result === undefined ? {} : { result }),
    ...(branch === undefined ? {} : { branch }),
    ...(base === undefined ? {} : { base }),
  }
}

/** Returns the result in the record; `undefined` if the record has none. */
function resultOf(
  record: CycleRecord,
  notes: StoredNotes | undefined,
  recordDir: string,
): RunResult | undefined {
  const { outcome, branch, commits } = record.ratchet
  if (outcome === undefined) return undefined
  // Uses the folder of the record, not the path in it: a project may have been moved or copied.
  if (notes?.result?.outcome === outcome) return { ...notes.result, recordDir }
  return {
    id: record.cycle_id,
    kind: 'dev-cycle',
    outcome,
    status: record.status,
    iterations: record.current_iteration,
    passRate: record.test_results?.pass_rate ?? null,
    reviewNeeded: outcome === 'completed_with_issues',
    branch: branch ?? null,
    commits,
    failures: [],
    failuresTotal: record.test_results?.failed_tests.length ?? 0,
    reason: record.failure_reason ?? null,
    warnings: resultWarnings(record.ratchet.warnings),
    recordDir,
    usage: NO_USAGE,
    history: notes?.history ?? [],
  }
}

/** Returns one line for each iteration of a record without summaries: version and issues. */
function iterationLines(record: CycleRecord): string[] {
  return record.iterations.map(({ number, issues_found: issues, completed_at: end }) => {
    const found =
      end === undefined
        ? 'not ended'
        : issues.length === 0
          ? 'no issues'
          : `${issues.length} issue${issues.length === 1 ? '' : 's'}`
    return `${`iteration ${number}`.padEnd(13)}v${cycleVersion(number)}  ${found}`
  })
}
