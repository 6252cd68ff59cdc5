// What a loop does next, in auto mode. The upstream table goes through its five actions by number and comes
// past validate only by luck; here the state of the work decides. Source: 002 §2.3; ccw §2.4 traps 1-3, 9;
// architecture §7.19-20.
import type { LoopState, WorkerEnd } from '../../contract/loop.js'
import type { LoopAction } from '../../contract/loop-input.js'
import { oneLine } from '../one-line.js'
import { note, shortList } from '../test-fix-view.js'
import { stuckLoopBack, wayBack, wentHow } from './loop-backs.js'
import { blockedTasks, pendingTasks, taskFor } from './loop-tasks.js'

/** `because`: one sentence. */
export type Next = { action: LoopAction; because: string } | { end: 'completed' | 'failed' | 'max_iterations'; reason?: string }

/** Workers in a row that may run out of time before the loop fails. Source: architecture §7.20. */
const TIMEOUTS_MOST = 2
const SUMMARY_CHARS = 200

/** Decides in auto mode. Every action costs an iteration, so the limit counts before each of them. */
export function nextAction(state: LoopState): Next {
  const next = decided(state)
  if ('end' in next || state.iteration < state.maxIterations) return next
  return { end: 'max_iterations', reason: note([`the ${state.maxIterations} iterations are spent, and ${next.action} is next: ${next.because}`, ...open(state)]) ?? '' }
}

/** What the state asks for, whatever the limit. */
export function decided(state: LoopState): Next {
  if (!state.initialised) return go('init', 'nothing is planned yet')
  const { last } = state
  if (last === undefined) return byState(state)
  if (last.action === 'complete' && last.loopBack === undefined) return completed(state, last)
  if (state.timeouts >= TIMEOUTS_MOST) return failed(`${last.action} ran out of time: workers ran out of time twice in a row`)
  return sentBack(state, last) ?? afterWorker(state, last)
}

/** What a worker's loop-back comes to: it counts before the failure that it goes with. */
function sentBack(state: LoopState, last: WorkerEnd): Next | undefined {
  const to = wayBack(last)
  if (to === undefined) return undefined
  const stuck = stuckLoopBack(state)
  if (stuck !== undefined) return failed(`${stuck.from} went back to ${stuck.to} ${stuck.times} times without progress (${said(last)})`)
  if (to === 'complete' && verdict(state) === 'none') return go('validate', `${last.action} sends it on to complete, and nothing is completed unvalidated`)
  return go(to, last.loopBack === undefined ? `${last.action} ended ${last.blocked === true ? 'blocked' : last.timedOut === true ? 'out of time' : last.status}` : `${last.action} sends it to ${last.loopBack.said === to ? to : `${to} ("${oneLine(last.loopBack.said, 40)}")`}`)
}

function afterWorker(state: LoopState, last: WorkerEnd): Next {
  switch (last.action) {
    case 'init':
    case 'validate':
      return byState(state)
    case 'develop':
      return wentHow(last) === 'failed' ? workerFailed(last) : byState(state)
    case 'debug':
      return wentHow(last) === 'failed' ? workerFailed(last) : go('develop', 'debug has looked into what is wrong')
    case 'complete':
      return completed(state, last)
  }
}

/** Where tasks and measurement say the loop is. */
function byState(state: LoopState): Next {
  const task = taskFor(state)
  if (task !== undefined) return go('develop', `${task.id} is pending`)
  if (state.tasks.length === 0 && !state.workersCompleted.includes('develop')) return go('develop', 'nothing is developed yet')
  const validated = verdict(state)
  const [blocked] = blockedTasks(state.tasks)
  if (blocked !== undefined && !hasDebugged(state)) return go('debug', `${blocked.id} is blocked`)
  if (validated === 'none') return go('validate', 'no task is pending, and what there is has not been validated')
  if (validated === 'passed') return go('complete', state.validation?.why ?? '')
  return hasDebugged(state) ? go('develop', state.validation?.why ?? '') : go('debug', state.validation?.why ?? '')
}

/** complete has had its turn: whatever it says, what was measured decides. */
function completed(state: LoopState, last: WorkerEnd): Next {
  const task = taskFor(state)
  if (task !== undefined) return go('develop', `${task.id} is pending`)
  const { validation } = state
  const own = wentHow(last) === 'failed' || last.timedOut === true ? `complete did not finish: ${said(last)}` : undefined
  if (validation?.passed === true) {
    const reason = note([validation.passRate === null ? validation.why : undefined, ...open(state), own])
    return { end: 'completed', ...(reason === undefined ? {} : { reason }) }
  }
  if (validation === undefined && state.unmeasured !== undefined) return { end: 'completed', reason: note([`nothing was measured: ${state.unmeasured}`, ...open(state), own]) ?? '' }
  return failed(note([validation === undefined ? 'it was never validated' : `the last validation failed: ${validation.why}`, own]) ?? '')
}

/** What the last validation says of the head; `none` where it is about an older commit, or failed before the last develop. */
function verdict({ validation, head, workers }: Pick<LoopState, 'validation' | 'head' | 'workers'>): 'passed' | 'failed' | 'none' {
  if (validation === undefined || validation.commit !== head) return 'none'
  if (validation.passed) return 'passed'
  // Also a develop that changed nothing has had its turn: without a new validation it would have every one that is left.
  return workers.some(({ action, iteration }) => action === 'develop' && iteration > validation.iteration) ? 'none' : 'failed'
}

// A loop that goes on from its record knows it by its workers.
function hasDebugged({ debugged, last, workers, validation }: LoopState): boolean {
  const debug = workers.findLast(({ action }) => action === 'debug')
  return debugged || (last === undefined && debug !== undefined && debug.iteration > (validation?.iteration ?? 0))
}

function open({ tasks }: Pick<LoopState, 'tasks'>): (string | undefined)[] {
  return [listed(pendingTasks(tasks), 'pending'), listed(blockedTasks(tasks), 'blocked')]
}

function listed(tasks: readonly { id: string }[], how: string): string | undefined {
  return tasks.length === 0 ? undefined : `${how}: ${shortList(tasks.map(({ id }) => id))}`
}

function workerFailed(last: WorkerEnd): Next {
  return failed(`Worker ${last.action} failed: ${said(last)}`)
}

function said({ summary, note: noted }: WorkerEnd): string {
  const text = oneLine(summary, SUMMARY_CHARS)
  return text === '' ? oneLine(noted ?? 'no usable answer', SUMMARY_CHARS) : text
}

function go(action: LoopAction, because: string): Next {
  return { action, because }
}

function failed(reason: string): Next {
  return { end: 'failed', reason }
}
