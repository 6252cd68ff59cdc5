// What the end of a worker changes in its loop. Source: 002 "processWorkerOutput", which upstream calls and
// nowhere defines; ccw §2.1 "skill_state", §2.2; architecture §7.19.
import type { LoopState, WorkerEnd } from '../../contract/loop.js'
import { LOOP_ACTIONS } from '../../contract/loop-input.js'
import type { LoopAction } from '../../contract/loop-input.js'
import type { Finding, WorkerSummary } from '../../contract/loop-record.js'
import { WORKER_ITEMS, WORKER_ITEM_CHARS } from '../../contract/worker-reading.js'
import { numbered } from '../cycle/decisions.js'
import { textKey } from '../cycle/same-text.js'
import { oneLine } from '../one-line.js'
import { loopBacksAfter } from './loop-backs.js'
import { tasksAfter } from './loop-tasks.js'

/** Findings that travel with a run. */
export const FINDINGS_KEPT = 20

/**
 * The fields of the state that the end of a worker changes. The iteration is counted already, and what was
 * measured of a validate is in the state, so that its loop-back is judged by it.
 *
 * @param files of the commit of its work, by git
 */
export function withWorker(state: LoopState, end: WorkerEnd, files: { files: string[]; filesTotal: number }): Partial<LoopState> {
  const { action } = end
  const changed = {
    initialised: state.initialised || action === 'init',
    tasks: tasksAfter(state, end),
    findings: findingsAfter(state.findings, end),
    phase: action,
    actionIndex: LOOP_ACTIONS.indexOf(action),
    workersCompleted: answered(end) ? [...new Set([...state.workersCompleted, action])] : state.workersCompleted,
    workers: [...state.workers.filter((one) => one.action !== action), summaryOf(end, files)],
    debugged: action === 'debug' || (action !== 'validate' && state.debugged),
    timeouts: end.timedOut === true ? state.timeouts + 1 : 0,
    last: end,
  } satisfies Partial<LoopState>
  return { ...changed, loopBacks: loopBacksAfter({ ...state, ...changed }, end) }
}

/** A worker that gave no usable answer has completed nothing. */
function answered({ synthetic, status }: WorkerEnd): boolean {
  return synthetic !== true && (status === 'success' || status === 'partial' || status === 'failed')
}

function summaryOf(end: WorkerEnd, { files, filesTotal }: { files: string[]; filesTotal: number }): WorkerSummary {
  return {
    action: end.action, status: end.status, summary: oneLine(end.summary === '' ? (end.note ?? '') : end.summary, WORKER_ITEM_CHARS), iteration: end.iteration,
    files: files.slice(0, WORKER_ITEMS).map((file) => oneLine(file, WORKER_ITEM_CHARS)), filesTotal, ...(end.timedOut === true ? { timedOut: true } : {}),
  }
}

const FINDERS: readonly LoopAction[] = ['debug', 'validate']

/** A finding is open until the next develop ends, however that ends; one that is found again is open again. */
function findingsAfter(before: readonly Finding[], end: WorkerEnd): Finding[] {
  if (end.action === 'develop') return before.map((one) => ({ ...one, status: 'closed' }))
  if (!FINDERS.includes(end.action)) return [...before]
  const all = [...before]
  for (const text of end.findings ?? (end.rootCause === undefined ? [] : [end.rootCause])) {
    const description = oneLine(text, WORKER_ITEM_CHARS)
    if (description === '') continue
    const same = all.findIndex((one) => textKey(one.description) === textKey(description))
    const known = all[same]
    if (known === undefined) all.push({ id: numbered('F', all), description, source: end.action, iteration: end.iteration, status: 'open' })
    else if (known.status === 'closed') all[same] = { ...known, source: end.action, iteration: end.iteration, status: 'open' }
  }
  let extra = all.length - FINDINGS_KEPT
  return all.filter(({ status }) => status === 'open' || extra-- <= 0).slice(-FINDINGS_KEPT)
}
