// Formats numbers and times for a report.
import { DateTime } from 'luxon'
import { dollars } from '../../../core/text/money.js'
import type { ReportTurn, UsageRow } from '../../../core/report/model.js'
import { sumOf } from '../../../core/report/usage.js'

/** Returns "2 h 5 min", "3 min 20 s" or "4.1 s": the two largest units. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const s = Math.round(ms / 1000)
  const parts: [number, string][] = [
    [Math.floor(s / 86_400), 'd'],
    [Math.floor(s / 3_600) % 24, 'h'],
    [Math.floor(s / 60) % 60, 'min'],
    [s % 60, 's'],
  ]
  const first = parts.findIndex(([n]) => n > 0)
  return parts
    .slice(Math.max(0, first), Math.max(0, first) + 2)
    .filter(([n], i) => i === 0 || n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ')
}

/** Returns "22 Nov 2026, 14:15" in the local time of the machine that writes the report. */
export function dateTime(ms: number): string {
  return DateTime.fromMillis(ms).toFormat('d LLL yyyy, HH:mm')
}

/** Returns "14:15:09". */
export function clock(ms: number): string {
  return DateTime.fromMillis(ms).toFormat('HH:mm:ss')
}

/** Returns "waited 1 min for an answer" if the time is known; empty if no person was asked. */
export function waitNote({
  waitedMs,
  waitUnknown,
}: Pick<UsageRow, 'waitedMs' | 'waitUnknown'>): string {
  if (waitedMs !== undefined)
    return `waited ${duration(waitedMs)}${waitUnknown === true ? ' or more' : ''} for an answer`
  return waitUnknown === true ? 'waited for an answer, for an unknown time' : ''
}

/** The same for one turn, which may still be waiting. */
export function turnWaitNote(turn: ReportTurn): string {
  return turn.endedAt === undefined && turn.waits?.some(({ to }) => to === undefined) === true
    ? 'waits for an answer'
    : waitNote(sumOf([turn]))
}

/** Returns "2 test runs, 3 s" of those that agents asked for; empty if there were none. */
export function testsNote({ tests }: Pick<UsageRow, 'tests'>): string {
  return tests === undefined ? '' : `${many(tests.runs, 'test run')}, ${duration(tests.ms)}`
}

/** Returns "9,000 (6,000 cached)", without the cached ones if no agent reports them. */
export function tokensIn({
  inputTokens,
  cachedTokens,
}: Pick<UsageRow, 'inputTokens' | 'cachedTokens'>): string {
  return `${whole(inputTokens)}${cachedTokens === undefined ? '' : ` (${whole(cachedTokens)} cached)`}`
}

/** Returns the name of the zone of all times. */
export function zone(): string {
  return DateTime.local().zoneName ?? 'local time'
}

/** Returns "66.6 %", or a dash if nothing was measured. */
export function rate(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? '–' : `${percent} %`
}

/** Returns "25,500". */
export function whole(n: number): string {
  return Math.round(n).toLocaleString('en-US')
}

/** Returns "$0.50", or a dash if no agent reported a price. */
export function money(usd: number | undefined): string {
  return usd === undefined ? '–' : `$${dollars(usd)}`
}

/** Returns "3 turns". */
export function many(n: number, one: string, several = `${one}s`): string {
  return `${whole(n)} ${n === 1 ? one : several}`
}
