// The test-fix cycle. For each task in the queue: carry it out, measure, judge; if tests fail:
// analyse, insert a fix and its retest at the front, keep or roll back.
//
// One iteration is one run of the workflow: it ends in `nextIteration`, which continues as new.
import type { RunResult } from '../../contract/result.js'
import type { PendingFix, TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TestRun } from '../../contract/test-run.js'
import { reopenedQueue } from '../../core/test-fix/closed-queue.js'
import { gate, needsAssessment, type Verdict } from '../../core/test-fix/gate.js'
import {
  insertFix,
  iterationLimit,
  nextTask,
  setStatus,
  spend,
  unreachable,
} from '../../core/test-fix/queue.js'
import { isBlocked } from '../../core/test-results/stuck.js'
import { MAX_ITERATIONS, type TestFixInput } from '../../contract/test-fix/test-fix-input.js'
import { extendQuestion, iterationsIn } from '../../core/test-fix/extend-question.js'
import { NO_USAGE } from '../../core/run/run-usage.js'
import { analyse, carryOutFix, retest, stuckTestsOf } from './fix-iteration.js'
import { checkQuality, generateTests, work } from './initial-tasks.js'
import { confirmEnd } from './confirm.js'
import { close, ending, nextIteration, type End } from './test-fix-end.js'
import {
  backToBest,
  bestOf,
  compact,
  measureAndCompare,
  prepare,
  record,
  reload,
} from './test-fix-steps.js'
import { acceptTestChanges, onTestChanges } from './test-changes.js'
import { noAgentReason } from '../../core/agents/agents-needed.js'
import { openRun, type TestFixRun } from './test-fix-run.js'
import { roleTurn } from '../run/role-turn.js'
import { baselineSummary } from '../../core/run/iteration-summary.js'
import { budgetReason, partialReason } from '../../core/test-fix/end-reason.js'
import { describeRun, flakyNames } from '../../core/run/describe-run.js'
import { firstSentence, shortList } from '../../core/text/short-text.js'
import { rateOf } from '../../core/test-results/pass-rate.js'

/** Fixes the failing tests of a project. See `TestFixInput`; the second argument is internal. */
export async function testFixCycle(
  input: TestFixInput,
  carried?: TestFixState,
): Promise<RunResult> {
  const run = openRun(input, carried)
  run.control.afterHold = () => reload(run)
  return ending(run, () => cycle(run))
}

/** What follows a task: the end of the run, the next task at once, or the next iteration. */
export type Then = End | 'next task' | 'next iteration'

async function cycle(run: TestFixRun): Promise<RunResult> {
  if (run.state === undefined) {
    const end = await begin(run)
    if (end !== undefined) return close(run, end)
  }
  for (;;) {
    const task = nextTask(run.queue)
    const then = task === undefined ? await complete(run) : await carryOut(run, task)
    const next = typeof then === 'string' ? then : await confirmEnd(run, then)
    if (next === 'next iteration') return nextIteration(run)
    if (next !== 'next task') return close(run, next)
  }
}

/** Prepares a workspace, the session's files and its queue. */
async function begin(run: TestFixRun): Promise<End | undefined> {
  const { input } = run
  const requested = {
    generateTests: input.generateTests === true,
    maxIterations: input.maxIterations,
    extend: input.extend,
    ...(input.acceptTestChanges === true ? { acceptTestChanges: true as const } : {}),
  }
  const {
    facts,
    prepared: { tasks, unplanned, restored, ...prepared },
  } = await prepare(run, requested)
  run.state = {
    schema: 1,
    input,
    startedAt: Date.now(),
    facts,
    prepared,
    iteration: 0,
    maxIterations: input.maxIterations ?? prepared.limits.maxIterations,
    head: prepared.head,
    history: [],
    commits: [],
    usage: NO_USAGE,
    warnings: prepared.warnings,
    requestIds: [],
    ...restored,
    // Tasks that their author blocked stay blocked; tasks that a run of Ratchet blocked are due
    // again.
    queue: (restored === undefined ? tasks : reopenedQueue(tasks)).filter(
      (task) => task.type !== 'test-fix-iteration',
    ),
    ...(unplanned === true ? { unplanned } : {}),
    // An explicit limit is the total, regardless of what was granted before.
    extended:
      (input.maxIterations === undefined ? (restored?.extended ?? 0) : 0) + (input.extend ?? 0),
  }
  if (input.acceptTestChanges === true) dropPending(run)
  takeUp(run)
  await record(run)
  return input.acceptTestChanges === true ? acceptTestChanges(run) : undefined
}

/**
 * Drops a fix that waits for its retest: it was made for the tests as they were, so its commit is
 * left behind.
 */
function dropPending(run: TestFixRun): void {
  const { pending } = run.ready
  if (pending === undefined) return
  spendPending(run, pending)
  if (typeof pending.commit === 'string') run.ready.atBest = false
  delete run.ready.pending
}

/** Counts an iteration that is left behind, as its turns were paid for. */
function spendPending(run: TestFixRun, { iteration, parent }: PendingFix): void {
  const state = run.ready
  if (iteration <= state.iteration) return
  state.iteration = iteration
  if (run.queue.some(({ id }) => id === parent)) run.queue = spend(run.queue, parent)
}

