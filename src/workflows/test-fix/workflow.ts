// The test-fix cycle. For each task in the queue: carry it out, measure, judge; if tests fail:
// analyse, insert a fix and its retest at the front, keep or roll back.
//
// One iteration is one run of the workflow: it ends in `nextIteration`, which continues as new.
import type { RunResult } from '../../contract/result.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TestRun } from '../../contract/test-run.js'
import { nextTask, setStatus, unreachable } from '../../core/test-fix/queue.js'
import type { TestFixInput } from '../../contract/test-fix/test-fix-input.js'
import { carryOutFix, retest } from './fix-iteration.js'
import { approveWritten } from './approve-tests.js'
import { generateTests, supplement } from './generate-tests.js'
import { checkQuality, rewriteTests, work } from './initial-tasks.js'
import { confirmEarly, confirmEnd } from './confirm.js'
import { close, nextIteration, type Then } from './test-fix-end.js'
import { record, reload } from './test-fix-steps.js'
import { openTestFix, type TestFixRun } from './test-fix-run.js'
import { whenReady } from '../run/hold.js'
import { ended } from '../run/run-end.js'
import { baselineSummary } from '../../core/run/iteration-summary.js'
import { partialReason } from '../../core/test-fix/end-reason.js'
import { flakyNames } from '../../core/run/describe-run.js'
import { shortList } from '../../core/text/short-text.js'
import { rateOf } from '../../core/test-results/pass-rate.js'
import { bestOf, compact } from '../../core/test-fix/best-state.js'
import { measureAndCompare } from './measure-fix.js'
import { analyse, dropPlanned, takePlanned } from './analyse-failures.js'
import { begin } from './test-fix-begin.js'
import { limitOf, judge, verdictOn } from './judge-task.js'
import { isForPerson } from '../../core/test-results/judge-fix.js'
import { isBelowBest } from '../../core/test-results/standing.js'

/** Fixes the failing tests of a project. See `TestFixInput`; the second argument is internal. */
export async function testFixCycle(
  input: TestFixInput,
  carried?: TestFixState,
): Promise<RunResult> {
  const run = openTestFix(input, carried)
  run.control.afterHold = whenReady(run, reload)
  return ended(
    run,
    () => cycle(run),
    (end) => close(run, end),
    'blocked',
  )
}

async function cycle(run: TestFixRun): Promise<RunResult> {
  if (run.state === undefined) {
    const end = (await begin(run)) ?? (await confirmEarly(run)) // a stop waited for no canary
    if (end !== undefined) return close(run, end)
  }
  for (;;) {
    await approveWritten(run, (...change) => rewriteTests(run, ...change))
    const task = nextTask(run.queue)
    const then = task === undefined ? await complete(run) : await carryOut(run, task)
    const next = typeof then === 'string' ? then : await confirmEnd(run, then)
    if (next === 'next iteration') return nextIteration(run)
    if (next !== 'next task') return close(run, next)
  }
}

/** Carries out a task with the agent for its type. */
function carryOut(run: TestFixRun, task: TaskEntry): Promise<Then> {
  run.queue = setStatus(run.queue, task.id, 'in_progress')
  switch (task.type) {
    case 'test-gen':
      return generateTests(run, task)
    case 'code-validation':
    case 'test-quality-review':
      return checkQuality(run, task)
    case 'work':
      return work(run, task)
    case 'test-fix-iteration':
      return carryOutFix(run, task)
    case 'test-fix':
      return task.parent === undefined ? testFix(run, task) : retest(run, task)
  }
}

/** Applies the gate to the test task that is due; failures lead to a fix before it. */
async function testFix(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  state.maxIterations = state.iteration - task.attempts + limitOf(run, task)
  if (state.lastRun === undefined) {
    // After a task that wrote tests there is a baseline and no best state.
    const first =
      state.baseline === undefined
        ? await measureAndCompare(run, 'baseline')
        : await measureAndCompare(
            run,
            `test-${task.id}`,
            [],
            state.best === undefined ? { founds: true } : {},
          )
    state.lastRun = first
    state.lastKept = true
    if (state.best === undefined) foundBest(run, first)
    if (state.history.length === 0) state.history.push(baselineSummary(first))
    await record(run)
    return 'next iteration'
  }
  const end = await judge(run, task, state.lastRun)
  if (end !== undefined) return end
  return takePlanned(run, task) ?? analyse(run, task, state.lastRun)
}

/** Runs one more full run, which may return the cycle to the loop. */
async function complete(run: TestFixRun): Promise<Then> {
  const state = run.ready
  const waiting = unreachable(run.queue)
  if (waiting.length > 0)
    return {
      outcome: 'blocked',
      reason: `blocked tasks keep these from running: ${shortList(waiting.map((task) => task.id))}`,
    }
  const blocked = run.queue.filter((task) => task.status === 'blocked')
  if (blocked.length > 0)
    return {
      outcome: 'blocked',
      reason: `marked as blocked: ${shortList(blocked.map((task) => task.id))}; set each to pending or completed in its file, then: ratchet resume ${run.id}`,
    }
  const final = await measureAndCompare(run, `final-${state.iteration}`)
  state.lastRun = final
  state.lastKept = true
  if (state.atBest === true && state.best !== undefined && final.kind === 'measured')
    state.best.run = compact(final)
  if (final.kind !== 'measured' && isForPerson(final, state))
    return { outcome: 'failed', reason: final.reason }
  const verdict = await verdictOn(run, final)
  if (verdict !== 'fix' && final.kind === 'measured' && !isBelowBest(state)) {
    dropPlanned(run)
    if (await supplement(run)) return 'next iteration'
    return verdict === 'success'
      ? { outcome: verdict }
      : { outcome: verdict, reason: partialReason(final, flakyNames(final)) }
  }
  const last = run.queue
    .filter((task) => task.type === 'test-fix' && task.parent === undefined)
    .at(-1)
  if (last === undefined) throw new Error('the session has no test task')
  run.queue = setStatus(run.queue, last.id, 'pending')
  run.warn(`the final validation failed after iteration ${state.iteration}, so the cycle continued`)
  await record(run)
  return 'next iteration'
}

/** Sets the first full run of an unfixed commit as the state that every fix is compared with. */
function foundBest(run: TestFixRun, first: TestRun): void {
  const state = run.ready
  state.baselineRate = rateOf(first)
  state.atBest = first.kind === 'measured'
  if (first.kind === 'measured') state.best = bestOf(first, state.iteration)
}
