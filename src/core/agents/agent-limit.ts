// When a limited agent may be asked again, from the fields of what it sends. Every provider writes
// it in its own way, so the names are many; only fields are read, never sentences, and nothing here
// may throw.
import { at } from './agent-events.js'
import { embeddedJson } from '../text/json.js'

/** What an update of the agent says of its provider's limit. */
export type LimitNotice = {
  /** False: it is served (again). */
  limited: boolean
  /** Epoch milliseconds. */
  resetsAt?: number
}

/** Waits from now: seconds where the name has no unit. */
const WAITS = new Set([
  'retryafter',
  'retryafterms',
  'retryaftermillis',
  'retryafterseconds',
  'retrydelay',
  'retrydelayms',
  'resetsin',
  'resetsinseconds',
  'resetinseconds',
  'resetafter',
  'resetafterseconds',
])
/** Points in time; a small number is a wait. */
const RESETS =
  /^(?:resets?at|resets?|resettime|.*ratelimit.*reset.*|quotareset(?:at|time|timestamp|delay))$/

/** How deep and how far into an answer is looked: the shapes that were seen are flat and small. */
const DEPTH = 6
const VALUES = 400

/**
 * Below it a number is a wait in seconds, and from `EPOCH_MS` on milliseconds since 1970; between
 * them seconds since then.
 */
const EPOCH_S = 1e9
const EPOCH_MS = 1e11

/**
 * Returns the reset time in an error or another answer, in epoch milliseconds; `undefined` if there
 * is none. A wait for this request (`retry-after`) has precedence over the reset of a window; of
 * several windows the first counts, as the exhausted one is unknown.
 */
export function resetIn(raw: unknown, now: number): number | undefined {
  const found: Found = { waits: [], resets: [], left: VALUES }
  look(raw, now, DEPTH, found)
  return soonest(found.waits, now) ?? soonest(found.resets, now)
}

/**
 * Reads an update, or returns `undefined` if it is not about a limit. Claude reports it with each
 * change: `rejected` is a refusal, unless it continues at extra cost.
 */
export function limitNotice(update: unknown, now: number): LimitNotice | undefined {
  const info = [
    at(update, '_meta', '_claude/rateLimit'),
    at(update, 'rate_limit_info'),
    at(update, '_meta', 'rate_limit_info'),
    at(update, '_meta', 'rateLimit'),
  ].find((one) => typeof at(one, 'status') === 'string')
  if (info === undefined) return undefined
  const goesOn =
    at(info, 'isUsingOverage') === true ||
    ['allowed', 'allowed_warning'].includes(String(at(info, 'overageStatus')))
  const limited = at(info, 'status') === 'rejected' && !goesOn
  const resetsAt = limited ? resetIn(info, now) : undefined
  return { limited, resetsAt }
}

type Found = { waits: number[]; resets: number[]; left: number }

function look(raw: unknown, now: number, depth: number, found: Found): void {
  if (depth === 0 || found.left <= 0) return
  if (typeof raw === 'string') return look(embeddedJson(raw), now, depth - 1, found)
  if (typeof raw !== 'object' || raw === null) return
  // Headers also come as a list of pairs.
  const fields = Array.isArray(raw)
    ? (raw as unknown[]).map((one): [string, unknown] => (isPair(one) ? one : ['', one]))
    : Object.entries(raw)
  for (const [name, value] of fields) {
    if (found.left-- <= 0) return
    const key = name.toLowerCase().replaceAll(/[-_]/g, '')
    const isWait = WAITS.has(key)
    const when =
      isWait || RESETS.test(key)
        ? moment(value, now, isWait && /ms$|millis$/.test(key) ? 1 : 1_000)
        : undefined
    if (when !== undefined) (isWait ? found.waits : found.resets).push(when)
    else look(value, now, depth - 1, found)
  }
}

function isPair(one: unknown): one is [string, unknown] {
  return Array.isArray(one) && one.length === 2 && typeof one[0] === 'string'
}

function soonest(times: readonly number[], now: number): number | undefined {
  const ahead = times.filter((time) => time > now)
  return ahead.length > 0 ? Math.min(...ahead) : times.length > 0 ? Math.max(...times) : undefined
}

/** A point in time, however it is written; `unitMs` is that of a small number. */
function moment(value: unknown, now: number, unitMs: number): number | undefined {
  if (typeof value === 'number') return numbered(value, now, unitMs)
  if (Array.isArray(value) && value.length === 1) return moment(value[0], now, unitMs)
  if (typeof value === 'object' && value !== null && at(value, 'seconds') !== undefined)
    return moment(Number(at(value, 'seconds')) + Number(at(value, 'nanos') ?? 0) / 1e9, now, 1_000)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^\d+(?:\.\d+)?$/.test(text)) return numbered(Number(text), now, unitMs)
  const wait = duration(text)
  if (wait !== undefined) return now + wait
  // An ISO time or an HTTP date; a sentence with a number in it is neither.
  const time = /^\d{4}-\d\d-\d\dT|^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(time) ? undefined : time
}

function numbered(value: number, now: number, unitMs: number): number | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined
  if (value >= EPOCH_MS) return value
  return value >= EPOCH_S ? value * 1_000 : now + value * unitMs
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** "12s", "1.5s", "6m0s", "120ms" in milliseconds. */
function duration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (UNITS[unit ?? ''] ?? 0),
    0,
  )
}
