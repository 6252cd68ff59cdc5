// Builds a worker's brief about its loop: what its action needs, bounded as a whole.
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import type { LoopTask } from '../../../contract/dev-loop/action-reading.js'
import { untoldTo } from '../../dev-cycle/documents/person-edits.js'
import { oneLine } from '../../text/one-line.js'
import { blockedTasks, completedTasks, loopDescription, pendingTasks } from '../loop-tasks.js'
import { taskText } from './prompt-action-parts.js'
import { knownTests } from '../validation.js'
import { roomWith, withinBytes } from '../within-bytes.js'
import type { LoopBrief } from '../../../contract/dev-loop/loop-step.js'

export { cycleTitle as titleOf } from '../../dev-cycle/plan-tasks.js'
export { loopDescription } from '../loop-tasks.js'

/** Bytes reserved for the rest of a turn's input. */
const RESERVE = 2_000

/** Characters that a reason always gets. */
const LEAST_WHY = 60

type Amount = {
  failures: number
  error: number
  items: number
  files: number
  text: number
  task: number
}

// The worker that repairs a test needs its name and error: those are cut last.
const AMOUNTS: readonly Amount[] = [
  { failures: 20, error: 200, items: 20, files: 10, text: 200, task: 4_000 },
  { failures: 20, error: 200, items: 20, files: 10, text: 200, task: 1_000 },
  { failures: 20, error: 160, items: 15, files: 5, text: 150, task: 600 },
  { failures: 20, error: 100, items: 10, files: 3, text: 100, task: 300 },
  { failures: 20, error: 60, items: 5, files: 1, text: 60, task: 150 },
  { failures: 8, error: 60, items: 3, files: 0, text: 40, task: 80 },
  { failures: 0, error: 0, items: 3, files: 0, text: 20, task: 40 },
]

/**
 * Returns the brief of one worker.
 *
 * @param p.task the task of a develop that runs alone
 * @param p.parallel it runs in parallel with others: the brief of each then has all pending tasks
 */
export function loopBrief(
  state: LoopState,
  action: LoopAction,
  p: { task?: LoopTask; parallel: boolean },
): LoopBrief {
  const { validation, lastRun, unmeasured, quality } = state
  const pending = pendingTasks(state.tasks)
  const own = action === 'develop' && p.task !== undefined ? [p.task] : []
  const description = loopDescription(state.texts)
  const edits = untoldTo(state.edits, action)
  const brief: LoopBrief = {
    loopId: state.prepared.name,
    action,
    mode: state.mode,
    parallel: p.parallel,
    iteration: state.iteration,
    maxIterations: state.maxIterations,
    description,
    tasks: p.parallel ? pending : own,
    pending: pending.length,
    completed: completedTasks(state.tasks).length,
    blocked: blockedTasks(state.tasks).map(({ id, description: text }) => `${id}: ${text}`),
    findings: state.findings
      .filter(({ status }) => status === 'open')
      .map(({ description: text }) => text),
    ...(edits.length === 0 ? {} : { edits }),
    workers: state.workers,
    validation,
    ...(readsTests(state, action)
      ? {
          measured: lastRun,
          unmeasured,
          quality,
          ...knownIn(state, description),
        }
      : {}),
    conflicts: action === 'complete' ? (state.parallelResults?.conflicts ?? []) : [],
    changedFiles: state.changedFiles,
  }
  return withinBytes(
    brief,
    roomWith(description, RESERVE),
    AMOUNTS.map((amount) => (one: LoopBrief) => cut(one, amount)),
  )
}

// develop repairs what fails; where nothing does, it has nothing to read.
function readsTests({ validation, lastRun }: LoopState, action: LoopAction): boolean {
  const fails =
    validation?.passed === false ||
    (lastRun !== undefined && (lastRun.kind !== 'measured' || lastRun.failed > 0))
  return action === 'develop' ? fails : action !== 'init'
}

function knownIn(
  { lastRun: run, prepared: { requireGreen } }: LoopState,
  description: string,
): { known?: string } {
  const known = knownTests({ run, requireGreen, description })
  return known === undefined ? {} : { known }
}

function cut(brief: LoopBrief, a: Amount): LoopBrief {
  const { measured, quality, validation } = brief
  const text = (one: string): string => oneLine(one, a.text)
  const whole = brief.tasks.length === 1 // the one task of a develop is what it is about
  return {
    ...brief,
    tasks: brief.tasks.map((task) => ({
      ...task,
      description: whole ? task.description : taskText(task.description, a.task),
      files: task.files.slice(0, whole ? Math.max(1, a.files) : a.files),
    })),
    blocked: brief.blocked.slice(0, a.items).map(text),
    findings: brief.findings.slice(0, a.items).map(text),
    workers: brief.workers.map((worker) => ({
      ...worker,
      summary: text(worker.summary),
      files: worker.files.slice(0, a.files),
    })),
    ...(brief.edits === undefined
      ? {}
      : {
          edits: brief.edits.map((one) => ({
            ...one,
            change: one.change.slice(0, a.items).map(text),
          })),
        }),
    conflicts: brief.conflicts.slice(0, a.items),
    ...(validation === undefined
      ? {}
      : {
          validation: { ...validation, why: oneLine(validation.why, Math.max(LEAST_WHY, a.text)) },
        }),
    ...(quality === undefined
      ? {}
      : {
          quality: {
            ...quality,
            checks: quality.checks.map((check) => ({
              ...check,
              tail: oneLine(check.tail, a.text),
            })),
          },
        }),
    ...(measured === undefined
      ? {}
      : {
          measured:
            measured.kind === 'measured'
              ? {
                  ...measured,
                  failures: measured.failures
                    .slice(0, a.failures)
                    .map((one) => ({ ...one, error: oneLine(one.error, a.error) })),
                  flakyTests: measured.flakyTests.slice(0, a.failures),
                }
              : measured,
        }),
  }
}
