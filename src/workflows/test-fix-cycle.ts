// The test-fix cycle of 004: measure, judge, analyse, fix, measure again, keep or roll back.
//
// One iteration is one run of the workflow. A run judges what the last one measured, then either ends
// the cycle or spends one iteration and continues as new.
import { ActivityFailure, ApplicationFailure, CancellationScope, allHandlersFinished, condition, continueAsNew, isCancellation, workflowInfo } from '@temporalio/workflow'
import type { TestFixInput } from '../contract/input.js'
import type { IterationSummary, RunResult, TestFixOutcome } from '../contract/result.js'
import type { TestFixState } from '../contract/state.js'
import type { TestRun } from '../contract/test-run.js'
import { claimedRate } from '../core/claim.js'
import { gate } from '../core/gate.js'
import { isRegression } from '../core/regression.js'
import { NO_USAGE, baselineSummary, counts, describeRun, firstSentence, note, rateOf, regressionReason, runResult, shortList } from '../core/test-fix-view.js'
import { files, light, long } from './lib/activity-options.js'
import { StopRequested } from './lib/control.js'
import { openRun } from './lib/test-fix-run.js'
import type { TestFixRun } from './lib/test-fix-run.js'
import { roleTurn } from './lib/turns.js'

/** Fixes the failing tests of a project. See `TestFixInput`; the second argument is Ratchet's own. */
export async function testFixCycle(input: TestFixInput, carried?: TestFixState): Promise<RunResult> {
  const run = openRun(input, carried)
  run.control.afterHold = () => reload(run)
  return ending(run, async () => {
    if (run.state === undefined) await begin(run)
    const end = await judge(run)
    if (end !== undefined) return close(run, end.outcome, end.reason)
    if (carried === undefined) return nextIteration(run) // iteration 0 was the first run
    const blocked = await iterate(run)
    return blocked === undefined ? nextIteration(run) : close(run, 'blocked', blocked)
  })
}

/** Iteration 0: facts about the server, a workspace, the first full run. */
async function begin(run: TestFixRun): Promise<void> {
  const { input, control } = run
  const facts = await light.serverFacts({ project: input.project })
  run.details.register(facts.searchAttributes)
  run.details.upsert({ RatchetProject: facts.project, RatchetKind: 'test-fix' })
  const prepared = await control.step(() => {
    run.enter('preparing', 'host: preparing the workspace')
    return files(facts.queue, 'prepare the workspace').prepareRun({
      run: run.id, chain: workflowInfo().firstExecutionRunId, project: facts.project, at: Date.now(),
      ...(input.session === undefined ? {} : { session: input.session }), ...(input.base === undefined ? {} : { base: input.base }),
    })
  })
  run.state = {
    schema: 1, input, rules: run.rules, startedAt: Date.now(), facts, prepared, iteration: 0,
    maxIterations: input.maxIterations ?? prepared.limits.maxIterations,
    head: prepared.head, history: [], commits: [], usage: NO_USAGE, warnings: prepared.warnings, requestIds: [],
  }
  await record(run)
  const first = await measure(run, 'baseline', run.state.head)
  run.state.lastRun = first
  run.state.history.push(baselineSummary(first))
  await record(run)
}

/** Ends the cycle where the last full run, the budget or the configuration says so. */
async function judge(run: TestFixRun): Promise<{ outcome: TestFixOutcome; reason?: string } | undefined> {
  const state = run.ready
  const last = state.lastRun
  if (last === undefined) throw new Error('nothing was measured')
  if (last.kind === 'cannot_execute') return { outcome: 'failed', reason: last.reason }
  if (last.kind === 'measured' && gate(last) !== 'fix') {
    // 004 "Final Validation": one more full run decides, and may send the cycle back into the loop.
    const final = await measure(run, `final-${state.iteration}`, state.head)
    state.lastRun = final
    if (final.kind === 'cannot_execute') return { outcome: 'failed', reason: final.reason }
    if (final.kind === 'measured') {
      const verdict = gate({ ...final, flaky: Math.max(final.flaky, last.flaky) })
      if (verdict !== 'fix') return { outcome: verdict, ...(verdict === 'partial_success' ? { reason: flakyReason([...last.flakyTests, ...final.flakyTests]) } : {}) }
    }
  }
  if (state.iteration >= state.maxIterations)
    return { outcome: 'failed', reason: `${describeRun(state.lastRun ?? last)} after ${state.iteration} of ${state.maxIterations} iterations` }
  const missing = (['cli-planning-agent', 'test-fix-agent'] as const).filter((role) => state.prepared.agents[role].length === 0)
  if (missing.length > 0)
    return { outcome: 'blocked', reason: `no agent is configured for ${missing.join(' and ')}; name one in ratchet.config.json: { "roles": { "default": "<agent>" }, "agents": { "<agent>": { "protocol": "acp", "command": "…" } } }` }
  return undefined
}

