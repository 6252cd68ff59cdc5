// The exits of every kind of run: the boundary of an iteration, and an orderly end in every case.
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  isCancellation,
} from '@temporalio/workflow'
import type { RunResult } from '../../contract/result.js'
import type { PauseRequest } from '../../contract/signals.js'
import { firstSentence } from '../../core/text/short-text.js'
import { StopRequestedError } from './control.js'
import { NoAgentError } from './no-agent.js'
import type { Carried, OpenRun } from './open-run.js'

/** Returns whether no handler is running and no hook event is being sent. */
function nothingOpen({ notices }: OpenRun<Carried, string>): boolean {
  return allHandlersFinished() && notices.idle
}

/** Returns when nothing of an ended run is open. */
export async function allClosed(run: OpenRun<Carried, string>): Promise<void> {
  await condition(() => nothingOpen(run))
}

/**
 * Waits until nothing of the run is open: no pause, question, handler or hook. Returns what is
 * carried besides its state.
 */
export async function boundary(
  run: OpenRun<Carried, string>,
): Promise<{ requestIds: string[]; pause?: PauseRequest }> {
  for (;;) {
    await run.control.safePoint()
    run.questions.withdrawAll()
    if (nothingOpen(run)) break
    await condition(() => nothingOpen(run) || run.control.stop !== undefined)
  }
  const { pause } = run.control
  return { requestIds: run.questions.requestIds, pause }
}

/**
 * Writes the last record of a run. A stopped run ends without it if it cannot be written; any other
 * waits for disk space, or for a stop.
 *
 * @returns what the result says about a record that was not written
 */
export async function lastRecord(
  run: OpenRun<Carried, string>,
  write: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    if (!(error instanceof ActivityFailure) || !run.control.isEnding) throw error
    return `the record could not be written: ${firstSentence(error.cause?.message ?? error.message)}`
  }
}

/**
 * Ends a run in an orderly way for every kind of exit: stop, Cancel in the Web UI, refusals.
 *
 * @param close ends the run with a record: as stopped, or because of something that only a person
 * can correct
 */
export async function ended(
  run: OpenRun<Carried, string>,
  body: () => Promise<RunResult>,
  close: (why: 'stopped' | 'refused', reason: string) => Promise<RunResult>,
): Promise<RunResult> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof StopRequestedError)
      return close(
        'stopped',
        error.message === '' ? 'stopped by request' : `stopped by request: ${error.message}`,
      )
    if (isCancellation(error)) {
      await close('stopped', 'cancelled')
      throw error
    }
    if (error instanceof NoAgentError) return close('refused', error.message)
    if (
      error instanceof ActivityFailure &&
      run.state !== undefined &&
      !run.closing &&
      run.control.stop !== undefined
    )
      return close(
        'stopped',
        `stopped by request; a step before that failed: ${error.cause?.message ?? error.message}`,
      )
    // With a workspace the run ends in an orderly way; without one there is nothing to end.
    if (error instanceof ActivityFailure && run.state !== undefined && !run.closing)
      return close('refused', error.cause?.message ?? error.message)
    if (
      error instanceof ActivityFailure &&
      error.cause instanceof ApplicationFailure &&
      error.cause.nonRetryable === true
    )
      throw ApplicationFailure.create({
        type: error.cause.type ?? 'Refused',
        message: error.cause.message,
        nonRetryable: true,
        details: error.cause.details ?? [],
        cause: error,
      })
    throw error
  }
}
