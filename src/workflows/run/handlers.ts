// The signals, updates and queries of every kind of run.
import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow'
import { BAD_INPUT } from '../../contract/failures.js'
import { QUERIES, SIGNALS, UPDATES } from '../../contract/names.js'
import { Question } from '../../contract/question.js'
import type { StatusReply } from '../../contract/result.js'
import { readPause, readReason } from '../../contract/signals.js'
import type { Carried, OpenRun } from './open-run.js'
import { SignedUpdates } from '../signing/signed-updates.js'

const pauseSignal = defineSignal<[unknown]>(SIGNALS.pause)
const resumeSignal = defineSignal<[unknown]>(SIGNALS.resume)
const stopSignal = defineSignal<[unknown]>(SIGNALS.stop)
const answerUpdate = defineUpdate<unknown, [unknown]>(UPDATES.answer)
const extendUpdate = defineUpdate<unknown, [unknown]>(UPDATES.extend)
const askUpdate = defineUpdate<string, [unknown]>(UPDATES.ask)
const statusQuery = defineQuery<StatusReply>(QUERIES.status)
const stateQuery = defineQuery<unknown>(QUERIES.state)
const questionsQuery = defineQuery<Question[]>(QUERIES.questions)

/**
 * Sets every handler of a run, and returns it; must be called before the first await.
 *
 * @param rawInput the input of the run as the worker passes it on
 */
export function handled<R extends OpenRun<Carried, string>>(run: R, rawInput: unknown): R {
  const { control, questions } = run
  const signed = new SignedUpdates(rawInput, questions)
  setHandler(
    pauseSignal,
    (raw) => {
      control.onPause(readPause(raw))
      questions.deadlines.pause()
      run.paused()
      run.refresh()
    },
    {
      description:
        'Pauses the run. {"mode":"turn"} lets the running step end first (default), {"mode":"now"} interrupts it; "reason" is shown.',
    },
  )
  setHandler(
    resumeSignal,
    (raw) => {
      control.onResume()
      questions.deadlines.resume()
      run.resumed(raw)
      run.refresh()
    },
    { description: 'Resumes after a pause. No argument needed.' },
  )
  setHandler(
    stopSignal,
    (raw) => {
      control.onStop(readReason(raw))
      questions.withdrawAll()
      run.refresh()
    },
    {
      description:
        'Stops the run for good and keeps its branch, record and snapshots. {"reason"} is recorded.',
    },
  )
  setHandler(
    answerUpdate,
    (raw) => {
      const answered = questions.answer(signed.accepted(raw))
      run.refresh()
      return answered
    },
    {
      validator: (raw) => questions.check(signed.checked(raw)),
      description:
        'Answers an open question: {"questionId","choice"} or {"text"}; a bare string suffices if one question is open.',
    },
  )
  setHandler(extendUpdate, (raw) => run.extend(signed.accepted(raw)), {
    validator: (raw) => run.checkExtend(signed.checked(raw)),
    description: run.extendHelp,
  })
  const asked = async (raw: unknown): Promise<string> =>
    (await run.ask(Question.parse(signed.checked(raw)))) ?? ''
  setHandler(askUpdate, asked, {
    validator: (raw) => checkQuestion(signed.checked(raw)),
    description: 'Used by Ratchet itself: a step asks a person and waits for the answer.',
  })
  setHandler(statusQuery, () => run.status(), {
    description: 'Progress of the run, what it waits for, pass rates so far.',
  })
  setHandler(stateQuery, () => ({ status: run.status(), state: run.state ?? null }), {
    description: 'The whole state of the run; large texts as digests with their path.',
  })
  setHandler(questionsQuery, () => questions.open(), {
    description: 'Open questions, with the options that answer them.',
  })
  setDefaultSignalHandler((name) => {
    const text = `unknown signal ${name}; known: ${Object.values(SIGNALS).join(', ')}`
    log.warn(text)
    if (run.state !== undefined) run.warn(text)
  })
  return run
}

function checkQuestion(raw: unknown): void {
  const parsed = Question.safeParse(raw)
  if (!parsed.success)
    throw ApplicationFailure.nonRetryable(
      'not a question: id, kind, text, options and askedAt are needed',
      BAD_INPUT,
    )
}
