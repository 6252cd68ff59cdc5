// The exits of every kind of run: the boundary of an iteration, and an orderly end in every case.
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
} from '@temporalio/workflow'
import type { QuestionClock } from '../../contract/question-limits.js'
import type { RunResult } from '../../contract/result.js'
import type { PauseRequest } from '../../contract/signals.js'
import { resultWarnings } from '../../core/run/result-warnings.js'
import { firstSentence, note } from '../../core/text/short-text.js'
import { NoAgentError, StopRequestedError } from './control.js'
import type { Carried, OpenRun } from './open-run.js'

/** Returns whether no handler is running, and no activity besides steps. */
function nothingOpen({ idle }: OpenRun<Carried, string>): boolean {
  return allHandlersFinished() && idle
}

/**
 * Waits until nothing of the run is open: no pause, question, handler or hook. Returns what is
 * carried besides its state.
 */
async function boundary(run: OpenRun<Carried, string>): Promise<{
  requestIds: string[]
  pause?: PauseRequest
  questionClock: QuestionClock | undefined
}> {
  for (;;) {
    await run.control.safePoint()
    run.questions.withdrawAll()
    if (nothingOpen(run)) break
    await condition(() => nothingOpen(run) || run.control.stop !== undefined)
  }
  const { pause } = run.control
  const { requestIds, deadlines } = run.questions
  return { requestIds, pause, questionClock: deadlines.carried() }
}

/**
 * Continues as a new run once nothing of this one is open.
 *
 * @param next returns the input and the state of the new run
 */
export async function continueRun<Input, State>(
  run: OpenRun<Carried, string>,
  next: (carried: Awaited<ReturnType<typeof boundary>>) => [Input, State],
): Promise<never> {
  const carried = await boundary(run)
  return continueAsNew<(input: Input, state: State) => Promise<RunResult>>(...next(carried))
}

/** What differs between the kinds of run at their end. */
export type Closing = {
  /** Settles the state, and returns the result. */
  settle: () => RunResult | Promise<RunResult>
  /** Writes the record; returns what it adds to the result. */
  record: (result: RunResult) => Promise<Partial<RunResult>>
}

/**
 * Ends a run with a complete record. A cancellation that arrives meanwhile does not prevent it.
 */
export function closeRun<Outcome extends string>(
  run: OpenRun<Carried, Outcome>,
  outcome: Outcome,
  { settle, record }: Closing,
): Promise<RunResult> {
  return CancellationScope.nonCancellable(async () => {
    run.closing = true
    run.questions.withdrawAll()
    run.enter('closing', 'host: writing the record')
    const result = await settle()
    if (run.state !== undefined) await lastRecord(run, result, record)
    run.outcome = outcome
    run.enter(outcome, 'nothing')
    await condition(() => nothingOpen(run))
    // The record and the hooks of the end warn, too.
    result.warnings = resultWarnings(run.state?.warnings)
    if (run.archived !== undefined) result.recordDir = run.archived
    return result
  })
}

/**
 * Writes the last record. A stopped run ends without it if it cannot be written, and its result
 * says so; any other run waits for disk space, or for a stop.
 */
async function lastRecord(
  run: OpenRun<Carried, string>,
  result: RunResult,
  record: Closing['record'],
): Promise<void> {
  try {
    Object.assign(result, await record(result))
  } catch (error) {
    if (!(error instanceof ActivityFailure) || !run.control.isEnding) throw error
    const lost = `the record could not be written: ${firstSentence(error.cause?.message ?? error.message)}`
    result.reason = note([result.reason ?? undefined, lost]) ?? lost
  }
}

/** Returns the result for the record: the state already has the history and the failures. */
export function recordedResult(result: RunResult | undefined): { result?: RunResult } {
  return result === undefined ? {} : { result: { ...result, history: [], failures: [] } }
}

/**
 * Ends a run in an orderly way for every kind of exit: stop, Cancel in the Web UI, refusals.
 *
 * @param close ends the run with a record
 * @param refused the outcome if the run needs a person's correction
 */
export async function ended<Refused extends string>(
  run: OpenRun<Carried, string>,
  body: () => Promise<RunResult>,
  close: (end: { outcome: Refused | 'stopped'; reason: string }) => Promise<RunResult>,
  refused: Refused,
): Promise<RunResult> {
  const stopped = (reason: string): Promise<RunResult> => close({ outcome: 'stopped', reason })
  try {
    return await body()
  } catch (error) {
    if (error instanceof StopRequestedError)
      return stopped(
        error.message === '' ? 'stopped by request' : `stopped by request: ${error.message}`,
      )
    if (isCancellation(error)) {
      await stopped('cancelled')
      throw error
    }
    if (error instanceof NoAgentError) return close({ outcome: refused, reason: error.message })
    if (!(error instanceof ActivityFailure)) throw error
    const { cause } = error
    // Without a workspace there is nothing to end in an orderly way.
    if (run.state !== undefined && !run.closing) {
      const reason = cause?.message ?? error.message
      return run.control.stop === undefined
        ? close({ outcome: refused, reason })
        : stopped(`stopped by request; a step before that failed: ${reason}`)
    }
    if (!(cause instanceof ApplicationFailure) || cause.nonRetryable !== true) throw error
    throw ApplicationFailure.create({
      type: cause.type ?? 'Refused',
      message: cause.message,
      nonRetryable: true,
      details: cause.details ?? [],
      cause: error,
    })
  }
}
