// Runs the tasks of a session besides its test tasks: the turn of one, its commit, and the gates of
// written tests.
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TurnReading } from '../../contract/turn.js'
import type { MeasuredTests } from '../../contract/test-fix/test-quality.js'
import {
  gateDecision,
  measuredDecision,
  noTestWritten,
  unwrittenDecision,
  type GateDecision,
} from '../../core/test-fix/quality-gate.js'
import { measuredFeedback, unmeasured } from '../../core/test-gen/measured-quality.js'
import { qualityQuestion } from '../../core/test-gen/quality-question.js'
import { setStatus, spend, withTestTask, withWritten } from '../../core/test-fix/queue.js'
import { shortList } from '../../core/text/short-text.js'
import type { Then } from './test-fix-end.js'
import { noteWritten } from './approve-tests.js'
import { measureTests } from './measure-tests.js'
import { noAgentReason } from '../../core/agents/agents-needed.js'
import type { TestFixRun } from './test-fix-run.js'
import { commit, record } from './test-fix-steps.js'
import { roleTurn } from '../run/role-turn.js'
import { turnNotes } from '../../core/run/turn-notes.js'

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
  const isMeasured = gate === 'test-quality-review' && state.generation !== undefined
  let measured: MeasuredTests | undefined
  for (let attempt = task.attempts + 1; ; attempt++) {
    const check = checksSpent(run) + 1
    const writer = writerOf(run, task)
    const unwritten = unwrittenDecision(gate, writer, attempt)
    if (isMeasured && unwritten === undefined)
      measured ??= await measureTests(run, `${task.id}/measure-${check}`)
    const found: Found =
      unwritten ??
      (measured === undefined ? undefined : measuredDecision(measured, attempt)) ??
      (await review(run, task, { gate, attempt, check, measured }))
    const { decision, report } = await asked(run, task, attempt, found)
    const why = `${task.id} (${gate}): ${found.reason}${found.failed ?? ''}`
    if (decision === 'block') return { outcome: 'blocked', reason: why }
    if (decision === 'continue' && unwritten !== undefined && state.generation?.bare === true) {
      // No test can run. A resumed run has them written again.
      run.queue = setStatus(run.queue, writer.id, 'pending')
      return { outcome: 'blocked', reason: why }
    }
    if (decision === 'pass' || decision === 'continue') {
      if (decision === 'continue' || found.review !== undefined)
        state.review = [...(state.review ?? []), why]
      if (isMeasured) noteChecked(run, task, measured)
      run.queue = setStatus(run.queue, task.id, 'completed')
      await record(run)
      return 'next iteration'
    }
    run.queue = spend(run.queue, task.id)
    await record(run) // a check counts only once, even if the run is lost
    if (decision === 'recheck') continue
    const again = await turnAndCommit(run, writer, `${task.id}/repair-${attempt}`, {
      feedback: [
        found.reason,
        ...(measured === undefined ? [] : [measuredFeedback(measured)]),
        report ?? '',
      ]
        .join('\n\n')
        .trim(),
      repairs: gate,
    })
    if (again !== undefined) return again
    measured = undefined
    if (decision === 'redo' && validateAgain(run, task)) {
      await record(run)
      return 'next iteration'
    }
  }
}

/** What a check found: `report` by the reviewer; `failed`: why there is none. */
type Found = GateDecision & { report?: string | undefined; failed?: string }

/** The test-fix-agent's own check. */
async function review(
  run: TestFixRun,
  task: TaskEntry,
  at: {
    gate: 'code-validation' | 'test-quality-review'
    attempt: number
    check: number
    measured: MeasuredTests | undefined
  },
): Promise<Found> {
  const { gate, attempt, check, measured } = at
  const checked = await roleTurn(run, {
    role: 'test-fix-agent',
    task: task.id,
    step: `${task.id}/check-${check}`,
    phase: 'checking tests',
    limitMs: run.ready.prepared.limits.agentTurnMs,
    judgedByTree: false,
    ask: () => ({
      about: 'gate',
      task: task.id,
      file: task.file ?? `${task.id}.json`,
      gate,
      attempt,
      ...(measured === undefined ? {} : { measured: measuredFeedback(measured) }),
    }),
    read: { as: 'gate', task: task.id, attempt },
  })
  const reading = checked.ok ? report(checked.result.read) : undefined
  return {
    ...gateDecision(gate, reading, attempt, measured),
    report: reading?.report,
    ...(checked.ok ? {} : { failed: `: ${checked.reason}` }),
  }
}

/** Before weak tests are kept, a person decides, where one is there. */
async function asked(
  run: TestFixRun,
  task: TaskEntry,
  attempt: number,
  found: Found,
): Promise<Pick<Found, 'decision' | 'report'>> {
  const isThere = run.input.attended === true || run.ready.interactive === true
  if (found.decision !== 'continue' || !isThere) return found
  const question = qualityQuestion(task.id, attempt, found.reason, Date.now())
  run.enter('asking', `person: ${question.text}`)
  const answer = await run.ask(question)
  const words = run.questions.textOf(question.id)
  await run.control.safePoint()
  if (answer === 'stop') return { ...found, decision: 'block' }
  if (answer !== 'again') return found
  return {
    decision: 'redo',
    report: [found.report, words].filter((text) => text !== undefined).join('\n\n'),
  }
}

function noteChecked(run: TestFixRun, task: TaskEntry, found: MeasuredTests | undefined): void {
  const state = run.ready
  if (state.generation !== undefined) {
    const { measured: _measured, ...generation } = state.generation
    state.generation = { ...generation, checked: state.head }
  }
  for (const text of found === undefined ? [] : unmeasured(found)) run.warn(`${task.id}: ${text}`)
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

/** Runs the turn of a task and commits its work. */
export async function carryOut(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const failed = await turnAndCommit(run, task, `${task.id}/work`)
  if (failed !== undefined) return failed
  run.queue = setStatus(spend(run.queue, task.id), task.id, 'completed')
  const { noTests } = run.queue.find(({ id }) => id === task.id) ?? {}
  if (noTests === undefined) noteWritten(run, task)
  else if (!run.queue.some(({ type }) => type === 'test-quality-review')) {
    // No gate comes that has them written again.
    const { review = [] } = run.ready
    run.ready.review = [...review, noTestWritten(task.id)]
  }
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
  if (task.type === 'test-gen')
    run.queue = withWritten(run.queue, task.id, committed, repairing === undefined)
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
    run.queue = withTestTask(run.queue)
    delete state.lastRun
    delete state.best
    delete state.start
    delete state.earlier
    delete state.dropped
  }
  return undefined
}
