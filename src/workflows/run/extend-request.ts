// Reads and checks the argument of the `extend` update for kinds of run with further tasks.
import { ApplicationFailure } from '@temporalio/workflow'
import { BAD_INPUT, STILL_PREPARING } from '../../contract/failures.js'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'

export type ExtendRequest = { task?: string; iterations: number; requestId?: string }

/** The rules of a kind of run: a sentence for an empty request, and the check of a task. */
export type ExtendRules = { nothing: string; taskProblem: (task: string) => string | undefined }

/** A bare string is a task. An unreadable request becomes a sentence about it. */
export function readExtend(raw: unknown, nothing: string): ExtendRequest | string {
  const value =
    typeof raw === 'string'
      ? { task: raw }
      : typeof raw === 'object' && raw !== null
        ? (raw as Record<string, unknown>)
        : {}
  const { task, iterations = 0, requestId } = value
  if (task !== undefined && typeof task !== 'string')
    return `task: must be a text, got ${JSON.stringify(task)}`
  if (
    typeof iterations !== 'number' ||
    !Number.isInteger(iterations) ||
    iterations < 0 ||
    iterations > MAX_ITERATIONS
  )
    return `iterations: must be a whole number from 1 to ${MAX_ITERATIONS}, got ${JSON.stringify(iterations)}`
  if (task === undefined && iterations === 0) return nothing
  return {
    iterations,
    task,
    ...(typeof requestId === 'string' ? { requestId } : {}),
  }
}

/** @throws ApplicationFailure `BadInput`, non-retryable, naming the field or the moment */
export function checkExtend(
  run: { id: string; state: unknown; closing: boolean },
  raw: unknown,
  rules: ExtendRules,
): void {
  const refuse = (message: string): never => {
    throw ApplicationFailure.nonRetryable(message, BAD_INPUT)
  }
  const read = readExtend(raw, rules.nothing)
  if (typeof read === 'string') return refuse(read)
  if (run.state === undefined) return refuse(STILL_PREPARING)
  if (run.closing)
    return refuse(`the run is ending; extend it when it has ended: ratchet extend ${run.id} "…"`)
  const problem = read.task === undefined ? undefined : rules.taskProblem(read.task)
  if (problem !== undefined) refuse(`task: ${problem}`)
}
