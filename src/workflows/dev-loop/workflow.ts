// The dev loop in its three modes: a person chooses the next action, the state of the work does, or
// three workers run at the same time.
//
// A few actions are one run of the workflow: it ends in `nextRun`, which continues as new.
import {
  LOOP_ACTIONS,
  type LoopInput,
  type LoopAction,
  type LoopMode,
} from '../../contract/dev-loop/loop-input.js'
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { RunResult } from '../../contract/result.js'
import { furtherTask, pendingTasks } from '../../core/dev-loop/loop-tasks.js'
import { COMPLETE_ANYWAY, menuQuestion, openQuestion } from '../../core/dev-loop/menu.js'
import { nextAction } from '../../core/dev-loop/loop-next-action.js'
import { openIn, openLine } from '../../core/dev-loop/loop-open.js'
import { completedReason, roundFailure } from '../../core/dev-loop/loop-outcome.js'
import { note } from '../../core/text/short-text.js'
import { textDigest } from '../../core/text/text-digest.js'
import { approveBreakdown } from './approve-breakdown.js'
import { close, nextRun, type LoopEnd } from './loop-end.js'
import { sideBySide } from './loop-parallel.js'
import { openLoop, type LoopRun } from './loop-run.js'
import { record, reload } from './loop-steps.js'
import { work } from './loop-work.js'
import { whenReady } from '../run/hold.js'
import { ended } from '../run/run-end.js'
import { begin } from './loop-begin.js'

/** Actions of one workflow run: keeps its history small, and lets new code take effect soon. */
const ACTIONS_A_RUN = 5

/** Works on a task action by action. See `LoopInput`; the second argument is internal. */
export async function devLoop(input: LoopInput, carried?: LoopState): Promise<RunResult> {
  const run = openLoop(input, carried)
  run.control.beforeHold = whenReady(run, record)
  run.control.afterHold = whenReady(run, reload)
  return ended(
    run,
    () => loop(run),
    (end) => close(run, end),
    'failed',
  )
}

async function loop(run: LoopRun): Promise<RunResult> {
  if (run.state === undefined) {
    const refused = await begin(run)
    if (refused !== undefined) return close(run, refused)
  }
  for (let actions = 0; actions < ACTIONS_A_RUN; actions++) {
    const end = await MODES[run.ready.mode](run)
    if (end !== undefined) return close(run, end)
  }
  return nextRun(run)
}

/** One step of each mode; an answer ends the loop. */
const MODES: Readonly<Record<LoopMode, (run: LoopRun) => Promise<LoopEnd | undefined>>> = {
  interactive,
  auto,
  parallel,
}

/** Runs init once, then the menu. */
async function interactive(run: LoopRun): Promise<LoopEnd | undefined> {
  if (!run.ready.initialised) {
    await plan(run)
    return undefined
  }
  await approveBreakdown(run)
  const { choice, words } = await choose(run)
  if (choice === 'exit') return { outcome: 'user_exit', reason: words }
  if (!isAction(choice)) return undefined // asked again if needed
  if (choice === 'complete' && !(await mayComplete(run))) return undefined
  const told = run.ready.texts.length
  await work(run, choice, words === undefined ? {} : { words })
  if (choice !== 'complete') return undefined
  if (run.ready.texts.length === told) return completed(run.ready)
  // A further task that arrives meanwhile keeps the loop open, and its end is not confirmed yet.
  delete run.ready.confirmed
  return undefined
}

/** Asks a person once more if something is open. */
async function mayComplete(run: LoopRun): Promise<boolean> {
  const { ready: state } = run
  delete state.confirmed
  const question = openQuestion(state, `complete-${state.iteration}`, Date.now())
  if (question === undefined) return true
  run.enter('deciding', 'person: whether it is completed with what is open')
  const choice = await run.ask(question)
  await run.control.safePoint()
  if (choice !== COMPLETE_ANYWAY) return false
  // Silence does not confirm what is open.
  if (run.questions.isSilent(question.id)) return openIn(state).items.length === 0
  state.confirmed = true
  return true
}