/** Iteration N: analysis, IMPL-fix-N, retest; a regression is rolled back. Answers why it cannot go on. */
async function iterate(run: TestFixRun): Promise<string | undefined> {
  const state = run.ready
  const before = state.lastRun as TestRun
  const n = state.iteration + 1
  const turnsBefore = state.usage.turns

  const analysis = await roleTurn(run, {
    role: 'cli-planning-agent', step: `iteration-${n}/analysis`, limitMs: state.prepared.limits.analysisMs, judgedByTree: false,
    ask: (simplified) => ({ about: 'analysis', lastRun: before, simplified, ...(state.rollbackReason === undefined ? {} : { rollbackReason: state.rollbackReason }) }),
  })
  if (!analysis.ok) return `the failures could not be analysed: ${analysis.reason}`

  const fix = await roleTurn(run, {
    role: 'test-fix-agent', task: `IMPL-fix-${n}`, step: `iteration-${n}/fix`, limitMs: state.prepared.limits.agentTurnMs, judgedByTree: true,
    ask: (simplified) => ({ about: 'fix', lastRun: before, analysis: analysis.result.answer, simplified }),
  })
  if (!fix.ok) return `IMPL-fix-${n} could not be carried out: ${fix.reason}`

  const committed = await commit(run, n, fix.result.agent)
  const claimed = claimedRate(fix.result.tail)
  const summary = (result: IterationSummary['result'], after: TestRun, notes: (string | undefined)[]): void => {
    const text = note(notes)
    state.history.push({
      iteration: n, passRate: rateOf(after), ...counts(after), result, commit: committed.commit,
      turns: state.usage.turns - turnsBefore, ...(claimed === undefined ? {} : { claimed }), ...(text === undefined ? {} : { note: text }),
    })
  }
  const denied = fix.result.denied ?? []
  const told = [
    fix.note,
    denied.length > 0 ? `permission was denied for ${shortList(denied.map((title) => JSON.stringify(title)))} ("permissions" in the configuration: allow or ask)` : undefined,
    committed.tampered.length > 0 ? `changes to ${shortList(committed.tampered, committed.tamperedTotal)} were restored` : undefined,
  ]
  delete state.rollbackReason
  state.iteration = n
  if (committed.commit === null) {
    summary('no_change', before, [...told, 'the fix changed nothing', liesNote(claimed, before)])
  } else {
    run.unmeasured = committed.commit
    const after = await measure(run, `iteration-${n}/retest`, committed.head)
    run.unmeasured = undefined
    if (isRegression(before, after) && before.kind === 'measured') {
      const reason = regressionReason(before, after)
      await rollBack(run, n, committed.commit, reason)
      summary('rolled_back', after, [...told, liesNote(claimed, after), `rolled back: ${reason}`])
      state.rollbackReason = `IMPL-fix-${n} was rolled back: ${reason}`
    } else {
      state.lastRun = after
      summary(after.kind === 'measured' ? 'kept' : 'not_started', after, [...told, liesNote(claimed, after), after.kind === 'measured' ? undefined : firstSentence(after.reason)])
    }
  }
  await record(run)
  return undefined
}

/** A claim is shown beside what was measured, and decides nothing. */
function liesNote(claimed: number | undefined, after: TestRun): string | undefined {
  const rate = rateOf(after)
  return claimed === undefined || claimed === rate ? undefined : `the agent claimed ${claimed} %, measured: ${rate === null ? 'nothing' : `${rate} %`}`
}

function flakyReason(tests: string[]): string {
  return `passed only on re-run: ${shortList([...new Set(tests)])}`
}

async function measure(run: TestFixRun, step: string, commitSha: string): Promise<TestRun> {
  await run.control.safePoint()
  const { facts, prepared, baseline } = run.ready
  const measured = await run.control.step(() => {
    run.enter('testing', `tests: ${prepared.testCommand}`)
    return long(facts.queue, prepared.testTimeoutMs, `tests, ${step}`).runTests({
      run: run.id, step: `${run.runId}/${step}`, workspace: prepared.workspace, commit: commitSha, timeoutMs: prepared.testTimeoutMs, configHash: prepared.configHash, ...(baseline === undefined ? {} : { baseline }),
    })
  })
  if (measured.kind === 'measured' && run.ready.baseline === undefined) run.ready.baseline = measured.results
  return measured
}

