// Ways back: a worker sends the loop to another action, and one that leads nowhere is taken three times at most.
//
// An unsuccessful develop sends it back as well, without a word: to itself, or to debug. So nothing goes
// round in a circle unseen. Source: ccw §2.4 traps 1, 3; architecture §7.19.
import type { LoopBack, LoopState, WorkerEnd } from '../../contract/loop.js'
import type { LoopAction } from '../../contract/loop-input.js'
import { rateOf } from '../test-fix-view.js'
import { textDigest } from '../text-digest.js'
import { completedTasks } from './loop-tasks.js'
import { failingChecks } from './validation.js'

/** How often in a row the same loop-back may be taken without progress. Source: architecture §7.19. */
export const LOOP_BACKS_MOST = 3

/** Whether what a worker has done counts. `partial` also where it ran out of time, or left work without a word. */
export function wentHow(end: Pick<WorkerEnd, 'action' | 'status' | 'timedOut' | 'commit'>): 'done' | 'partial' | 'failed' {
  if (end.status === 'success') return 'done'
  if (end.status === 'partial' || end.timedOut === true) return 'partial'
  if (end.status !== 'unknown') return 'failed'
  return end.action === 'develop' && end.commit === null ? 'failed' : 'partial'
}

/** Where a worker sends the loop, by its own word or by how it ended; `undefined` where the order goes on. */
export function wayBack(end: WorkerEnd): LoopAction | undefined {
  if (end.loopBack !== undefined) return end.loopBack.to
  const went = wentHow(end)
  if (end.action !== 'develop' || went === 'done') return undefined
  if (end.blocked === true || /^debug\b/i.test(end.next ?? '')) return 'debug'
  return went === 'partial' ? 'develop' : undefined
}

/** The loop-backs after a worker has ended; `state` with everything else that its end changes. */
export function loopBacksAfter(state: LoopState, end: WorkerEnd): LoopBack[] {
  const to = wayBack(end)
  if (to === undefined) return state.loopBacks
  const mark = progressMark(state, end)
  const isSame = (one: LoopBack): boolean => one.from === end.action && one.to === to
  const before = state.loopBacks.find(isSame)
  const times = before?.mark === mark ? before.times + 1 : 1
  return [...state.loopBacks.filter((one) => !isSame(one)), { from: end.action, to, times, mark }]
}

/** The loop-back of the last worker, where it was taken too often. */
export function stuckLoopBack({ last, loopBacks }: Pick<LoopState, 'last' | 'loopBacks'>): LoopBack | undefined {
  if (last === undefined) return undefined
  const to = wayBack(last)
  return loopBacks.find((one) => one.from === last.action && one.to === to && one.times >= LOOP_BACKS_MOST)
}

/** How far the loop has come. A develop comes further with every commit, the others only with what is measured or completed. */
function progressMark(state: LoopState, end: WorkerEnd): string {
  const failing = failingChecks(state.quality).map(({ name }) => name).sort()
  const mark = [`${completedTasks(state.tasks).length} tasks`, `${rateOf(state.lastRun) ?? 'no'} %`, ...failing]
  return textDigest([...mark, ...(end.action === 'develop' ? [end.commit ?? state.head] : [])].join('\n'))
}
