// What a loop does next, in auto mode. The upstream table goes through its five actions by number
// and comes past validate only by luck; here the state of the work decides.
import type { LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { Validation } from '../../contract/dev-loop/loop-record.js'
import type { LoopTask } from '../../contract/dev-loop/action-reading.js'
import { untoldTo } from '../dev-cycle/documents/person-edits.js'
import { oneLine } from '../text/one-line.js'
import { note } from '../text/short-text.js'
import { stuckLoopBack, wayBack } from './loop-backs.js'
import { blockedTasks, givenUp, pendingTasks, taskFor, TRIES_MOST } from './loop-tasks.js'
import { openIn, openLine } from './loop-open.js'
import { completedReason } from './loop-outcome.js'
import { wentHow } from './action-went.js'

/** `because`: one sentence. */
export type Next =
  | { action: LoopAction; because: string }
  | { end: 'completed' | 'failed' | 'max_iterations'; reason?: string }

/** Workers in a row that may run out of time before the loop fails. */
const TIMEOUTS_MOST = 2
const SUMMARY_CHARS = 200

/**
 * Decides in auto mode. Every action costs an iteration, so the limit counts before each of them.
 */
export function nextAction(state: LoopState): Next {
  const next = decided(state)
  if ('end' in next || state.iteration < state.maxIterations) return next
  return {
    end: 'max_iterations',
    reason:
      note([
        `the ${state.maxIterations} iterations are spent, and ${next.action} is next: ${next.because}`,
        openLine(openIn(state).items),
      ]) ?? '',
  }
}

/** Decides by the state, without the limit. */
export function decided(state: LoopState): Next {
  if (!state.initialised) return go('init', 'nothing is planned yet')
  const { last } = state
  if (last === undefined) return byState(state)
  if (last.action === 'complete' && !asksForWork(last)) return completed(state, last)
  if (state.timeouts >= TIMEOUTS_MOST)
    return failed(`${last.action} ran out of time: workers ran out of time twice in a row`)
  if (last.action === 'validate' && state.stalled !== undefined && taskFor(state) === undefined)
    return failed(state.stalled)
  return setAside(state, last) ?? sentBack(state, last) ?? afterWorker(state, last)
}

/** After a develop that did not do its task: the others come first, then the task once more. */
function setAside(state: LoopState, last: WorkerEnd): Next | undefined {
  const task =
    last.action === 'develop' ? state.tasks.find(({ id }) => id === last.task) : undefined
  if (task?.aside === undefined || task.status === 'completed' || wentHow(last) === 'partial')
    return undefined
  if (task.aside.times >= TRIES_MOST || task.claimed === true) return byState(state)
  return wayBack(last) !== undefined || state.tasks.length === 1 ? undefined : byState(state)
}

/** What a worker's loop-back comes to: it counts before the failure that it goes with. */
function sentBack(state: LoopState, last: WorkerEnd): Next | undefined {
  const to = wayBack(last)
  if (to === undefined) return undefined
  const stuck = stuckLoopBack(state)
  if (stuck !== undefined)
    return failed(
      `${stuck.from} went back to ${stuck.to} ${stuck.times} times without progress (${said(last)})`,
    )
  if (to === 'complete' && openIn(state).items.length > 0) return byState(state)
  return go(
    to,
    last.loopBack === undefined
      ? last.action === 'init'
        ? 'init suggests it'
        : `${last.action} ended ${last.blocked === true ? 'blocked' : last.timedOut === true ? 'out of time' : last.status}`
      : `${last.action} sends it to ${last.loopBack.said === to ? to : `${to} ("${oneLine(last.loopBack.said, 40)}")`}`,
  )
}

function afterWorker(state: LoopState, last: WorkerEnd): Next {
  switch (last.action) {
    case 'init':
    case 'validate':
      return byState(state)
    case 'develop':
      return wentHow(last) === 'failed' ? workerFailed(last) : byState(state)
    case 'debug':
      // What is wrong with a blocked task keeps no other task waiting.
      if (wentHow(last) === 'failed')
        return blockedTasks(state.tasks).length > 0 && pendingTasks(state.tasks).length > 0
          ? byState(state)
          : workerFailed(last)
      return go('develop', 'debug has looked into what is wrong')
    case 'complete':
      return completed(state, last)
  }
}

/** Where tasks, measurement and validation say the loop is. */
function byState(state: LoopState): Next {
  const task = taskFor(state)
  if (task !== undefined) return forTask(state, task)
  if (state.tasks.length === 0 && !state.workersCompleted.includes('develop'))
    return go('develop', 'nothing is developed yet')
  if (untoldTo(state.edits, 'develop').length > 0)
    return go('develop', 'a person has edited a progress file')
  const left = givenUp(state.tasks)
  if (left.length > 0 && state.commits.length === 0)
    return failed(note([...left.map(triedText), openLine(openIn(state).items)]) ?? '')
  const { validation } = state
  if (validation === undefined || validation.commit !== state.head)
    return go('validate', 'no task is pending, and the work has not been validated')
  const unseen = state.tasks.find((one) => one.unseen === true)
  if (unseen !== undefined)
    return go('validate', `no validation has looked at ${unseen.id}, which needs no change`)
  const { items } = openIn(state)
  if (items.length === 0) return go('complete', validation.why)
  if (validation.passed && items.every(({ kind }) => kind === 'task' || kind === 'no_commit'))
    return failed(note([...left.map(triedText), openLine(items)]) ?? '')
  return notPassed(state, validation)
}

function forTask(state: LoopState, task: LoopTask): Next {
  const isLookedAt = task.aside?.debugged === true || hasDebugged(state)
  if (task.status === 'blocked' && !isLookedAt) return go('debug', `${task.id} is blocked`)
  return go(
    'develop',
    (task.aside?.times ?? 0) > 0
      ? `${task.id} is tried once more`
      : task.lost !== undefined
        ? `${task.id} was lost in the merge of ${task.lost}`
        : task.takenBack === true
          ? `a later commit reverted the work on ${task.id}`
          : `${task.id} is ${task.status === 'blocked' ? 'blocked' : 'pending'}`,
  )
}

/** The last validation is of the head, and something that it or the measurement says is open. */
function notPassed(state: LoopState, validation: Validation): Next {
  const { last, workers } = state
  if (!openIn(state).items.some(({ kind }) => MEASURED.includes(kind))) {
    if (validation.word === 'silent' || (isUnanswered(validation) && last === undefined))
      return go('validate', 'the last validate gave no answer')
    if (isUnanswered(validation)) return failed(`validate gave no answer twice: ${validation.why}`)
  }
  // Also a develop that changed nothing has had its turn: without a new validation it would have
  // every one that is left.
  if (
    workers.some(
      ({ action, iteration }) => action === 'develop' && iteration > validation.iteration,
    )
  )
    return go('validate', 'develop has had its turn since the last validation')
  return hasDebugged(state) ? go('develop', validation.why) : go('debug', validation.why)
}

const MEASURED: readonly string[] = ['test', 'missing_test', 'not_measured', 'check', 'coverage']

/** Two in a row gave no answer. */
function isUnanswered({ word, status }: Validation): boolean {
  return word === 'refuses' && status === 'unknown'
}

/** A complete that names itself or validate adds nothing to a commit that was validated. */
function asksForWork({ loopBack }: WorkerEnd): boolean {
  return loopBack !== undefined && loopBack.to !== 'complete' && loopBack.to !== 'validate'
}

/** complete has had its turn: only where nothing is open the loop is done. */
function completed(state: LoopState, last: WorkerEnd): Next {
  if (openIn(state).items.length > 0) return byState(state)
  const reason = completedReason(
    state,
    wentHow(last) === 'failed' || last.timedOut === true
      ? `complete did not finish: ${said(last)}`
      : undefined,
  )
  return { end: 'completed', reason }
}

// A loop that continues from its record finds it in its workers.
function hasDebugged({ debugged, last, workers, validation }: LoopState): boolean {
  const debug = workers.findLast(({ action }) => action === 'debug')
  return (
    debugged ||
    (last === undefined && debug !== undefined && debug.iteration > (validation?.iteration ?? 0))
  )
}

function triedText({ id, status, aside }: LoopTask): string {
  return `${id} ${status === 'blocked' ? 'is blocked' : 'is not done'} after ${aside?.times ?? 0} tries: ${aside?.why ?? ''}`
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
