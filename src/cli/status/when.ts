// Formats when a run started or ended, and the name of its project.
import path from 'node:path'
import { inLocalTime } from '../../client/waiting.js'

/** ISO 8601; unknown times are absent. */
export type Times = { startedAt?: string; endedAt?: string }

/**
 * Returns `{ word: 'ended', at: '03:12' }`, with `21 Nov 23:40` for another day; `undefined` if
 * neither time is known.
 */
export function whenOf(
  { startedAt, endedAt }: Times,
  now: number,
): { word: 'since' | 'ended'; at: string } | undefined {
  const time = endedAt ?? startedAt
  return time === undefined
    ? undefined
    : {
        word: endedAt === undefined ? 'since' : 'ended',
        at: inLocalTime(time, now).replace(/^(\d\d:\d\d):\d\d$/, '$1'),
      }
}

/** Formats a date for documents: ISO 8601 in whole seconds. */
export function isoTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/**
 * Returns names of projects by their paths: the last directory, or as many as are needed to tell
 * projects apart.
 */
export function projectNames(projects: readonly (string | undefined)[]): Map<string, string> {
  const paths = [...new Set(projects)].filter((one) => one !== undefined)
  const tail = (one: string, parts: number): string =>
    one.split(path.sep).slice(-parts).join(path.sep)
  const named = (one: string): string => {
    let parts = 1
    while (
      tail(one, parts) !== one &&
      paths.some((other) => other !== one && tail(other, parts) === tail(one, parts))
    )
      parts++
    return tail(one, parts)
  }
  return new Map(paths.map((one) => [one, named(one)]))
}
