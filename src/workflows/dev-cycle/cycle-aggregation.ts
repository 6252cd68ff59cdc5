// Phase 3, result aggregation: commits and measures what the agents did, has VAS validate it, and
// returns issues to the agents that can solve them.
import { blockersAfter } from '../../core/dev-cycle/blockers.js'
import { implemented } from '../../core/dev-cycle/decisions.js'
import { namesTasks, unchangedTasks, worked } from '../../core/dev-cycle/promised.js'
import { measuresAgain } from '../../core/dev-cycle/measures-again.js'
import { idleKey } from '../../core/dev-cycle/brakes.js'
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { refusedAfter } from '../../core/dev-cycle/refusal.js'
import type { CycleRun } from './cycle-run.js'
import { commit, record, type Committed } from './cycle-steps.js'
import { validateTurn } from './cycle-turns.js'
import { settleEdits } from '../run/edit-questions.js'
import { checkQuality, measure } from '../run/measure.js'
import { conclude, measuredNow, type Verdict } from './cycle-verdict.js'
import { reportedBlockers, settleDecisions, settleBlockers } from './settle-decisions.js'
import { feedback } from './cycle-feedback.js'

/**
 * Phase 3, result aggregation, within one iteration: work → commit → measure → validate → feedback
 * → the same again.
 */
export async function aggregate(run: CycleRun): Promise<Verdict> {
  const state = run.ready
  const first = await judgeCommit(run, undefined, hasAnswered(state.results.cd))
  const { cd } = state.results
  if (cd !== undefined && cd.synthetic !== true)
    state.decisions = implemented(state.decisions, run.begun.decisions)
  state.blockers = blockersAfter(state.blockers, reportedBlockers(run), undefined)
  // A question about a blocker may be left from an earlier run.
  const stopped = await settleDecisions(run, [])
  // After a stop during a question, the iteration is reported as it is.
  const isOver = stopped !== undefined || run.control.stop !== undefined
  const told = isOver ? [] : await feedback(run)
  if (told.length > 0) await judgeCommit(run, first, told.includes('cd'))
  const end = stopped ?? (await settleBlockers(run, told))
  await settleEdits(run, { isAsked: run.ready.interactive, record: () => record(run) })
  return { ...conclude(run), end }
}

/** `unchanged`: the tasks of which VAS knows that CD changes nothing for them. */
type Judged = { committed: Committed; unchanged: { id: string; why: string }[] }

function hasAnswered(cd: CycleState['results'][Phase]): boolean {
  return cd !== undefined && cd.synthetic !== true
}

/**
 * Judges a commit; uncommitted work is not judged. A feedback round keeps the verdict if it changes
 * no code, no measurement, and claims no further task as unchanged.
 *
 * @param answered CD has ended its turn
 */
async function judgeCommit(
  run: CycleRun,
  before: Judged | undefined,
  answered: boolean,
): Promise<Judged> {
  const state = run.ready
  const { head, iteration } = state
  state.currentPhase = 'aggregation'
  const again = before !== undefined
  const step = `iteration-${iteration}/${again ? 'commit-again' : 'commit'}`
  const made = await commit(run, step, state.results.cd?.agent ?? null)
  const isMoved = state.head !== head
  const committed = before === undefined || isMoved ? made : before.committed
  if (namesTasks(state.promised ?? [], state.results.cd)) state.namesTasks = true
  state.promised = worked(
    state.promised ?? [],
    state.results.cd,
    state.commits.slice(run.begun.commits),
    run.known,
    state.takenBack === true,
  )
  const unchanged = unchangedTasks(state.promised)
  const mark = measuredMark(run)
  if (isMoved || needsMeasurement(run, { again, answered }))
    await measure(run, `iteration-${iteration}/${again ? 'measure-again' : 'measure'}`)
  if (again && !isMoved && mark === measuredMark(run) && !claimsMore(before.unchanged, unchanged))
    return before
  if (state.commits.length > 0)
    await checkQuality(run, `iteration-${iteration}/${again ? 'measure-again' : 'measure'}`)
  run.validated = undefined
  await validateTurn(run, {
    commit: state.head,
    files: committed.files.slice(0, FILES_NAMED),
    filesTotal: committed.filesTotal,
    changedTests: run.changedTests,
    again,
    measured: state.lastRun,
    unmeasured: state.unmeasured,
    noChange: unchanged,
  })
  const { vas } = state.results
  if (vas?.synthetic === true) return { committed, unchanged }
  run.validated = state.head
  const refused =
    vas === undefined
      ? state.refused
      : refusedAfter(state.refused, vas, {
          commit: state.head,
          iteration: state.iteration,
          run: state.lastRun,
        })
  if (refused === undefined) delete state.refused
  else state.refused = refused
  return { committed, unchanged }
}

/** Whether the head, which has not moved, is measured. */
function needsMeasurement(
  run: CycleRun,
  { again, answered }: { again: boolean; answered: boolean },
) {
  const { lastRun } = run.ready
  return lastRun === undefined
    ? !again
    : measuresAgain({ run: lastRun, items: measuredNow(run), answered })
}

/** What the last run leaves open, to compare it with the next one. */
function measuredMark(run: CycleRun): string {
  return `${run.ready.lastRun?.kind} ${idleKey(measuredNow(run))}`
}

function claimsMore(before: Judged['unchanged'], now: Judged['unchanged']): boolean {
  return now.some(({ id }) => !before.some((one) => one.id === id))
}

/** Number of changed files that VAS gets by name; all of them are in changes.log. */
const FILES_NAMED = 30
