// Formats times for the state of a run, which the record shows unchanged: ISO 8601 with the real
// offset. Pure arithmetic, as the workflow has no calendar library.

/** `2026-01-22T10:00:00+08:00` for an epoch time in milliseconds and an offset like `+08:00`. */
export function isoTime(at: number, offset: string): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const minutesEast = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return `${new Date(at + minutesEast * 60_000).toISOString().slice(0, 19)}${offset}`
}
