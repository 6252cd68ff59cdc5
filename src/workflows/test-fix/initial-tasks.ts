// Runs the other tasks of a session: planning and writing tests, checking them by the session's
// gates, and other work.
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TurnReading } from '../../contract/turn.js'
import { gateDecision } from '../../core/test-fix/quality-gate.js'
import { setStatus, spend } from '../../core/test-fix/queue.js'
import { shortList } from '../../core/text/short-text.js'
import type { Then } from './test-fix-end.js'
import { approveTestPlan, noteWritten } from './approve-tests.js'
import { noAgentReason } from '../../core/agents/agents-needed.js'
import type { TestFixRun } from './test-fix-run.js'
import { commit, record } from './test-fix-steps.js'
import { roleTurn } from '../run/role-turn.js'
import { turnNotes } from '../../core/run/turn-notes.js'
import { measureAndCompare } from './measure-fix.js'

/** IMPL-001: makes a plan if there is none, then the tests. */
export async function generateTests(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  // The current tests are the baseline of the written ones: tests that are missing afterwards count
  // as failed.
  if (state.baseline === undefined && state.lastFull === undefined)
    await measureAndCompare(run, 'before-tests')
  let isPlanned = true
  if (state.unplanned === true) {
    const planned = await roleTurn(run, {
      role: 'cli-planning-agent',
      task: task.id,
      step: `${task.id}/plan`,
      phase: 'planning tests',
      limitMs: state.prepared.limits.analysisMs,
      judgedByTree: false,
      ask: () => ({ about: 'plan-tests', task: task.id }),
      read: { as: 'plan' },
    })
    if (!planned.ok)
      run.warn(
        `no test plan was made, the tests are written from the code alone: ${planned.reason}`,
      )
    delete state.unplanned
    isPlanned = planned.ok
  }
  await approveTestPlan(run, task, isPlanned)
  return carryOut(run, task)
}

/** Runs a task of any other type; the next test task judges it. */
export function work(run: TestFixRun, task: TaskEntry): Promise<Then> {
  return carryOut(run, task)
}

/**
 * IMPL-001.3 and 001.5: the test-fix-agent checks the written tests, which are repaired at most
 * twice. An unusable answer causes no repair: the check is repeated.
 */
export async function checkQuality(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const gate = task.type === 'test-quality-review' ? 'test-quality-review' : 'code-validation'
  const missing = noAgentReason(state.prepared.agents, ['test-fix-agent'])
  if (missing !== undefined) return { outcome: 'blocked', reason: missing }
  for (let attempt = task.attempts + 1; ; attempt++) {
    const checked = await roleTurn(run, {
      role: 'test-fix-agent',
      task: task.id,
      step: `${task.id}/check-${checksSpent(run) + 1}`,
      phase: 'checking tests',
      limitMs: state.prepared.limits.agentTurnMs,
      judgedByTree: false,
      ask: () => ({
        about: 'gate',
        task: task.id,
        file: task.file ?? `${task.id}.json`,
        gate,
        attempt,
      }),
      read: { as: 'gate', task: task.id, attempt },
    })
    const reading = checked.ok ? report(checked.result.read) : undefined
    const { decision, reason, review } = gateDecision(gate, reading, attempt)
    const why = `${task.id} (${gate}): ${reason}${checked.ok ? '' : `: ${checked.reason}`}`
    if (decision === 'block') return { outcome: 'blocked', reason: why }
    if (decision === 'pass' || decision === 'continue') {
      if (decision === 'continue' || review !== undefined)
        state.review = [...(state.review ?? []), why]
      run.queue = setStatus(run.queue, task.id, 'completed')
      await record(run)
      return 'next iteration'
    }
    run.queue = spend(run.queue, task.id)
    await record(run) // a check counts only once, even if the run is lost
    if (decision === 'recheck') continue
    const again = await turnAndCommit(run, writerOf(run, task), `${task.id}/repair-${attempt}`, {
      feedback: `${reason}\n\n${reading?.report ?? ''}`.trim(),
      repairs: gate,
    })
    if (again !== undefined) return again
    if (decision === 'redo' && validateAgain(run, task)) {
      await record(run)
      return 'next iteration'
    }
  }
}