/**
 * Ends a loop after complete has had its turn; `undefined` if something is open that no person has
 * confirmed.
 */
function completed(state: LoopState): LoopEnd | undefined {
  if (state.confirmed !== true && openIn(state).items.length > 0) return undefined
  const reason = completedReason(state)
  return { outcome: 'completed', reason }
}

/** Runs init, and adds tasks that arrived meanwhile, which its breakdown does not contain. */
async function plan(run: LoopRun, limits?: Parameters<typeof work>[2]): Promise<void> {
  await run.control.safePoint() // init gets what arrives during a pause
  const { ready: state } = run
  const told = state.texts.length
  await work(run, 'init', limits)
  for (const text of state.texts.slice(told))
    state.tasks = [...state.tasks, furtherTask(state, text)]
}

/** Returns a person's choice at the menu, with the text added to it. */
async function choose(run: LoopRun): Promise<{ choice: string; words?: string }> {
  await run.control.safePoint()
  const { ready: state } = run
  if (state.mode !== 'interactive') return { choice: '' }
  run.enter('deciding', 'person: what to do next')
  const id = run.menuId
  const choice = await run.ask(menuQuestion(state, id, Date.now()))
  await run.control.safePoint()
  const words = run.questions.textOf(id)?.trim() ?? ''
  return { choice: choice ?? '', ...(words === '' ? {} : { words }) }
}

function isAction(choice: string): choice is LoopAction {
  return (LOOP_ACTIONS as readonly string[]).includes(choice)
}

/** Runs the action that the state of the work asks for. */
async function auto(run: LoopRun): Promise<LoopEnd | undefined> {
  await run.control.safePoint()
  const { ready: state } = run
  if (state.mode !== 'auto') return undefined
  const next = nextAction(state)
  if ('end' in next) return { outcome: next.end, reason: next.reason }
  state.actionIndex = LOOP_ACTIONS.indexOf(next.action)
  await (next.action === 'init' ? plan(run) : work(run, next.action))
  return undefined
}

/**
 * Runs init, three parallel workers, a validation of their merge, and complete. Open items cause
 * another round.
 */
async function parallel(run: LoopRun): Promise<LoopEnd | undefined> {
  await run.control.safePoint()
  const { ready: state } = run
  if (state.mode !== 'parallel') return undefined
  if (state.iteration >= state.maxIterations)
    return {
      outcome: 'max_iterations',
      reason:
        note([`the ${state.maxIterations} rounds are spent`, openLine(openIn(state).items)]) ?? '',
    }
  state.iteration++
  const { edgeMs, convergeMs } = state.prepared.limits.parallel
  const edge = { limitMs: edgeMs, convergeMs }
  if (!state.initialised) await plan(run, edge)
  await sideBySide(run)
  // A person has changed the mode meanwhile
  if (run.ready.mode !== 'parallel') return undefined
  const failure = roundFailure(state)
  if (failure !== undefined) return { outcome: 'failed', reason: failure }
  if (pendingTasks(state.tasks).length === 0) await work(run, 'validate', { merged: true })
  if (run.ready.mode !== 'parallel') return undefined
  if (openIn(state).items.length > 0) return idleRound(state)
  await work(run, 'complete', edge)
  return completed(state)
}

/** Ends a loop whose last two rounds committed nothing and left the same items open. */
function idleRound(state: LoopState): LoopEnd | undefined {
  const { items } = openIn(state)
  const mark = textDigest([state.head, ...items.map(({ text }) => text)].join('\n'))
  if (state.roundMark === mark)
    return {
      outcome: 'failed',
      reason: note(['two rounds in a row committed nothing', openLine(items)]) ?? '',
    }
  state.roundMark = mark
  return undefined
}
