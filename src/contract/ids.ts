// Ids are validated before they become file names, branch names or workflow ids.
import { z } from 'zod'

/** Workflow id of the run that an activity belongs to. */
export const RunId = z.string()

/** Key of a turn: workflow id, run id and step. A group of turns has one of the same form. */
export const TurnKey = z.string()

/** Name of the run's record. */
export const RecordName = z.string()

const ID = /^[A-Za-z0-9][\w.:-]{0,99}$/
const SESSION = /^WFS-test-[a-z0-9-]+$/

/** Longest session name. */
export const SESSION_LENGTH = 50

/**
 * Returns what is wrong with a run id, or `undefined`. An id has 1-100 letters, digits, `_ . : -`,
 * begins with a letter or digit, and has no `..` and no `.` or `.lock` at its end, as git refuses
 * such branch names.
 */
export function idProblem(id: string): string | undefined {
  if (!ID.test(id))
    return `must be 1-100 letters, digits, "_", ".", ":" or "-", beginning with a letter or digit, got ${JSON.stringify(id.slice(0, 120))}`
  if (id.includes('..')) return `must not contain "..", got ${JSON.stringify(id)}`
  if (id.endsWith('.') || id.endsWith('.lock'))
    return `must not end in "." or ".lock", got ${JSON.stringify(id)}`
  return undefined
}

/** Returns what is wrong with the name of a test session, or `undefined`. */
export function sessionProblem(session: string): string | undefined {
  if (session.length > SESSION_LENGTH)
    return `must have at most ${SESSION_LENGTH} characters, got ${session.length}`
  if (!SESSION.test(session))
    return `must look like WFS-test-<lower case letters, digits, dashes>, got ${JSON.stringify(session)}`
  return undefined
}

/** Returns an id as part of a file or branch name, where `:` is not allowed. */
export function fileName(id: string): string {
  return id.replaceAll(':', '-')
}

/** Default offset of the clock in the ids of cycles and loops. */
const OFFSET = '+08:00'

/**
 * Returns the id of a new dev cycle: `cycle-v1-<YYYYMMDDTHHMMSS>-<8 of base 36>`.
 *
 * @param at epoch milliseconds
 * @param random bytes, of which the first eight count
 * @param offset of the clock in the id, like `+08:00`
 */
export function cycleId(at: number, random: Uint8Array, offset = OFFSET): string {
  return timedId('cycle-v1', at, random, offset)
}

/** Returns the id of a new dev loop: `loop-b-<YYYYMMDDTHHMMSS>-<8 of base 36>`, like `cycleId`. */
export function loopId(at: number, random: Uint8Array, offset = OFFSET): string {
  return timedId('loop-b', at, random, offset)
}

/** Returns the id of a new preparation: `prep-<YYYYMMDDTHHMMSS>-<8 of base 36>`. */
export function prepId(at: number, random: Uint8Array, offset = OFFSET): string {
  return timedId('prep', at, random, offset)
}

function timedId(prefix: string, at: number, random: Uint8Array, offset: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  if (Number.isNaN(ahead)) throw new Error(`not an offset: ${offset}`)
  const time = new Date(at + ahead)
    .toISOString()
    .slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
    .replace(/[-:]/g, '')
  return `${prefix}-${time}-${Array.from(random.slice(0, 8), (byte) => (byte % 36).toString(36)).join('')}`
}

/** Returns the workflow id of a test session; two projects may have a session of the same name. */
export function testFixWorkflowId(session: string, projectKey: string): string {
  return `${session}.${projectKey.slice(0, 6)}`
}

/**
 * Returns the name of a test-fix run's record and branch: its session, else the session in its
 * workflow id, else the id itself.
 */
export function recordName(workflowId: string, session: string | undefined): string {
  if (session !== undefined) return session
  const own = /^(WFS-test-[a-z0-9-]+)\.[0-9a-f]{6}$/.exec(workflowId)?.[1]
  return own ?? fileName(workflowId)
}
