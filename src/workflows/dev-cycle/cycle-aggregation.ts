// Phase 3, result aggregation: commits and measures what the agents did, has VAS validate it, and
// returns issues to the agents that can solve them.
import { blockersAfter } from '../../core/dev-cycle/blockers.js'
import { implemented } from '../../core/dev-cycle/decisions.js'
import { namesTasks, worked } from '../../core/dev-cycle/promised.js'
import { refusedAfter } from '../../core/dev-cycle/refusal.js'
import type { CycleRun } from './cycle-run.js'
import { commit, record, type Committed } from './cycle-steps.js'
import { validateTurn } from './cycle-turns.js'
import { settleEdits } from '../run/edit-questions.js'
import { checkQuality, measure } from '../run/measure.js'
import { type Verdict, conclude } from './cycle-verdict.js'
import { reportedBlockers, settleDecisions, settleBlockers } from './settle-decisions.js'
import { feedback } from './cycle-feedback.js'

/**
 * Phase 3, result aggregation, within one iteration: work → commit → measure → validate → feedback
 * → the same again.
 */
export async function aggregate(run: CycleRun): Promise<Verdict> {
  const state = run.ready
  const first = await judgeCommit(run, undefined)
  const { cd } = state.results
  if (cd !== undefined && cd.synthetic !== true)
    state.decisions = implemented(state.decisions, run.begun.decisions)
  state.blockers = blockersAfter(state.blockers, reportedBlockers(run), undefined)
  await settleDecisions(run, [])
  // After a stop during a question, the iteration is reported as it is.
  const told = run.control.stop === undefined ? await feedback(run) : []
  if (told.length > 0) await judgeCommit(run, first)
  const end = await settleBlockers(run, told)
  await settleEdits(run, { isAsked: run.ready.interactive, record: () => record(run) })
  return { ...conclude(run), end }
}

type Judged = { committed: Committed }

/**
 * Judges a commit; uncommitted work is not judged. A feedback round without code changes keeps the
 * verdict.
 */
async function judgeCommit(run: CycleRun, before: Judged | undefined): Promise<Judged> {
  const state = run.ready
  const { head, iteration } = state
  state.currentPhase = 'aggregation'
  const again = before !== undefined
  const step = `iteration-${iteration}/${again ? 'commit-again' : 'commit'}`
  const committed = await commit(run, step, state.results.cd?.agent ?? null)
  if (namesTasks(state.promised ?? [], state.results.cd)) state.namesTasks = true
  state.promised = worked(
    state.promised ?? [],
    state.results.cd,
    state.commits.length > run.begun.commits,
    run.known,
  )
  if (again && state.head === head) return before
  if (state.head !== head || state.lastRun === undefined)
    await measure(run, `iteration-${iteration}/${again ? 'measure-again' : 'measure'}`)
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
    noChange: state.promised.flatMap(({ id, state: how, why = '' }) =>
      how === 'no_change' ? [{ id, why }] : [],
    ),
  })
  const { vas } = state.results
  if (vas?.synthetic === true) return { committed }
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
  return { committed }
}

/** Number of changed files that VAS gets by name; all of them are in changes.log. */
const FILES_NAMED = 30
