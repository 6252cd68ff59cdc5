// Ways back: a worker sends the loop to another action, and one that leads nowhere is taken three
// times at most.
//
// An unsuccessful develop sends it back as well, without a word: to itself, or to debug. So nothing
// goes round in a circle unseen.
import type { LoopBack, LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../contract/dev-loop/loop-input.js'
import { rateOf } from '../test-results/pass-rate.js'
import { textDigest } from '../text/text-digest.js'
import { completedTasks } from './loop-tasks.js'
import { failingChecks } from './validation.js'
import { wentHow } from './action-went.js'

/** How often in a row the same loop-back may be taken without progress. */
export const LOOP_BACKS_MOST = 3

/**
 * Returns where a worker sends the loop, by its answer or by how it ended; `undefined` if the
 * normal order continues.
 */
export function wayBack(end: WorkerEnd): LoopAction | undefined {
  if (end.loopBack !== undefined) return end.loopBack.to
  if (end.action === 'init') return suggestsDebug(end) ? 'debug' : undefined
  const went = wentHow(end)
  if (end.action !== 'develop' || went === 'done') return undefined
  if (end.blocked === true || suggestsDebug(end)) return 'debug'
  return went === 'partial' ? 'develop' : undefined
}

/**
 * The loop-backs after a worker has ended; `state` with everything else that its end changes.
 *
 * A develop whose task is set aside is counted at its task. Progress of a develop is its own
 * commit, else what is measured or completed.
 */
export function loopBacksAfter(state: LoopState, end: WorkerEnd): LoopBack[] {
  const to = wayBack(end)
  if (to === undefined || isSetAside(state, end)) return state.loopBacks
  const mark = progressMark(state)
  const isSame = (one: LoopBack): boolean => one.from === end.action && one.to === to
  const before = state.loopBacks.find(isSame)
  const hasMoved = before?.mark !== mark || (end.action === 'develop' && end.commit !== null)
  return [
    ...state.loopBacks.filter((one) => !isSame(one)),
    { from: end.action, to, times: hasMoved ? 1 : before.times + 1, mark },
  ]
}

/** The loop-back of the last worker, where it was taken too often. */
export function stuckLoopBack({
  last,
  loopBacks,
}: Pick<LoopState, 'last' | 'loopBacks'>): LoopBack | undefined {
  if (last === undefined) return undefined
  const to = wayBack(last)
  return loopBacks.find(
    (one) => one.from === last.action && one.to === to && one.times >= LOOP_BACKS_MOST,
  )
}

function suggestsDebug({ next }: WorkerEnd): boolean {
  return /^debug\b/i.test(next ?? '')
}

function isSetAside({ tasks }: Pick<LoopState, 'tasks'>, end: WorkerEnd): boolean {
  return (
    end.action === 'develop' &&
    wentHow(end) !== 'partial' &&
    tasks.some(({ id, aside }) => id === end.task && aside !== undefined)
  )
}

/** How far the loop has come, by what is measured and completed. */
function progressMark(state: LoopState): string {
  const failing = failingChecks(state.quality)
    .map(({ name }) => name)
    .sort()
  return textDigest(
    [
      `${completedTasks(state.tasks).length} tasks`,
      `${rateOf(state.lastRun) ?? 'no'} %`,
      ...failing,
    ].join('\n'),
  )
}
