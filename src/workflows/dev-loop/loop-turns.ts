// Runs a worker of a dev loop: its turn, and rounds of questions and answers as needed.
import type { WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import { LOOP_ACTIONS, LOOP_ROLES, type LoopAction } from '../../contract/dev-loop/loop-input.js'
import type {
  Clarification,
  LoopTask,
  WorkerReading,
} from '../../contract/dev-loop/action-reading.js'
import type { Workspace } from '../../contract/workspace.js'
import { carriedError } from '../../core/dev-cycle/cycle-carried.js'
import { toldTo } from '../../core/dev-cycle/documents/person-edits.js'
import { loopBrief } from '../../core/dev-loop/prompts/brief.js'
import { withGiven } from '../../core/dev-loop/loop-tasks.js'
import { deniedNote } from '../../core/run/turn-notes.js'
import { clarificationQuestion, recommendedAnswer } from '../../core/dev-loop/menu.js'
import type { LoopRun } from './loop-run.js'
import { roleTurn, type RoleTurnEnd } from '../run/role-turn.js'
import type { RoleTurn } from '../run/one-turn.js'

/** Maximum rounds of questions of one worker, with a person and without. */
const ROUNDS = { interactive: 20, auto: 5, parallel: 5 } as const

export type WorkerTurn = {
  action: LoopAction
  /** The one task of a develop. */
  task?: LoopTask | undefined
  limitMs: number
  convergeMs: number
  /** What a person added to the choice of this worker, or wants changed in its breakdown. */
  words?: string | undefined
  /** Its session so far, if it works again. */
  session?: { agent: string; sessionId: string } | undefined
  /** Name of its step, if the iteration has another worker of this action. */
  step?: string
  /**
   * Present if others work at the same time: its own clone, and the commit that all started from.
   */
  place?: { workspace: Workspace; head: string }
}

/** How a worker ended, before the commit of its work. */
export type WorkerDone = Omit<WorkerEnd, 'commit'>

/** Runs a worker until it has a result. */
export async function workerTurn(run: LoopRun, worker: WorkerTurn): Promise<WorkerDone> {
  const { action, task, limitMs, convergeMs, place, words } = worker
  const { iteration, prepared } = run.ready
  const brief = () =>
    loopBrief(run.ready, action, {
      task,
      parallel: place !== undefined,
    })
  const { tasks: given, edits = [] } = brief()
  const common = {
    role: LOOP_ROLES[action],
    phase: action,
    limitMs,
    convergeMs,
    judgedByTree: true,
    ...(task === undefined ? {} : { task: task.id }),
    place,
    read: {
      as: 'worker',
      action,
      name: prepared.name,
      iteration,
      ...(action === 'develop' ? { tasks: given.map(({ id }) => id) } : {}),
    },
  } satisfies Partial<RoleTurn>
  const step = `iteration-${iteration}/${worker.step ?? action}`
  let end = await roleTurn(run, {
    ...common,
    step,
    ...(worker.session === undefined ? {} : { session: worker.session }),
    converge: { about: 'loop-converge', loop: brief() },
    ask: (simplified) => ({
      about: 'loop-work',
      loop: brief(),
      simplified,
      words,
    }),
  })
  const said: { question: string; answer: string; by: 'user' | 'ratchet' }[] =
    words === undefined
      ? []
      : [
          {
            question: action === 'init' ? 'said about the breakdown' : 'said at the menu',
            answer: words,
            by: 'user',
          },
        ]
  if (said.length > 0) run.clarifications.set(action, said)
  for (let round = 1; ; round++) {
    const asked = questionsIn(end)
    if (asked === undefined) break
    if (round > ROUNDS[run.ready.mode])
      return {
        ...doneOf(action, iteration, end, task),
        status: 'failed',
        note: `it asked more than ${round - 1} times`,
      }
    const answers = await clarified(run, { action, place }, round, asked.questions)
    said.push(...answers)
    run.clarifications.set(action, said)
    end = await roleTurn(run, {
      ...common,
      step: `${step}/clarify-${round}`,
      kind: 'clarify',
      session: asked.session,
      converge: { about: 'loop-converge', loop: brief() },
      ask: () => ({
        about: 'loop-clarify',
        action,
        answers: answers.map(({ question, answer }) => ({ question, answer })),
      }),
    })
  }
  const denied = end.ok ? deniedNote(end.result) : undefined
  if (denied !== undefined) run.warn(`${action}: ${denied}`)
  const done = doneOf(action, iteration, end, task)
  if (run.ready.edits !== undefined && done.synthetic !== true)
    run.ready.edits = toldTo(
      run.ready.edits,
      action,
      edits.map(({ id }) => id),
      LOOP_ACTIONS,
    )
  return place === undefined ? done : withGiven(done, given)
}

function questionsIn(
  end: RoleTurnEnd,
): { questions: Clarification[]; session: { agent: string; sessionId: string } } | undefined {
  if (!end.ok || end.result.outcome !== 'completed' || end.result.read?.kind !== 'worker')
    return undefined
  const { agent, sessionId = '', read } = end.result
  return read.status === 'needs_input' && read.questions.length > 0
    ? { questions: read.questions, session: { agent, sessionId } }
    : undefined
}

/** Asks a person, for days if need be; in auto and parallel mode the recommended answers apply. */
async function clarified(
  run: LoopRun,
  { action, place }: { action: LoopAction; place: WorkerTurn['place'] | undefined },
  round: number,
  questions: Clarification[],
): Promise<{ question: string; answer: string; by: 'user' | 'ratchet' }[]> {
  const { iteration } = run.ready
  // With parallel questions, a person may have changed the mode meanwhile.
  const which = place === undefined ? '' : `${action}-`
  const answers = await Promise.all(
    questions.map(async (question) => {
      const id = `clarify-${iteration}-${round}-${which}${question.id}`
      const given =
        run.ready.mode === 'interactive'
          ? await run.ask(clarificationQuestion(question, { id, action, askedAt: Date.now() }))
          : ''
      const isAnswered = given !== undefined && given !== '' && run.ready.mode === 'interactive'
      return {
        question: question.text,
        answer: isAnswered ? given : recommendedAnswer(question),
        by: isAnswered && !run.questions.isSilent(id) ? ('user' as const) : ('ratchet' as const),
      }
    }),
  )
  await run.control.safePoint() // after a stop there is no answer
  return answers
}

// A worker that ran out of time counts as failed, but its work in the tree is used.
function doneOf(
  action: LoopAction,
  iteration: number,
  end: RoleTurnEnd,
  task: LoopTask | undefined,
): WorkerDone {
  const of = { action, iteration, ...(task === undefined ? {} : { task: task.id }) }
  if (!end.ok || end.result.read?.kind !== 'worker') {
    return {
      ...of,
      status: 'failed',
      reported: '',
      summary: '',
      filesClaimed: [],
      next: null,
      agent: end.ok ? end.result.agent : null,
      synthetic: true,
      ...(isLate(end) ? { timedOut: true } : {}),
      note: end.ok ? 'its answer could not be read' : carriedError(end.reason),
    }
  }
  const { kind: _, questions: __, problem, form: ___, ...read }: WorkerReading = end.result.read
  const { agent, sessionId } = end.result
  const note = end.note ?? problem
  return {
    ...read,
    ...of,
    agent,
    sessionId,
    ...(note === undefined ? {} : { note: carriedError(note) }),
    ...(read.status === 'needs_input' ? { status: 'failed' as const } : {}),
    ...(isLate(end)
      ? {
          status: 'failed' as const,
          timedOut: true,
          synthetic: true,
          summary: read.summary || 'Worker timeout',
        }
      : {}),
  }
}

function isLate(end: RoleTurnEnd): boolean {
  return end.ok && end.result.outcome !== 'completed'
}
