// What the manifest of the archive keeps about an ended run: numbers, tags, lessons and follow-ups.
import { z } from 'zod'
import type { IterationSummary, ReportedFailure, RunResult } from '../../contract/result.js'
import { errorPattern, helped, type KnownFix } from '../test-fix/fix-history-match.js'
import { oneLine } from '../text/one-line.js'
import { errorLine } from '../text/test-text.js'

/** What is left to do after a run. `number` is unique in the manifest. */
export const FollowUp = z.object({
  number: z.number().int().min(1),
  kind: z.enum(['test', 'code', 'document']),
  text: z.string(),
})
export type FollowUp = z.infer<typeof FollowUp>

/** Other tools write entries of the same file, so nothing besides the place is required. */
export const ArchiveEntry = z.looseObject({
  session_id: z.string(),
  archive_path: z.string(),
  archived_at: z.string().optional(),
  kind: z.string().optional(),
  workflow_id: z.string().optional(),
  follow_ups: z.array(FollowUp).catch([]).optional(),
})
export type ArchiveEntry = z.infer<typeof ArchiveEntry>

/** What the entry is made from. Times are epoch milliseconds, as far as the record has them. */
export type ArchiveFacts = {
  name: string
  workflowId: string
  kind: RunResult['kind']
  description: string
  outcome: string
  result: RunResult | undefined
  fixes: readonly KnownFix[]
  /** Tasks that a loop leaves open. */
  open: readonly string[]
  /** Of a session that no run of Ratchet has ended: its iterations, as its files have them. */
  history?: readonly IterationSummary[]
  startedAt?: number | undefined
  endedAt?: number | undefined
}

/** Most entries of each list, and their length. */
const ITEMS = 10
const CHARS = 300
const HOUR_MS = 3_600_000
const MOST_NUMBER = 1_000_000_000

export function archiveEntry(
  facts: ArchiveFacts,
  at: { path: string; time: string; next: number },
): ArchiveEntry {
  const { name, workflowId, kind, description, outcome, result, fixes, startedAt, endedAt } = facts
  const { history = [] } = facts
  return {
    session_id: name,
    workflow_id: workflowId,
    kind,
    description: short(description),
    outcome,
    archived_at: at.time,
    archive_path: at.path,
    metrics: {
      ...(startedAt === undefined || endedAt === undefined
        ? {}
        : { duration_hours: Number(((endedAt - startedAt) / HOUR_MS).toFixed(2)) }),
      iterations: result?.iterations ?? history.at(-1)?.iteration ?? 0,
      commits: result?.commits.length ?? 0,
      pass_rate_before: result?.baselinePassRate ?? null,
      pass_rate: (result ?? history.at(-1))?.passRate ?? null,
      turns: result?.usage.turns ?? 0,
      cost_usd: result?.usage.costUsd ?? null,
      kept: fixes.filter(helped).length,
      rolled_back: fixes.filter(({ result: end }) => end === 'rolled_back').length,
    },
    tags: tagsOf(facts),
    lessons: lessonsOf(facts),
    follow_ups: followUps(facts).map((one, n) => ({ number: at.next + n, ...one })),
  }
}

function tagsOf({ kind, outcome, fixes, result }: ArchiveFacts): string[] {
  const strategies = fixes.flatMap(({ strategy }) => (strategy === undefined ? [] : [strategy]))
  return [
    ...new Set([
      kind,
      outcome,
      ...(result?.reviewNeeded === true ? ['review'] : []),
      ...(fixes.some(({ analysis }) => analysis === 'degraded') ? ['degraded'] : []),
      ...strategies,
    ]),
  ].slice(0, 5)
}

function lessonsOf({ fixes, result }: ArchiveFacts): Record<string, string[]> {
  const left = (result?.failures ?? []).map(({ error }) => errorPattern(error))
  return {
    successes: listed(fixes.filter(helped).map(lesson)),
    challenges: listed([
      ...fixes.filter((fix) => fix.result !== '' && !helped(fix)).map(lesson),
      ...(result?.reason == null ? [] : [result.reason]),
    ]),
    watch_patterns: listed(left.filter((pattern) => pattern.length > 3)),
  }
}

/** One fix in a line: causes, places, and what it did to the pass rate. */
export function lesson(fix: KnownFix): string {
  const causes = (fix.root_causes ?? []).slice(0, 3).join('; ')
  const points = fix.modification_points.slice(0, 3).join(', ')
  const rate = (value: number | null): string => (value === null ? 'not measured' : `${value} %`)
  const why = fix.reason == null ? '' : `, ${oneLine(fix.reason)}`
  return short(
    `${causes === '' ? 'cause not known' : causes}${points === '' ? '' : `; changed ${points}`}; ${fix.result.replaceAll('_', ' ')}: ${rate(fix.pass_rate_before)} → ${rate(fix.pass_rate_after)}${why}`,
  )
}

function followUps({ kind, fixes, result, open }: ArchiveFacts): Omit<FollowUp, 'number'>[] {
  const kept = fixes.filter(helped)
  const places = [
    ...new Set(kept.flatMap(({ modification_points: points }) => points.map(fileOf))),
  ].slice(0, 5)
  const failures: readonly ReportedFailure[] = result?.failures ?? []
  const tests = kept
    .flatMap(({ root_causes: causes = [], modification_points: points }) =>
      causes.map((cause, n) => {
        // An analysis names causes and places in the same order, or one place for all.
        const point = points.length === causes.length ? points[n] : points[0]
        return `Add a test for what was wrong${place(point)}: ${cause}`
      }),
    )
    .slice(0, ITEMS)
  const code = [
    ...failures.map(({ test, file, error }) => `Repair ${file} > ${test}: ${errorLine(error)}`),
    ...(result?.proposedTestChanges ?? [])
      .filter(({ answer }) => answer === undefined)
      .map(({ file, why }) => `Decide about the proposed change of ${file}: ${why}`),
    ...open.map((task) => `Finish ${task}`),
  ].slice(0, ITEMS)
  const documents =
    (result?.commits.length ?? 0) === 0
      ? []
      : [
          kind === 'test-fix' && places.length > 0
            ? `Check the documents that describe ${places.join(', ')}`
            : 'Check the documents that describe what the run changed',
        ]
  return [
    ...tests.map((text) => ({ kind: 'test' as const, text: short(text) })),
    ...code.map((text) => ({ kind: 'code' as const, text: short(text) })),
    ...documents.map((text) => ({ kind: 'document' as const, text: short(text) })),
  ]
}

const place = (point: string | undefined): string => (point === undefined ? '' : ` at ${point}`)
const fileOf = (point: string): string => point.split(':', 1)[0] ?? point
const short = (text: string): string => oneLine(text, CHARS)
const listed = (texts: readonly string[]): string[] =>
  [...new Set(texts.map(short))].slice(0, ITEMS)

/**
 * Returns the highest number of a follow-up in a manifest; 0 without any. A number that no manifest
 * reaches by counting does not count.
 */
export function lastNumber(entries: readonly unknown[]): number {
  return followUpsIn(entries).reduce(
    (last, { number }) => (number > last && number <= MOST_NUMBER ? number : last),
    0,
  )
}

/** Returns every follow-up of a manifest with the run that left it. */
export function followUpsIn(entries: readonly unknown[]): (FollowUp & { session: string })[] {
  return entries.flatMap((raw) => {
    const entry = ArchiveEntry.safeParse(raw).data
    return (entry?.follow_ups ?? []).map((one) => ({ ...one, session: entry?.session_id ?? '' }))
  })
}
