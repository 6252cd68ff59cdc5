// Decides what follows an iteration: the next one, a question to a person, or the end.
import { type CycleRun, menuId, extendId, waitingTasks } from './cycle-run.js'
import { type Verdict, issuesOf } from './cycle-verdict.js'
import type { CycleEnd } from './cycle-end.js'
import { brake, idleKey } from '../../core/dev-cycle/brakes.js'
import { afterIteration } from '../../core/dev-cycle/next-iteration.js'
import { record } from './cycle-steps.js'
import { settleEdits } from '../run/edit-questions.js'
import { gateOf } from '../../core/dev-cycle/documents/focus.js'
import { openItems, hasCommitted } from '../../core/run/open-items.js'
import { cycleEvidence } from '../../core/dev-cycle/cycle-open.js'
import { cycleOutcome } from '../../core/dev-cycle/cycle-outcome.js'
import { note, shortList } from '../../core/text/short-text.js'
import { issueTexts } from '../../core/dev-cycle/issue.js'
import { withWords } from '../../core/dev-cycle/decisions.js'
import { extensionProblem } from '../../core/dev-cycle/plan-tasks.js'

export async function decide(
  run: CycleRun,
  verdict: Verdict,
): Promise<CycleEnd | 'next iteration'> {
  const state = run.ready
  if (verdict.end !== undefined) return verdict.end
  // The whole iteration is reported, including the stop.
  if (!verdict.converged && run.control.stop !== undefined) await run.control.safePoint()
  const { items } = verdict.open
  const committed = state.commits.length > run.begun.commits
  const braked =
    verdict.converged || verdict.movesOn
      ? undefined
      : brake({
          results: state.results,
          run: state.lastRun,
          items,
          committed,
          idleWith: state.idleWith,
        })
  if (committed) delete state.idleWith
  else state.idleWith = idleKey(items)
  const then = afterIteration({
    converged: verdict.converged,
    pendingExtensions: state.pendingExtensions.length,
    iteration: state.iteration,
    maxIterations: state.maxIterations,
    interactive: state.interactive,
  })
  if (then === 'limit') return endOf(run, verdict, 'the iterations are spent')
  if (then === 'complete' && !state.interactive) return endOf(run, verdict, '')
  if (braked !== undefined && state.pendingExtensions.length === 0 && !state.interactive)
    return endOf(run, verdict, braked)
  await record(run)
  if (then === 'ask' || then === 'complete') {
    const end = await askPerson(run, verdict, then === 'complete' ? 'finish' : 'continue', braked)
    // A further task that came with the answer is not lost with it.
    if (end !== undefined && (end.outcome === 'stopped' || state.pendingExtensions.length === 0))
      return end
    // A person's edit before the answer is new for the next iteration.
    await record(run)
    await settleEdits(run, { isAsked: run.ready.interactive, record: () => record(run) })
  }
  // An extension may have come during the record and the question.
  state.maxIterations = Math.max(state.maxIterations, state.iteration + 1)
  return 'next iteration'
}

/** `why`: the reason why no further iteration follows. */
function endOf(
  run: CycleRun,
  { converged, movesOn, open, why: unmet }: Verdict,
  why: string,
  confirmed = false,
): CycleEnd {
  const { ready: state } = run
  const judged = confirmed
    ? openItems(
        cycleEvidence(state, { issues: issuesOf(run), validated: run.validated, confirmed }),
      )
    : open
  const { outcome, reason } = cycleOutcome({
    open: judged,
    committed: hasCommitted(state),
    run: state.lastRun,
    hadBaseline: state.baselineOfBase === true,
    gate:
      converged || gateOf(state) === 'default'
        ? undefined
        : `${unmet}${movesOn ? '; 1→100 is not reached' : ''}`,
    why: converged ? '' : why,
  })
  // A missing document is a warning if the work is done.
  if (outcome === 'completed')
    for (const text of issueTexts(issuesOf(run).filter(({ kind }) => kind === 'missing_output')))
      run.warn(text)
  return {
    outcome,
    review: judged.review,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(confirmed ? { confirmed } : {}),
  }
}

/**
 * In interactive mode, asks for days if need be: continue or finish, extend or stop. `braked`: why
 * a further iteration may change nothing.
 */
async function askPerson(
  run: CycleRun,
  verdict: Verdict,
  recommended: 'continue' | 'finish',
  braked: string | undefined,
): Promise<CycleEnd | undefined> {
  const state = run.ready
  const { why } = verdict
  const id = menuId(state.iteration)
  const texts = verdict.open.items.map(({ text }) => text)
  run.enter('deciding', 'person: what to do next')
  const answer = await run.ask({
    id,
    kind: 'menu',
    options: [recommended, 'extend', 'stop'],
    recommended,
    askedAt: Date.now(),
    text: `Iteration ${state.iteration} of ${state.maxIterations}: ${why}. ${texts.length < 2 ? '' : `Also open: ${shortList(texts.slice(1), texts.length - 1, 3)}. `}${braked === undefined ? '' : `Note: ${braked}. `}${recommended === 'finish' ? 'Finish' : 'Continue'}, extend the task, or stop?`,
  })
  let text = run.questions.textOf(id)?.trim()
  const words = text === undefined || text === '' ? undefined : text
  if (answer === 'finish') {
    const end = endOf(run, verdict, '', !run.questions.isSilent(id))
    return words === undefined
      ? end
      : { ...end, reason: note([`a person said: ${words}`, end.reason]) ?? '' }
  }
  if (answer === 'stop')
    return {
      outcome: 'stopped',
      reason: note([`stopped by choice after iteration ${state.iteration}`, words, why]) ?? '',
    }
  if (answer !== 'extend') {
    if (words !== undefined) state.decisions = withWords(state.decisions, state.iteration, words)
    return undefined
  }
  for (let said = ''; ;) {
    if (text === undefined || text === '')
      text = await run.ask({
        id: extendId(state.iteration),
        kind: 'clarification',
        text: `${said}What is the further task?`,
        options: [],
        askedAt: Date.now(),
      })
    // Stopped, extended meanwhile, or no one named a task
    if (text === undefined || text === '' || run.questions.isSilent(extendId(state.iteration)))
      return undefined
    const problem = extensionProblem([...state.tasks, ...waitingTasks(state)], text)
    if (problem === undefined) break
    // Asks again with the reason: a person's task is not dropped with a warning.
    said = `The extension cannot be accepted: ${problem}. `
    text = undefined
  }
  state.pendingExtensions = [...state.pendingExtensions, text]
  return undefined
}
