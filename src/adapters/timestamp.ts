// Times in records: ISO 8601 with the real offset, by default +08:00, the sources' convention.
import { DateTime } from 'luxon'

/** `2025-11-10T18:00:00+08:00` for an epoch time in milliseconds. */
export function timestamp(at: number, offset: string): string {
  const text = DateTime.fromMillis(at, { zone: `UTC${offset}` }).toISO({
    suppressMilliseconds: true,
  })
  if (text === null) throw new Error(`not a time: ${at}, ${offset}`)
  return text
}

/** Epoch milliseconds of a time in a record; `undefined` if the text is no time. */
export function millisOf(time: string): number | undefined {
  const at = Date.parse(time)
  return Number.isNaN(at) ? undefined : at
}
