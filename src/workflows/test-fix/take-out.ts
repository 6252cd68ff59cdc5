// A fix of several causes that broke a test: leaves out one cause after the other, and measures the
// rest, until nothing is broken. Otherwise the whole fix is rolled back.
import type { PendingFix, RolledBack } from '../../contract/test-fix/test-fix-state.js'
import type { FixPart } from '../../contract/test-fix/task.js'
import type { TakenOut } from '../../contract/test-fix/test-fix-step.js'
import type { TestRun } from '../../contract/test-run.js'
import {
  brokeText,
  harmOf,
  mayRunAgain,
  nextSuspect,
  searched,
  type JudgedFix,
  type PartSearch,
} from '../../core/test-fix/causes/part-search.js'
import { rateOf } from '../../core/test-results/pass-rate.js'
import { hostStep } from '../run/host-step.js'
import { leaveSession } from './session-turn.js'
import type { TestFixRun } from './test-fix-run.js'

/** A fix of several causes that broke a test, and its full run. */
type Whole = { pending: PendingFix; parts: FixPart[]; whole: JudgedFix }

/** The fix without the causes that broke a test; or all of it, to be rolled back. */
type Rest = { pending: Partial<PendingFix>; judged: JudgedFix; leftOut?: RolledBack[] }

/** @param measure runs all tests on a commit, and judges it against the commit before the fix */
export async function takeOutWrong(
  run: TestFixRun,
  { pending, parts, whole, before }: Whole & { before: TestRun },
  measure: (commit: string, step: string) => Promise<JudgedFix>,
): Promise<Rest> {
  const all = parts.map(({ task }) => task)
  const leftMinutes = run.budget.minutesLeft()
  const notes = [...pending.notes]
  const leftOut: RolledBack[] = []
  let search: PartSearch | undefined
  let [rest, spentMs] = [whole, 0]
  for (let trial = 1; search === undefined || nextSuspect(search) !== undefined; trial++) {
    if (!mayRunAgain({ leftMinutes, spentMs, nextMs: rest.after.durationMs }))
      return rolledBack(whole, 'limits.maxMinutes leaves no time to find the cause that broke them')
    const step = `iteration-${pending.iteration}/without-${trial}`
    const candidate = `${pending.iteration}-without-${trial}`
    const taken = await takeOut(run, { pending, parts, whole, search, step, candidate })
    search ??= { all, out: [], suspects: taken.suspects, harm: harmOf(whole) }
    run.ready.lastKept = false
    const judged = await measure(taken.head, `${step}-retest`)
    const next = searched(search, harmOf(judged))
    if (next.out.length > search.out.length) {
      const task = next.out.at(-1) ?? ''
      notes.push(`${task} was taken out: ${brokeText(rest.after, judged.after)}`)
      leftOut.push({ task, before: rateOf(before), after: rateOf(rest.after) })
      rest = judged
    }
    search = next
    if (harmOf(rest) === 0) {
      const { head: commit, changedTests } = taken
      return { pending: { commit, changedTests, out: [...search.out], notes }, judged, leftOut }
    }
    spentMs += judged.after.durationMs
  }
  return rolledBack(whole, 'no single cause broke them')
}

/** Commits the fix without the next suspect. */
async function takeOut(
  run: TestFixRun,
  {
    pending: { changedTests },
    parts,
    whole,
    search,
    ...names
  }: Whole & {
    search: PartSearch | undefined
    step: string
    candidate: string
  },
): Promise<TakenOut> {
  const state = run.ready
  const which = search === undefined ? 'one of its causes' : (nextSuspect(search) ?? '')
  run.enter('taking out', `host: the fix without ${which}`)
  const taken = await hostStep(run, `leave out ${which}`, (host) =>
    host.takeOut({
      run: run.id,
      ...names,
      workspace: state.prepared.workspace,
      configHash: state.prepared.configHash,
      expectHead: state.head,
      at: Date.now(),
      parts,
      out: [...(search?.out ?? [])],
      ...(search === undefined ? {} : { suspects: [...search.suspects] }),
      whole: whole.after,
      ...(changedTests === undefined ? {} : { changedTests }),
    }),
  )
  state.head = taken.head
  leaveSession(state, 'rolled_back')
  return taken
}

function rolledBack({ after, verdict }: JudgedFix, why: string): Rest {
  const reason = verdict.keep ? brokeText(after) : verdict.reason
  return { pending: {}, judged: { after, verdict: { keep: false, reason: `${reason}; ${why}` } } }
}
