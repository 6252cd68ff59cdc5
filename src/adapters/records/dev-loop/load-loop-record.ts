// Loads the record of a loop that continues without its workflow.
import type { RestoredLoop } from '../../../contract/dev-loop/loop-state.js'
import type { LoopRecord } from '../../../contract/dev-loop/loop-record.js'
import type { LoopTask } from '../../../contract/dev-loop/action-reading.js'
import { keptFindings } from '../../../core/dev-loop/kept-findings.js'
import { millisOf } from '../../timestamp.js'
import { restoredBaseline } from '../kept-baseline.js'
import { readRecord, type Reading } from '../read-record.js'
import { LOOP } from './loop-state-file.js'

/** What a state carries of lists that the record has whole. */
const HISTORY_KEPT = 30

/** Reads the state file of a loop. */
export const readLoop = (project: string, name: string): Reading<LoopRecord> =>
  readRecord(LOOP, project, name)

/**
 * Returns the state with which a loop continues, bounded for a payload. The task of a running
 * worker is pending again.
 */
export function restoredLoop(record: LoopRecord): RestoredLoop {
  const { skill_state: skill, ratchet } = record
  return {
    startedAt: millisOf(record.created_at) ?? 0,
    texts: ratchet.task_history,
    mode: record.mode,
    iteration: record.current_iteration,
    maxIterations: record.max_iterations,
    phase: skill.phase,
    actionIndex: skill.action_index,
    initialised:
      skill.workers_completed.includes('init') ||
      ratchet.workers.some(({ action }) => action === 'init'),
    workersCompleted: skill.workers_completed,
    tasks: [...skill.completed_tasks, ...skill.pending_tasks.map(rested)].sort(
      (a, b) => numberOf(a.id) - numberOf(b.id),
    ),
    findings: keptFindings(skill.findings),
    workers: ratchet.workers,
    validation: ratchet.validation,
    parallelResults: skill.parallel_results,
    history: ratchet.history.slice(-HISTORY_KEPT),
    commits: ratchet.commits,
    ...restoredBaseline(ratchet),
    hadSuite: ratchet.had_suite,
    ...(ratchet.names_tasks === true ? { namesTasks: true } : {}),
    workFrom: ratchet.work_from,
    takenBack: ratchet.taken_back,
    changedInRun: ratchet.changed_tests,
    ...(ratchet.developed === true ? { developed: true } : {}),
    approval: ratchet.approval,
    edits: ratchet.edits,
    ...(ratchet.usage && { usage: ratchet.usage }),
  }
}

// Each gets its tries again: what was in its way may be gone.
function rested({ aside: _, ...task }: LoopTask): LoopTask {
  return task.status === 'in_progress' ? { ...task, status: 'pending' } : task
}

function numberOf(id: string): number {
  return Number(/(\d{1,6})$/.exec(id)?.[1] ?? 0)
}