/** Returns the checks of all gates: a repeated gate gets its own number. */
function checksSpent(run: TestFixRun): number {
  return run.queue
    .filter(({ type }) => type === 'code-validation' || type === 'test-quality-review')
    .reduce((sum, { attempts }) => sum + attempts, 0)
}

/**
 * Validates rewritten tests again before their quality; returns `false` if the session does not do
 * that.
 */
function validateAgain(run: TestFixRun, task: TaskEntry): boolean {
  const passed = run.queue.filter(
    ({ type, status }) => type === 'code-validation' && status === 'completed',
  )
  for (const { id } of passed) run.queue = setStatus(run.queue, id, 'pending')
  if (passed.length > 0) run.queue = setStatus(run.queue, task.id, 'pending')
  return passed.length > 0
}

type GateReport = Extract<TurnReading, { kind: 'gate' }>

function report(reading: TurnReading | undefined): GateReport | undefined {
  return reading?.kind === 'gate' ? reading : undefined
}

/**
 * Returns the task that repairs what a gate found: the one that wrote the tests, else the gate
 * itself.
 */
function writerOf(run: TestFixRun, task: TaskEntry): TaskEntry {
  return run.queue.find((other) => other.type === 'test-gen') ?? { ...task, role: 'code-developer' }
}

async function carryOut(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const failed = await turnAndCommit(run, task, `${task.id}/work`)
  if (failed !== undefined) return failed
  run.queue = setStatus(spend(run.queue, task.id), task.id, 'completed')
  noteWritten(run, task)
  await record(run)
  return 'next iteration'
}

/** Has written tests changed as a person says. Returns why that failed. */
export function rewriteTests(
  run: TestFixRun,
  task: TaskEntry,
  words: string,
  nth: number,
): Promise<Then | undefined> {
  return turnAndCommit(run, task, `${task.id}/change-${nth}`, {
    feedback: words,
    repairs: 'approval',
  })
}

/** Runs a task's turn and commits its work. Returns why the run cannot continue. */
async function turnAndCommit(
  run: TestFixRun,
  task: TaskEntry,
  step: string,
  repairing?: { feedback: string; repairs: 'code-validation' | 'test-quality-review' | 'approval' },
): Promise<Then | undefined> {
  const state = run.ready
  const missing = noAgentReason(state.prepared.agents, [task.role])
  if (missing !== undefined) return { outcome: 'blocked', reason: missing }
  const done = await roleTurn(run, {
    role: task.role,
    task: task.id,
    step,
    phase:
      repairing !== undefined
        ? 'repairing tests'
        : task.type === 'test-gen'
          ? 'generating tests'
          : 'working',
    limitMs: state.prepared.limits.agentTurnMs,
    judgedByTree: true,
    ask: (simplified) => ({
      about: 'task',
      task: task.id,
      file: task.file ?? `${task.id}.json`,
      simplified,
      ...repairing,
    }),
  })
  if (!done.ok)
    return { outcome: 'blocked', reason: `${task.id} could not be carried out: ${done.reason}` }
  const committed = await commit(run, {
    task: task.id,
    step: `${step}/commit`,
    subject: `${task.id}: ${task.title}`.slice(0, 100),
    agent: done.result.agent,
    writesTests: task.type === 'test-gen' || repairing !== undefined,
  })
  const changed = committed.changedTests ?? []
  if (changed.length > 0)
    state.review = [
      ...(state.review ?? []),
      `${task.id} changed tests that were there before: ${shortList(changed)}`,
    ]
  for (const told of turnNotes(done, committed))
    if (told !== undefined) run.warn(`${task.id}: ${told}`)
  if (committed.commit !== null) {
    // The branch no longer holds what was measured, and a task is no fix: its first run sets
    // baseline and best state, and no refutation returns to a state before it.
    delete state.lastRun
    delete state.best
    delete state.start
    delete state.earlier
    delete state.dropped
  }
  return undefined
}
