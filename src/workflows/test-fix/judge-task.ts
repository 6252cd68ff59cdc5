// Judges a test task by the last full run: good enough, another iteration, or the end of the run.
import { isForPerson } from '../../core/test-results/judge-fix.js'
import { isBelowBest } from '../../core/test-results/standing.js'
import type { TestFixRun } from './test-fix-run.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TestRun } from '../../contract/test-run.js'
import type { Then, End } from './test-fix-end.js'
import { backToBest } from './go-back.js'
import { record } from './test-fix-steps.js'
import { setStatus, iterationLimit } from '../../core/test-fix/queue.js'
import { onTestChanges } from './test-changes.js'
import { extendQuestion, iterationsIn } from '../../core/test-fix/extend-question.js'
import { describeRun } from '../../core/run/describe-run.js'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'
import { isBlocked } from '../../core/test-results/stuck.js'
import { shortList, firstSentence } from '../../core/text/short-text.js'
import { stuckTestsOf } from './analysis-turn.js'
import { budgetReason } from '../../core/test-fix/end-reason.js'
import { noAgentReason } from '../../core/agents/agents-needed.js'
import { type Verdict, needsAssessment, gate } from '../../core/test-fix/gate.js'
import { roleTurn } from '../run/role-turn.js'

/** Ends the task or the run if the last full run, the budget or the configuration requires it. */
export async function judge(
  run: TestFixRun,
  task: TaskEntry,
  last: TestRun,
): Promise<Then | undefined> {
  const state = run.ready
  if (last.kind !== 'measured' && isForPerson(last, state))
    return { outcome: 'failed', reason: last.reason }
  if ((await verdictOn(run, last)) !== 'fix') {
    // Good enough, but another state is better: that one is judged.
    if (isBelowBest(state)) {
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
      // The run ends at its best state, so the reason gives the numbers of that state.
      reason: budgetReason(
        state.best?.run ?? state.lastRun ?? last,
        state.iteration,
        state.maxIterations,
      ),
      limit: state.maxIterations,
    }
  const reason = noAgentReason(state.prepared.agents, ['cli-planning-agent', 'test-fix-agent'])
  if (reason === undefined) return undefined
  const notMeasured = last.kind === 'measured' ? '' : `${firstSentence(last.reason)} `
  return { outcome: 'blocked', reason: `${notMeasured}${reason}` }
}

/** Applies the gate, after the failures in the 95-100 band were assessed, once per set. */
export async function verdictOn(run: TestFixRun, last: TestRun): Promise<Verdict> {
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

export function limitOf(run: TestFixRun, task: TaskEntry): number {
  const { prepared, extended = 0 } = run.ready
  return iterationLimit({
    flag: run.input.maxIterations,
    task: task.maxIterations,
    config: prepared.limits.maxIterations,
    extended,
  })
}
