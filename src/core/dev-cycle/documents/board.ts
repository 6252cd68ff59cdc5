// The shared discovery board: read, merged, deduped, and shown to an agent.
//
// Agents append to the workspace's copy while others do; the record's copy is append-only. What an
// agent deleted comes back, what it wrote is never lost, and a line that is still being written
// waits.
import {
  Discovery,
  DISCOVERY_BYTES,
  DISCOVERY_TYPES,
  type DiscoveryType,
  type Phase,
} from '../../../contract/dev-cycle/discovery.js'
import { fieldOf } from '../../text/field-of.js'
import { oneLine } from '../../text/one-line.js'

/** Longest line of a digest, in characters. */
const SHOWN_CHARS = 500

/**
 * Entries in the order of the file; lines that are too long, broken or lack a field are counted.
 */
export function readBoard(text: string): { entries: Discovery[]; skipped: number } {
  const read = linesOf(text).lines.map(entryOn)
  const entries = read.filter((entry) => entry !== undefined)
  return { entries, skipped: read.length - entries.length }
}

/**
 * The record's lines, then the new ones of the workspace, in order. Lines are compared whole and
 * counted: one that stands twice in the workspace stands twice here.
 *
 * @returns `entries` and `skipped` of the merged text; `restored`: lines of the record that the
 * workspace lacks
 */
export function mergeBoard(
  known: string,
  seen: string,
): { text: string; entries: number; skipped: number; restored: number } {
  const { lines: recorded } = linesOf(known)
  const { lines, last } = linesOf(seen)
  // Without its newline a line may be half of one.
  if (last !== undefined && entryOn(last) === undefined) lines.pop()
  const left = tally(lines)
  const restored = recorded.filter((line) => !take(left, line)).length
  const old = tally(recorded)
  const merged = [...recorded, ...lines.filter((line) => !take(old, line))]
  const text = merged.map((line) => `${line}\n`).join('')
  const { entries, skipped } = readBoard(text)
  return { text, entries: entries.length, skipped, restored }
}

/**
 * One entry for each type and key, where its first one stood. The newest wins; those of a singleton
 * are merged field by field, and an empty field says nothing. An unreadable time is the oldest.
 */
export function boardView(entries: readonly Discovery[]): Discovery[] {
  const by = new Map<string, Discovery[]>()
  for (const entry of entries) {
    const key = JSON.stringify([entry.type, keyOf(entry)])
    const same = by.get(key)
    if (same === undefined) by.set(key, [entry])
    else same.push(entry)
  }
  return [...by.values()].map((same) => {
    const oldestFirst = same
      .map((entry) => ({ entry, at: timeOf(entry) }))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      .map(({ entry }) => entry)
    const newest = oldestFirst.at(-1) as Discovery
    if (typeOf(newest)?.key !== 'singleton') return newest
    const data = new Map<string, unknown>()
    for (const one of oldestFirst)
      for (const [field, value] of Object.entries(one.data))
        if (!isEmpty(value) || !data.has(field)) data.set(field, value)
    return { ...newest, data: Object.fromEntries(data) }
  })
}

/** Required data that an entry lacks; none for a type that the sources do not name. */
export function lacking(entry: Discovery): string[] {
  return (typeOf(entry)?.data ?? []).filter(
    (field) => !field.endsWith('?') && isEmpty(fieldOf(entry.data, field)),
  )
}

/**
 * What a phase reads, as lines within `most` characters: blockers first, then singletons, then the
 * rest, newest first. The last line says how many more the file has. Empty where the board is.
 */
export function boardDigest(entries: readonly Discovery[], phase: Phase, most = 6_000): string {
  const view = boardView(entries)
  const rank = (entry: Discovery): number =>
    entry.type === 'blocker' ? 0 : typeOf(entry)?.key === 'singleton' ? 1 : 2
  const read = view
    .filter((entry) => typeOf(entry)?.readers.includes(phase) === true)
    .map((entry, i) => ({ entry, i, rank: rank(entry), at: timeOf(entry) }))
    .sort((a, b) => a.rank - b.rank || (a.at < b.at ? 1 : a.at > b.at ? -1 : b.i - a.i))
  const lines: string[] = []
  let left = most
  for (const { entry } of read) {
    const line = shown(entry)
    const rest = lines.length + 1 < view.length ? more(view.length).length + 1 : 0
    if (line.length + rest > left) break
    lines.push(line)
    left -= line.length + 1
  }
  const end = more(view.length - lines.length)
  if (lines.length < view.length && end.length <= left) lines.push(end)
  return lines.join('\n')
}

function more(n: number): string {
  return `[${n} more ${n === 1 ? 'entry is' : 'entries are'} in the file]`
}

function shown({ type, agent, data }: Discovery): string {
  return oneLine(
    `- ${oneLine(type, 40)} (${oneLine(agent, 20)}): ${JSON.stringify(data)}`,
    SHOWN_CHARS,
  )
}

function entryOn(line: string): Discovery | undefined {
  if (line.length > DISCOVERY_BYTES || new TextEncoder().encode(line).length > DISCOVERY_BYTES)
    return undefined
  try {
    return Discovery.safeParse(JSON.parse(line)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

// `last`: the last line, where no newline ends it. Empty lines say nothing.
function linesOf(text: string): { lines: string[]; last?: string } {
  const all = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
  const last = all.at(-1) ?? ''
  return {
    lines: all.filter((line) => line.trim() !== ''),
    ...(last.trim() === '' ? {} : { last }),
  }
}

function tally(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function take(counts: Map<string, number>, line: string): boolean {
  const n = counts.get(line) ?? 0
  if (n > 0) counts.set(line, n - 1)
  return n > 0
}

// An agent may call a type "constructor".
function typeOf({ type }: Discovery): DiscoveryType | undefined {
  return Object.hasOwn(DISCOVERY_TYPES, type) ? DISCOVERY_TYPES[type] : undefined
}

function keyOf(entry: Discovery): unknown {
  const key = typeOf(entry)?.key
  if (key === 'singleton') return ''
  const value = key === undefined ? undefined : fieldOf(entry.data, key)
  return isEmpty(value)
    ? ['', sorted(entry.data)]
    : typeof value === 'string'
      ? value.trim()
      : sorted(value)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

// The same data with its fields in any order.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([field, one]): [string, unknown] => [field, sorted(one)])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

// Milliseconds; a time without an offset is UTC, independently of the machine's zone.
function timeOf({ ts }: Discovery): number {
  const [, day, time = 'T00:00:00', zone = 'Z'] =
    /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s*(Z|[+-]\d{2}:?\d{2})?\s*$/i.exec(
      ts,
    ) ?? []
  if (day === undefined) return -Infinity
  const at = Date.parse(
    `${day}T${time.replace(/^T/, '')}${zone.toUpperCase().replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')}`,
  )
  return Number.isNaN(at) ? -Infinity : at
}
