// What the end of a worker changes in its loop.
import type { LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import { LOOP_ACTIONS, type LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { Finding, WorkerSummary } from '../../contract/dev-loop/loop-record.js'
import { WORKER_ITEMS, WORKER_ITEM_CHARS } from '../../contract/dev-loop/action-reading.js'
import { numbered } from '../dev-cycle/decisions.js'
import { textKey } from '../dev-cycle/documents/same-text.js'
import { oneLine } from '../text/one-line.js'
import { afterValidation } from './stalled.js'
import { keptFindings } from './kept-findings.js'
import { loopBacksAfter } from './loop-backs.js'
import { namesTasks, seen, tasksAfter } from './loop-tasks.js'
import { ownFindings } from './validation.js'

/**
 * The commit that a worker looked at. `parallel`: others worked at the same time, so that it
 * validates the branch no more than they do.
 */
export type Looked = { commit: string; parallel?: boolean }

/**
 * Returns the fields of the state that the end of a worker changes. The iteration is already
 * counted, and the measurement of a validate is in the state, as it decides about its loop-back.
 *
 * @param files of the commit of its work, by git
 */
export function withWorker(
  state: LoopState,
  end: WorkerEnd,
  files: { files: string[]; filesTotal: number },
  looked: Looked,
): Partial<LoopState> {
  const { action } = end
  const isValidation = action === 'validate' && looked.parallel !== true
  const changed = {
    initialised: state.initialised || action === 'init',
    tasks: isValidation ? seen(state.tasks) : tasksAfter(state, end),
    ...(end.action === 'develop' && namesTasks(end) ? { namesTasks: true } : {}),
    ...(end.action === 'develop' && end.commit !== null ? { developed: true } : {}),
    findings: findingsAfter(state, end, looked.commit),
    phase: action,
    actionIndex: LOOP_ACTIONS.indexOf(action),
    workersCompleted: answered(end)
      ? [...new Set([...state.workersCompleted, action])]
      : state.workersCompleted,
    workers: [...state.workers.filter((one) => one.action !== action), summaryOf(end, files)],
    debugged: action === 'debug' || (action !== 'validate' && state.debugged),
    last: end,
  } satisfies Partial<LoopState>
  // A round has brakes of its own.
  if (looked.parallel === true) return changed
  const timeouts = end.timedOut === true ? state.timeouts + 1 : 0
  const after = { ...state, ...changed, timeouts }
  return {
    ...changed,
    timeouts,
    loopBacks: loopBacksAfter(after, end),
    ...(action === 'validate' ? afterValidation(after) : {}),
  }
}

/** A worker that gave no usable answer has completed nothing. */
function answered({ synthetic, status }: WorkerEnd): boolean {
  return synthetic !== true && (status === 'success' || status === 'partial' || status === 'failed')
}

function summaryOf(
  end: WorkerEnd,
  { files, filesTotal }: { files: string[]; filesTotal: number },
): WorkerSummary {
  return {
    action: end.action,
    status: end.status,
    summary: oneLine(end.summary === '' ? (end.note ?? '') : end.summary, WORKER_ITEM_CHARS),
    iteration: end.iteration,
    files: files.slice(0, WORKER_ITEMS).map((file) => oneLine(file, WORKER_ITEM_CHARS)),
    filesTotal,
    ...(end.timedOut === true ? { timedOut: true } : {}),
  }
}

const FINDERS: readonly LoopAction[] = ['debug', 'validate']

/**
 * A finding is open until a develop commits something, or a validation of a later commit passes;
 * one that is found again is open again.
 */
function findingsAfter(
  { findings: before, validation, lastRun }: LoopState,
  end: WorkerEnd,
  looked: string,
): Finding[] {
  if (end.action === 'develop')
    return end.commit === null ? [...before] : before.map((one) => ({ ...one, status: 'closed' }))
  if (!FINDERS.includes(end.action)) return [...before]
  const isPassed =
    end.action === 'validate' &&
    validation?.passed === true &&
    validation.iteration === end.iteration
  const all = before.map((one) =>
    isPassed && (one.commit === undefined || one.commit !== validation.commit)
      ? { ...one, status: 'closed' as const }
      : one,
  )
  const found = end.findings ?? (end.rootCause === undefined ? [] : [end.rootCause])
  for (const text of end.action === 'validate' ? ownFindings(found, lastRun) : found) {
    const description = oneLine(text, WORKER_ITEM_CHARS)
    if (description === '') continue
    const same = all.findIndex((one) => textKey(one.description) === textKey(description))
    const known = all[same]
    const open = {
      source: end.action,
      iteration: end.iteration,
      status: 'open' as const,
      commit: looked,
    }
    if (known === undefined) all.push({ id: numbered('F', all), description, ...open })
    else
      all[same] =
        known.status === 'closed'
          ? { id: known.id, description: known.description, ...open }
          : { ...known, commit: looked }
  }
  return keptFindings(all)
}
