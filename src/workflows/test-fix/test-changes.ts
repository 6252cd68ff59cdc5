// Test changes that agents propose: read from an answer, asked about, and applied if a person
// accepts them.
//
// A run without a proposal runs none of this, so its history has no command of it.
import type { TestRun } from '../../contract/test-run.js'
import type { TurnResult } from '../../contract/turn.js'
import {
  answered,
  changeProblem,
  nothingElseLeft,
  openChanges,
  proposalNotes,
  proposedReason,
  testChangeQuestion,
} from '../../core/test-fix/test-changes.js'
import { describeRun } from '../../core/run/describe-run.js'
import { confirmBeforeChange } from './confirm.js'
import type { End, Then } from './test-fix-end.js'
import { record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { hostStep, moveHead } from '../run/host-step.js'
import { note, shortList } from '../../core/text/short-text.js'
import { backToBest } from './go-back.js'
import { bestOf } from '../../core/test-fix/best-state.js'
import { measureAndCompare } from './measure-fix.js'

/**
 * Keeps the valid proposals of a turn's answer, and returns the text about all of them for the
 * iteration's note.
 */
export async function takeProposals(
  run: TestFixRun,
  turn: TurnResult,
  iteration: number,
): Promise<string[]> {
  if (turn.proposes === undefined) return []
  const state = run.ready
  const { workspace, recordDir, configHash } = state.prepared
  run.enter('reading proposals', 'host: checking the proposed test changes')
  const { proposals, valid, refused } = await hostStep(
    run,
    `check proposed test changes, iteration ${iteration}`,
    (host) =>
      host.proposeTestChanges({
        run: run.id,
        workspace,
        recordDir,
        configHash,
        head: state.head,
        iteration,
        agent: turn.agent,
        answer: turn.answer,
        known: state.proposals ?? [],
      }),
  )
  if (proposals.length > 0) state.proposals = proposals
  return proposalNotes(valid, refused)
}

/**
 * Decides how the run continues with open proposals. An attended run asks a person. Any other run
 * refuses them for now: it ends once nothing else is left, which is an outcome's reason of its own.
 * A blocked session that continues has an iteration first.
 *
 * @param end how the run would end without them; `undefined` if another iteration may follow
 */
export async function onTestChanges(
  run: TestFixRun,
  last: TestRun,
  end: End | undefined,
  { nothingPlanned = false }: { nothingPlanned?: boolean } = {},
): Promise<Then | undefined> {
  const state = run.ready
  const open = openChanges(state)
  // The run would end at its best state, so the failures of that state count.
  const judged = end !== undefined && state.best !== undefined ? state.best.run : last
  if (open.length === 0 || judged.kind !== 'measured') return end
  const coverage = await hostStep(run, 'count the tests that are proposed to change', (host) =>
    host.countCovered({
      results: judged.results,
      files: [...new Set(open.map(({ file }) => file))],
    }),
  )
  if (coverage.covered === 0) return end
  if (run.input.attended === true) {
    const question = testChangeQuestion(open, Date.now())
    run.enter('asking', `person: ${question.text}`)
    const answer = await run.ask(question)
    await run.control.safePoint()
    if (answer === 'accept') return (await acceptTestChanges(run)) ?? 'next iteration'
    if (answer === 'refuse') state.proposals = answered(state.proposals ?? [], 'refused')
    return end
  }
  const reason = proposedReason(run.id, open, coverage)
  const progress = !nothingPlanned && (state.progress === true || state.lastStrategy === undefined)
  if (nothingElseLeft(coverage, { ends: end !== undefined, progress }))
    return { outcome: 'blocked', reason, limit: progress ? end?.limit : undefined }
  return end === undefined ? undefined : { ...end, reason: note([end.reason, reason]) ?? reason }
}

/**
 * Has canaries confirm the best state, commits the open proposals on it, and measures that commit:
 * for the files it changes, this run replaces baseline and best.
 *
 * @returns why the run ends, if a patch no longer applies, the suite does not start with it, or
 * tests of other files break
 */
export async function acceptTestChanges(run: TestFixRun): Promise<End | undefined> {
  const state = run.ready
  const changes = openChanges(state)
  const names = shortList(changes.map(({ file }) => file))
  const step = `test-change-${Math.max(0, ...changes.map(({ number }) => number))}`
  await run.control.safePoint()
  if (state.best !== undefined && state.atBest !== true) await backToBest(run, `${step}/best`)
  const { refuted, end } = await confirmBeforeChange(run, step)
  if (end !== undefined) return end
  const { workspace, configHash } = state.prepared
  const { head: before, atBest, best, baseline, lastFull, stuckMajority, stuckTests } = state
  // The change is compared with what it is made on, also if the last run of that did not measure.
  if (best !== undefined && state.lastRun?.kind !== 'measured') state.lastRun = best.run
  run.enter('committing', 'host: applying the accepted test changes')
  const applied = await hostStep(run, 'apply accepted test changes', (host) =>
    host.applyTestChanges({
      run: run.id,
      step,
      workspace,
      configHash,
      expectHead: before,
      at: Date.now(),
      changes,
      subject: `Change ${changes.length === 1 ? 'a test' : `${changes.length} tests`} as proposed`,
      body: changes
        .map(
          ({ file, why, agent }) => `${file}: ${why} (proposed by ${agent}, accepted by a person)`,
        )
        .join('\n'),
    }),
  )
  if ('refused' in applied)
    return {
      outcome: 'blocked',
      reason: `the proposed change of ${applied.refused.file} cannot be applied: ${applied.refused.reason}`,
    }
  state.head = applied.head
  if (applied.commit !== null) {
    state.commits.push(applied.commit)
    run.unmeasured = applied.commit
    state.atBest = false // a stop goes back to what was measured
  }
  const measured = await measureAndCompare(run, `${step}/measure`, [], {
    replaces: changes.map(({ file }) => file),
  })
  const problem = changeProblem(measured, names)
  if (problem !== undefined || measured.kind !== 'measured') {
    Object.assign(state, { baseline, lastFull, stuckMajority, stuckTests })
    if (measured.kind === 'measured') run.unmeasured = undefined
    await undo(run, step, before, measured)
    state.atBest = atBest
    run.unmeasured = undefined
    return { outcome: 'blocked', reason: problem ?? names }
  }
  run.unmeasured = undefined
  state.lastRun = measured
  state.best = bestOf(measured, state.iteration)
  delete state.start
  delete state.earlier
  delete state.dropped
  Object.assign(state, { atBest: true, lastKept: true, worse: 0, repeated: false, progress: true })
  if (!refuted) delete state.rollbackReason
  state.proposals = answered(state.proposals ?? [], 'accepted')
  run.warn(`the proposed change of ${names} was accepted and applied: ${describeRun(measured)}`)
  await record(run)
  return undefined
}

async function undo(
  run: TestFixRun,
  step: string,
  before: string,
  { kind }: TestRun,
): Promise<void> {
  const state = run.ready
  run.enter('going back', 'host: undoing the accepted test changes')
  const back = await hostStep(run, 'undo the accepted test changes', (host) =>
    host.goBack({
      run: run.id,
      step: `${step}/back`,
      workspace: state.prepared.workspace,
      configHash: state.prepared.configHash,
      expectHead: state.head,
      toTree: before,
      at: Date.now(),
      subject: 'Undo the accepted test changes',
      body:
        kind === 'measured'
          ? 'They break tests of other files.'
          : 'The tests do not start with them.',
    }),
  )
  moveHead(state, back)
}
