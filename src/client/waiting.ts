// Explains in one sentence why a run waits. The workflow knows what it requested; host and server
// know what is in the way: no worker, a slot, an unset variable, a failing attempt.
import { CYCLE_ROLES } from '../contract/dev-cycle/cycle-state.js'
import { LOOP_ROLES } from '../contract/dev-loop/loop-input.js'
import type { PendingActivity } from '../contract/result.js'

/**
 * Whether a worker of the run's project is polling; `unknown` for a server that is not the local
 * one.
 */
export type WorkerState = 'running' | 'missing' | 'unknown'

/** The activity that runs in the workflow worker, not on the project's host. */
const LIGHT = 'serverFacts'

/** Roles that work in parallel. */
const TEAM: readonly string[] = [...Object.values(CYCLE_ROLES), ...Object.values(LOOP_ROLES)]

/** Merges the workflow's own sentence with what its pending activities say. */
export function waitingFor(
  id: string,
  own: string,
  pending: readonly PendingActivity[],
  worker: WorkerState,
): string {
  const hosted = pending.filter((activity) => activity.name !== LIGHT)
  if (worker === 'missing' && hosted.length > 0)
    return `host: no worker is running for this project; unless one starts within seconds, start it with: ratchet watch ${id}`
  const failing = pending.find(
    (activity) => !activity.running && activity.lastFailure !== undefined,
  )
  if (failing !== undefined) {
    if (failing.lastFailureType === 'MissingVariable')
      return `missing variable: ${failing.lastFailure}`
    return `host: ${failing.name} failed and is tried again (attempt ${failing.attempt}): ${firstLine(failing.lastFailure ?? '')}`
  }
  if (/^(person|paused|stopping)\b/.test(own)) return own
  const waits = pending.filter(({ running }) => running).map(hostWaits)
  // One of several agents may wait while the others work, but a person is always reported.
  return (
    waits.find((text) => text?.startsWith('person')) ??
    (waits.includes(undefined) ? own : (waits[0] ?? own))
  )
}

// What a step on the host itself waits for: a slot, a lock, a person. The words are those of the
// heartbeats.
function hostWaits({ running, progress }: PendingActivity): string | undefined {
  const state = progress?.['state']
  if (!running || typeof state !== 'string') return undefined
  if (state === 'slot') return 'slot: every agent slot of this host is taken'
  if (state === 'other_worker') return 'host: another worker is ending this turn'
  if (!/^wait/.test(state)) return undefined
  if (/\btest run\b/.test(state)) return `tests: ${state}`
  return `${/\bperson\b/.test(state) ? 'person' : 'host'}: ${state}`
}

/**
 * Describes what agents and steps are doing, by their heartbeats; empty if they say nothing.
 * Parallel agents of a cycle or loop are distinguished by their roles. Shows an agent's tools, its
 * start and its end: a line each time it writes or thinks would bury them.
 */
export function activityNow(pending: readonly PendingActivity[]): string[] {
  return pending.flatMap(({ running, progress }) => {
    if (!running || progress === undefined) return []
    const { lastEvent, state, agent, role } = progress
    // `waitingFor` says it
    if (typeof state !== 'string' || state === '' || /^wait/.test(state)) return []
    if (typeof agent !== 'string') return [state]
    const tool = typeof lastEvent === 'string' ? /^tool (.+)$/s.exec(lastEvent)?.[1] : undefined
    const doing =
      state === 'running' ? tool : ['starting', 'ending'].find((known) => known === state)
    const who = TEAM.find((one) => one === role) ?? agent
    return doing === undefined || doing === '' ? [] : [`${who}: ${doing}`]
  })
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200)
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/g
const DAY_MS = 24 * 60 * 60_000

/**
 * Converts the times in a sentence to the reader's clock: "at 14:05:10", for another day "at 23 Nov
 * 14:05".
 *
 * @param now epoch milliseconds
 * @param zone name of the time zone; by default that of the terminal
 */
export function inLocalTime(sentence: string, now: number, zone?: string): string {
  return sentence.replaceAll(TIME, (text) => {
    const at = Date.parse(text)
    const part = (options: Intl.DateTimeFormatOptions, time = at): string =>
      new Intl.DateTimeFormat('en-GB', {
        ...options,
        hourCycle: 'h23',
        ...(zone === undefined ? {} : { timeZone: zone }),
      }).format(time)
    const day = (time: number): string => part({ dateStyle: 'short' }, time)
    if (day(at) === day(now)) return part({ timeStyle: 'medium' })
    const year = Math.abs(at - now) > 300 * DAY_MS ? { year: 'numeric' as const } : {}
    return `${part({ day: 'numeric', month: 'short', ...year })} ${part({ timeStyle: 'short' })}`
  })
}
