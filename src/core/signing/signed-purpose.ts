// What a signature is good for, so that a copy of it is good for nothing else: a start of one id
// within minutes, an update of one id, the input of one activity.
import { SIGNED_MARK, type SignedValue } from './signed-value.js'

/**
 * Milliseconds from the signature to the use of it. A busy server and a worker that restarts need
 * less.
 */
export const FRESH_MS = 5 * 60_000

/** The input and the state with which a run continues. */
export const CONTINUED = 'continue'
/** The input of every run of a schedule. */
export const SCHEDULED = 'schedule'

/** Times in milliseconds since 1970. */
export const startPurpose = (at: number): string => `start ${at}`
export const activityPurpose = (activityId: string): string => `activity ${activityId}`
export const updatePurpose = (name: string, id: string, at: number): string =>
  `update ${name} ${at} ${id}`

const START = /^start (\d+)$/
const UPDATE = /^update (\S+) (\d+) (.*)$/s
/** What the server adds to the id of a schedule. */
const TIME = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** The id that a signature names, where a run has `workflowId`. */
export function signedId(purpose: string, workflowId: string): string {
  return purpose === SCHEDULED ? workflowId.replace(TIME, '') : workflowId
}

/**
 * Returns why a run may not start, or `undefined`.
 *
 * @param purpose what its input is signed for, `undefined` without a valid signature
 * @param start when it started, and whether another run continued as it
 */
export function startProblem(
  purpose: string | undefined,
  { at, isContinued }: { at: number; isContinued: boolean },
): string | undefined {
  if (purpose === undefined) return 'not signed'
  const signedAt = START.exec(purpose)?.[1]
  if (signedAt !== undefined)
    return isFresh(Number(signedAt), at)
      ? undefined
      : 'signed for an earlier start, so this is a copy'
  if (purpose === CONTINUED && isContinued) return undefined
  if (purpose === SCHEDULED) return undefined
  return 'signed for something else, so this is a copy'
}

/** Returns why an update is refused, or `undefined`. */
export function updateProblem(
  purpose: string | undefined,
  update: { name: string; id: string },
  now: number,
): string | undefined {
  if (purpose === undefined) return 'not signed'
  const [, name, at, id] = UPDATE.exec(purpose) ?? []
  if (name !== update.name || id !== update.id)
    return 'signed for something else, so this is a copy'
  return isFresh(Number(at), now) ? undefined : 'signed too long ago, so this may be a copy'
}

const isFresh = (signedAt: number, at: number): boolean => Math.abs(at - signedAt) <= FRESH_MS

/** Reads a value as the worker passes it on. */
export function signedValue(raw: unknown): SignedValue {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, SIGNED_MARK))
    return { value: raw, purpose: undefined }
  const { [SIGNED_MARK]: purpose, value } = raw as Record<string, unknown>
  return { value, purpose: typeof purpose === 'string' ? purpose : undefined }
}