/** Restores the fix and retest of a session that continues in the middle of an iteration. */
function takeUp(run: TestFixRun): void {
  const { pending, lastRun } = run.ready
  if (pending === undefined) return
  if (lastRun === undefined) {
    // Nothing is left to compare it with, so the branch is measured as it is.
    if (pending.commit !== undefined) spendPending(run, pending)
    delete run.ready.pending
    return
  }
  const { iteration, parent, task, summary } = pending
  run.queue = insertFix(run.queue, {
    iteration,
    parent,
    title: summary,
    file: `${task}.json`,
    dependsOn: [],
    maxIterations: run.ready.maxIterations,
  })
  if (pending.commit !== undefined) run.queue = setStatus(run.queue, task, 'completed')
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
  return analyse(run, task, state.lastRun)
}

/** Ends the task or the run if the last full run, the budget or the configuration requires it. */
async function judge(run: TestFixRun, task: TaskEntry, last: TestRun): Promise<Then | undefined> {
  const state = run.ready
  if (last.kind === 'cannot_execute') return { outcome: 'failed', reason: last.reason }
  if ((await verdictOn(run, last)) !== 'fix') {
    // Good enough, but another state is better: that one is judged.
    if (state.atBest === false && state.best !== undefined) {
      await backToBest(run, `back-${state.iteration}`)
      await record(run)
      return 'next iteration'
    }
    run.queue = setStatus(run.queue, task.id, 'completed')
    return 'next task'
  }
  await askToExtend(run, task)
  return onTestChanges(run, last, endOf(run, task, last))
}

/**
 * At the limit, asks whether to add iterations, if the last iteration made progress and a person is
 * present.
 */
async function askToExtend(run: TestFixRun, task: TaskEntry): Promise<void> {
  const state = run.ready
  if (
    run.input.attended !== true ||
    state.progress !== true ||
    task.attempts === 0 ||
    task.attempts < limitOf(run, task)
  )
    return
  const question = extendQuestion({
    iteration: state.iteration,
    standing: state.lastRun === undefined ? '' : describeRun(state.lastRun),
    askedAt: Date.now(),
  })
  run.enter('asking', `person: ${question.text}`)
  const added = iterationsIn(
    await run.ask(question),
    run.questions.textOf(question.id),
    MAX_ITERATIONS,
  )
  await run.control.safePoint()
  state.extended = (state.extended ?? 0) + added
  state.maxIterations += added
}

/**
 * Returns why the run ends at a failing test task, or `undefined` if another iteration may follow.
 */
function endOf(run: TestFixRun, task: TaskEntry, last: TestRun): End | undefined {
  const state = run.ready
  if (
    isBlocked({
      stuckMajority: state.stuckMajority === true,
      progress: state.progress === true,
      strategy:
        state.history.at(-1)?.iteration === state.iteration ? state.lastStrategy : undefined,
    })
  )
    return {
      outcome: 'blocked',
      reason: `most of the failing tests stayed the same over ${state.iteration} iterations, the last one with the strategy "reflective": ${shortList(stuckTestsOf(state, last))}`,
    }
  if (task.attempts >= limitOf(run, task))
    return {
      outcome: 'failed',
      reason: budgetReason(state.lastRun ?? last, state.iteration, state.maxIterations),
    }
  const reason = noAgentReason(state.prepared.agents, ['cli-planning-agent', 'test-fix-agent'])
  if (reason === undefined) return undefined
  const notMeasured = last.kind === 'measured' ? '' : `${firstSentence(last.reason)} `
  return { outcome: 'blocked', reason: `${notMeasured}${reason}` }
}

/** Applies the gate, after the failures in the 95-100 band were assessed, once per set. */
async function verdictOn(run: TestFixRun, last: TestRun): Promise<Verdict> {
  const state = run.ready
  if (last.kind !== 'measured') return 'fix'
  let levels = last.comparison?.levels
  // An agent's word that a failure is low ends a run only after a fix was tried.
  if (
    state.iteration > 0 &&
    needsAssessment(last, state.assessed) &&
    state.prepared.agents['test-fix-agent'].length > 0
  ) {
    const n = state.iteration + 1
    const assessed = await roleTurn(run, {
      role: 'test-fix-agent',
      step: `iteration-${n}/assess`,
      kind: 'assess',
      phase: 'assessing',
      limitMs: state.prepared.limits.agentTurnMs,
      judgedByTree: false,
      ask: () => ({ about: 'assess', lastRun: last }),
      read: {
        as: 'assessment',
        lastRun: last,
        claims: state.claims,
      },
    })
    state.assessed = last.fingerprint
    const read = assessed.ok ? assessed.result.read : undefined
    if (read?.kind === 'assessment') {
      levels = read.levels
      state.claims = read.claims
      if (last.comparison !== undefined) last.comparison.levels = read.levels
    } else
      run.warn(
        `the failures after iteration ${state.iteration} could not be assessed and count as high${assessed.ok ? '' : `: ${assessed.reason}`}`,
      )
  }
  return gate({
    ...last,
    flaky: Math.max(last.flaky, last.comparison?.flaky ?? 0),
    levels,
  })
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
  if (final.kind === 'cannot_execute') return { outcome: 'failed', reason: final.reason }
  const verdict = await verdictOn(run, final)
  if (verdict !== 'fix' && final.kind === 'measured')
    return verdict === 'success'
      ? { outcome: verdict }
      : { outcome: verdict, reason: partialReason(final, flakyNames(final)) }
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

function limitOf(run: TestFixRun, task: TaskEntry): number {
  const { prepared, extended = 0 } = run.ready
  return iterationLimit({
    flag: run.input.maxIterations,
    task: task.maxIterations,
    config: prepared.limits.maxIterations,
    extended,
  })
}