/** After a resume the configuration counts as it is now: an agent or a limit may have been changed meanwhile. */
async function reload(run: TestFixRun): Promise<void> {
  const { state } = run
  if (state === undefined) return
  const reloaded = await files(state.facts.queue, 'read the configuration').reloadConfig({ workspace: state.prepared.workspace })
  if ('problem' in reloaded) state.warnings.push(`the configuration was not read again: ${reloaded.problem}`)
  else state.prepared = { ...state.prepared, ...reloaded }
}

async function commit(run: TestFixRun, n: number, agent: string) {
  const state = run.ready
  // Not interruptible: seconds, and a stop right behind it finds the work committed.
  await run.control.safePoint()
  run.enter('committing', `host: committing IMPL-fix-${n}`)
  const committed = await files(state.facts.queue, `commit IMPL-fix-${n}`).commitFix({
    run: run.id, step: `iteration-${n}/commit`, workspace: state.prepared.workspace, configHash: state.prepared.configHash, expectHead: state.head, at: Date.now(),
    subject: `IMPL-fix-${n}: test fix, iteration ${n}`, body: `Made by ${agent}.`,
  })
  state.head = committed.head
  if (committed.commit !== null) state.commits.push(committed.commit)
  return committed
}

async function rollBack(run: TestFixRun, n: number, fix: string, reason: string): Promise<void> {
  const state = run.ready
  run.enter('rolling back', `host: rolling back IMPL-fix-${n}`)
  const reverted = await files(state.facts.queue, `roll back IMPL-fix-${n}`).rollBack({
    run: run.id, step: `iteration-${n}/rollback`, workspace: state.prepared.workspace, configHash: state.prepared.configHash, expectHead: state.head, toTree: `${fix}^`, at: Date.now(),
    subject: `Revert IMPL-fix-${n}`, body: `Rolled back: ${reason}.`,
  })
  state.head = reverted.head
  if (reverted.commit !== null) state.commits.push(reverted.commit)
}

/** Projects the state into the record and the branch into the user's repository. */
async function record(run: TestFixRun, result?: RunResult): Promise<RunResult['failures']> {
  const state = run.ready
  const { warnings, failures } = await files(state.facts.queue, 'write the record').recordRun({
    run: run.id, prepared: state.prepared, status: run.status(), state, at: Date.now(), ...(result === undefined ? {} : { result }),
  })
  for (const warning of warnings) if (!state.warnings.includes(warning)) state.warnings.push(warning)
  return failures ?? []
}

/** The one way into the next iteration: a compact state, no open handler, no open question. */
async function nextIteration(run: TestFixRun): Promise<never> {
  for (;;) {
    await run.control.safePoint()
    run.questions.withdrawAll()
    if (allHandlersFinished()) break
    await condition(() => allHandlersFinished() || run.control.stop !== undefined)
  }
  const { pause } = run.control
  return continueAsNew<typeof testFixCycle>(run.input, { ...run.ready, requestIds: run.questions.requestIds, ...(pause === undefined ? {} : { pause }) })
}

/** Ends the run. A cancellation that arrives meanwhile cannot keep it from its record. */
function close(run: TestFixRun, outcome: TestFixOutcome, reason?: string): Promise<RunResult> {
  return CancellationScope.nonCancellable(() => closeRecorded(run, outcome, reason))
}

async function closeRecorded(run: TestFixRun, outcome: TestFixOutcome, reason: string | undefined): Promise<RunResult> {
  run.closing = true
  run.questions.withdrawAll()
  run.enter('closing', 'host: writing the record')
  const unjudged = run.unmeasured === undefined ? undefined : `${run.unmeasured.slice(0, 10)} is on the branch but was not measured`
  const result = runResult(run.id, outcome, note([reason, unjudged]), run.state)
  if (run.state !== undefined) result.failures = await record(run, result)
  run.outcome = outcome
  run.enter(outcome, 'nothing')
  await condition(allHandlersFinished)
  return result
}

/** Gives every way out of the cycle its proper end: stop, Web UI Cancel, refusals. */
async function ending(run: TestFixRun, body: () => Promise<RunResult>): Promise<RunResult> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof StopRequested) return close(run, 'stopped', error.message === '' ? 'stopped by request' : `stopped by request: ${error.message}`)
    if (isCancellation(error)) {
      await close(run, 'stopped', 'cancelled')
      throw error
    }
    // Something that only a person can mend. With a workspace the run ends properly, before it there is nothing to end.
    if (error instanceof ActivityFailure && run.state !== undefined && !run.closing) return close(run, 'blocked', error.cause?.message ?? error.message)
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true)
      throw ApplicationFailure.create({ type: error.cause.type ?? 'Refused', message: error.cause.message, nonRetryable: true, details: error.cause.details ?? [], cause: error })
    throw error
  }
}
