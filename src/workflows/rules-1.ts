// The first decision rules of the test-fix cycle, for runs that were started under them: every failure
// counts as high, one strategy, the analysis is passed on as text. New runs take the newest rules. Not to
// be changed: kept histories and open runs replay it.
import type { IterationSummary } from '../contract/result.js'
import type { RunResult } from '../contract/result.js'
import type { TestRun } from '../contract/test-run.js'
import { claimedRate } from '../core/claim.js'
import { gate } from '../core/gate.js'
import { isRegression } from '../core/regression.js'
import { NO_USAGE, baselineSummary, claimNote, counts, describeRun, firstSentence, flakyReason, note, rateOf, regressionReason, turnNotes } from '../core/test-fix-view.js'
import { close, nextIteration } from './lib/test-fix-end.js'
import type { End } from './lib/test-fix-end.js'
import { commitFix, measure, prepare, record, rollBack } from './lib/test-fix-steps.js'
import { noAgentReason } from '../core/agents-needed.js'
import type { TestFixRun } from './lib/test-fix-run.js'
import { roleTurn } from './lib/role-turn.js'

/** One iteration under rules 1. */
export async function cycleOfRules1(run: TestFixRun, first: boolean): Promise<RunResult> {
  if (run.state === undefined) await begin(run)
  const end = await judge(run)
  if (end !== undefined) return close(run, end)
  if (first) return nextIteration(run) // iteration 0 was the first run
  const blocked = await iterate(run)
  return blocked === undefined ? nextIteration(run) : close(run, { outcome: 'blocked', reason: blocked })
}

/** Iteration 0: facts about the server, a workspace, the first full run. */
async function begin(run: TestFixRun): Promise<void> {
  const { input } = run
  const { facts, prepared } = await prepare(run)
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
async function judge(run: TestFixRun): Promise<End | undefined> {
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
  const reason = noAgentReason(state.prepared.agents, ['cli-planning-agent', 'test-fix-agent'])
  return reason === undefined ? undefined : { outcome: 'blocked', reason }
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

  const committed = await commitFix(run, n, fix.result.agent)
  const claimed = claimedRate(fix.result.tail)
  const summary = (result: IterationSummary['result'], after: TestRun, notes: (string | undefined)[]): void => {
    const text = note(notes)
    state.history.push({
      iteration: n, passRate: rateOf(after), ...counts(after), result, commit: committed.commit,
      turns: state.usage.turns - turnsBefore, ...(claimed === undefined ? {} : { claimed }), ...(text === undefined ? {} : { note: text }),
    })
  }
  const told = turnNotes(fix, committed)
  delete state.rollbackReason
  state.iteration = n
  if (committed.commit === null) {
    summary('no_change', before, [...told, 'the fix changed nothing', claimNote(claimed, before)])
  } else {
    run.unmeasured = committed.commit
    const after = await measure(run, `iteration-${n}/retest`, committed.head)
    run.unmeasured = undefined
    if (isRegression(before, after) && before.kind === 'measured') {
      const reason = regressionReason(before, after)
      await rollBack(run, n, committed.commit, reason)
      summary('rolled_back', after, [...told, claimNote(claimed, after), `rolled back: ${reason}`])
      state.rollbackReason = `IMPL-fix-${n} was rolled back: ${reason}`
    } else {
      state.lastRun = after
      summary(after.kind === 'measured' ? 'kept' : 'not_started', after, [...told, claimNote(claimed, after), after.kind === 'measured' ? undefined : firstSentence(after.reason)])
    }
  }
  await record(run)
  return undefined
}
