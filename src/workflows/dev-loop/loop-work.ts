// Runs one action of a dev loop: the worker's turn, the commit of its work, the measurement, and
// their effect on the loop.
import type { WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../contract/dev-loop/loop-input.js'
import { withWorker, type Looked } from '../../core/dev-loop/after-action.js'
import { loopDescription, taskFor } from '../../core/dev-loop/loop-tasks.js'
import { claimedRate, validationOf, wordOfWorker } from '../../core/dev-loop/validation.js'
import { summaryOfWorker } from '../../core/dev-loop/loop-view.js'
import { settleEdits } from '../run/edit-questions.js'
import { checkQuality } from '../run/measure.js'
import type { LoopRun } from './loop-run.js'
import { commit, measureAll, record } from './loop-steps.js'
import { workerTurn, type WorkerDone, type WorkerTurn } from './loop-turns.js'
import type { CommitLoopAnswer, WorkerFacts } from '../../contract/dev-loop/loop-step.js'

/** Number of summaries that a run carries, the newest; the record has all of them. */
const HISTORY_KEPT = 30

/** `merged`: it checks the merge of this parallel round, which is already measured. */
export type WorkOptions = Partial<
  Pick<WorkerTurn, 'limitMs' | 'convergeMs' | 'words' | 'session'>
> & { merged?: boolean }

/** Runs one worker to its end, and keeps its result. */
export async function work(
  run: LoopRun,
  action: LoopAction,
  { merged = false, ...limits }: WorkOptions = {},
): Promise<void> {
  await run.control.safePoint() // mode and configuration may differ afterwards
  const state = run.ready
  if (state.mode !== 'parallel') state.iteration++
  const { iteration } = state
  const startedAt = Date.now()
  const turnsBefore = state.usage.turns
  state.phase = action
  run.worker = `${action}, iteration ${iteration},`
  const task = action === 'develop' ? taskFor(state) : undefined
  if (task !== undefined)
    state.tasks = state.tasks.map((one) =>
      one.id === task.id ? { ...one, status: 'in_progress' } : one,
    )
  // At the end, only the last measurement of the head may be claimed.
  if (
    (action === 'validate' && !merged) ||
    (action === 'complete' && state.validation?.commit !== state.head)
  )
    await measureAll(run, `iteration-${iteration}/measure`)
  // A loop that continues from its record does not know the checks of its head.
  else if (action === 'complete') await checkQuality(run, `iteration-${iteration}/measure`)
  const { agentTurnMs, convergeMs } = state.prepared.limits
  const done = await workerTurn(run, {
    action,
    task,
    limitMs: agentTurnMs,
    convergeMs,
    ...limits,
    ...(merged ? { step: `${action}-merged` } : {}),
  })
  const committed = await commit(run, done)
  if (action === 'validate' && committed.commit !== null)
    await measureAll(run, `iteration-${iteration}/measure-again`)
  if (action === 'validate') state.validation = validated(run, done)
  keep(run, { ...done, commit: committed.commit }, committed, { commit: state.head })
  state.history = [
    ...state.history,
    summaryOfWorker({
      end: { ...done, commit: committed.commit },
      run: state.lastRun,
      measured: action === 'validate' || action === 'complete',
      turns: state.usage.turns - turnsBefore,
      filesTotal: committed.filesTotal,
      ...(merged ? { about: 'the merge' } : {}),
      startedAt,
      completedAt: Date.now(),
    }),
  ].slice(-HISTORY_KEPT)
  run.worker = undefined
  run.recording()
  await record(run)
  await settleEdits(run, { isAsked: state.mode === 'interactive', record: () => record(run) })
}

/** Returns what Ratchet measured of the head, and what validate says about it. */
function validated(run: LoopRun, done: WorkerDone): NonNullable<LoopRun['ready']['validation']> {
  const { lastRun, unmeasured, quality, iteration, head, validation, texts, prepared } = run.ready
  return validationOf({
    run: lastRun,
    unmeasured,
    quality,
    claimed: claimedRate(done.claimed),
    iteration,
    commit: head,
    word: wordOfWorker(done),
    description: loopDescription(texts),
    requireGreen: prepared.requireGreen,
    before: validation,
  })
}

/** Applies the end of a worker to the loop and its output file. */
export function keep(
  run: LoopRun,
  end: WorkerEnd,
  files: Pick<CommitLoopAnswer, 'files' | 'filesTotal'>,
  looked: Looked,
): void {
  Object.assign(run.ready, withWorker(run.ready, end, files, looked))
  run.facts = [
    ...run.facts.filter(({ action }) => action !== end.action),
    factsOf(run, end, files.files),
  ]
  run.clarifications.delete(end.action)
}

function factsOf(run: LoopRun, { action, iteration }: WorkerEnd, files: string[]): WorkerFacts {
  const { lastRun, quality, head } = run.ready
  const facts: WorkerFacts = {
    action,
    iteration,
    files,
    clarifications: run.clarifications.get(action) ?? [],
  }
  if (action !== 'validate') return facts
  return {
    ...facts,
    tests:
      lastRun?.kind === 'measured'
        ? { total: lastRun.total, passed: lastRun.passed, failed: lastRun.failed }
        : null,
    coverage: quality?.coverage ?? null,
    quality:
      quality?.commit === head
        ? Object.fromEntries(quality.checks.map(({ name, result }) => [name, result]))
        : {},
  }
}
