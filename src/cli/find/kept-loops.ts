// Reads a dev loop from its record.
import { existsSync } from 'node:fs'
import { fileName } from '../../contract/ids.js'
import type { LoopRecord } from '../../contract/dev-loop/loop-record.js'
import type { RunResult } from '../../contract/result.js'
import { loopFiles } from '../../adapters/records/dev-loop/loop-paths.js'
import { readLoop } from '../../adapters/records/dev-loop/load-loop-record.js'
import type { KeptRun } from './run-record.js'
import { NO_USAGE, damageOf } from './kept-state.js'
import { resultWarnings } from '../../core/run/result-warnings.js'

/**
 * Returns the loop of a project by its id, even if only the files of its workers are left;
 * `undefined` if there is none.
 */
export function keptLoop(project: string, wanted: string): KeptRun | undefined {
  const name = fileName(wanted)
  const read = readLoop(project, name)
  const { master: file, progress, workers, summary } = loopFiles(project, name)
  if (read.state === 'none' && ![progress, workers].some((dir) => existsSync(dir))) return undefined
  const kept: KeptRun = {
    kind: 'dev-loop',
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
  const { branch, base, history, validation } = record.ratchet
  const result = resultOf(record, progress)
  return {
    ...kept,
    id: record.ratchet.run,
    history,
    spent: record.current_iteration,
    standing: {
      status: record.status,
      phase: record.skill_state.phase,
      iteration: record.current_iteration,
      passRate: validation?.passRate ?? null,
    },
    open: { ...openWork(record), ...(existsSync(summary) ? { summary } : {}) },
    ...(result === undefined ? {} : { result }),
    ...(branch === undefined ? {} : { branch }),
    ...(base === undefined ? {} : { base }),
  }
}

/** Returns the result in the record; `undefined` if the record has none. */
function resultOf(record: LoopRecord, recordDir: string): RunResult | undefined {
  const { outcome, branch, commits, validation, history, run, result } = record.ratchet
  if (outcome === undefined) return undefined
  // Uses the folder of the record, not the path in it: a project may have been moved or copied.
  if (result?.outcome === outcome)
    return { ...result, recordDir, history: result.history.length > 0 ? result.history : history }
  return {
    id: run,
    kind: 'dev-loop',
    outcome,
    status: record.status,
    iterations: record.current_iteration,
    passRate: validation?.passRate ?? null,
    // A record without a result cannot show that no review is needed.
    reviewNeeded: outcome === 'completed',
    branch: branch ?? null,
    commits,
    failures: [],
    failuresTotal: 0,
    reason: record.failure_reason ?? null,
    warnings: resultWarnings(record.ratchet.warnings),
    recordDir,
    usage: NO_USAGE,
    history,
    loop_id: record.loop_id,
  }
}

/**
 * What a loop leaves open: tasks, and files of which a person chose one worker's version or none.
 */
export type OpenWork = {
  pending: string[]
  blocked: string[]
  done: number
  conflicts: string[]
  summary?: string
}

function openWork({ skill_state: skill }: LoopRecord): OpenWork {
  const named = (status: string[]): string[] =>
    skill.pending_tasks
      .filter((task) => status.includes(task.status))
      .map(({ id, description }) => `${id} ${description}`)
  return {
    pending: named(['pending', 'in_progress']),
    blocked: named(['blocked']),
    done: skill.completed_tasks.length,
    conflicts: (skill.parallel_results?.conflicts ?? []).map(
      ({ file, workers, chosen }) =>
        `${file}: ${workers.join(', ')}${chosen === undefined ? '' : chosen === 'base' ? ', left unchanged' : `, taken from ${chosen}`}`,
    ),
  }
}
