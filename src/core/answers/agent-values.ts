// Values as agents write them, in blocks and in JSON: typed where they can be, empty where they
// only repeat the sample.
import { fieldOf } from '../text/field-of.js'
import { saysNothing } from './no-issue.js'
import { oneLine } from '../text/one-line.js'
import { passRate } from '../test-results/pass-rate.js'

const SAMPLES: readonly RegExp[] = [
  /^<[^<>]*>(?:\s*\/\s*<[^<>]*>)?[%.]?$/,
  /^\[\s*<[^<>]*>\s*(?:,\s*<[^<>]*>\s*)*\]$/,
  /^\[\s*(?:list|count|number|files?|items?|n|\.{3}|…)\s*\]$/i,
  /^[NMXYZ]\s*%?$/,
  /^X\.Y\.Z$/i,
  /^X\s*\/\s*Y$/i,
  /^(?:a )?one[- ]line summary\.?$/i,
  /^(?:\.{3}|…)$/,
]
/**
 * Longest text that can be a sample or a word for nothing, in characters: no pattern meets a long
 * one.
 */
const WORDS_CHARS = 300

/** A text without the quotes, backticks and stars that stand around the whole of it. */
export function bare(text: string): string {
  const trimmed = text.trim()
  for (const mark of ['**', '__', '`', '"', "'", '*', '_']) {
    const inner = trimmed.slice(mark.length, -mark.length)
    if (
      trimmed.length > 2 * mark.length &&
      trimmed.startsWith(mark) &&
      trimmed.endsWith(mark) &&
      !inner.includes(mark)
    )
      return bare(inner)
  }
  return trimmed
}

/** Whether a text stands for an empty list: "none", `[]`, "n/a", "-". */
export function isNone(text: string): boolean {
  const plain = bare(text)
  return plain === '' || plain === '""' || plain === "''" || saysNothing(plain)
}

/**
 * Whether a text is what a format sample has in the place of a value: `success | failed`, `[list]`,
 * `X%`, `<…>`.
 */
export function isSample(text: string): boolean {
  const plain = bare(text)
  if (plain.length > WORDS_CHARS) return false
  return (
    SAMPLES.some((sample) => sample.test(plain)) ||
    (plain.includes('|') && plain.split('|').every((part) => /^\w[\w -]{0,20}$/.test(part.trim())))
  )
}

/** "12/15", "12 of 15". */
export function fraction(text: string): { part: number; whole: number } | undefined {
  const [, part, whole] =
    /(?<![\d.])(\d{1,9})\s*(?:\/|of|out of)\s*(\d{1,9})(?![\d.])/.exec(text) ?? []
  return part === undefined || whole === undefined
    ? undefined
    : { part: Number(part), whole: Number(whole) }
}

/**
 * Percent from `85`, "85%", "85.5 % of lines", "17/20"; `null` where it says none, or one outside
 * of 0-100.
 */
export function percent(value: unknown): number | null {
  if (typeof value === 'number') return value >= 0 && value <= 100 ? value : null
  if (typeof value !== 'string') return null
  const text = bare(value)
  const said = /(?<![\d.])(-?\d{1,9}(?:\.\d{1,9})?)\s*%/.exec(text)?.[1]
  if (said !== undefined) return percent(Number(said))
  const parts = fraction(text)
  if (parts !== undefined)
    return parts.whole > 0 && parts.part <= parts.whole ? passRate(parts.part, parts.whole) : null
  const number = /^[~≈]?\s*(-?\d{1,9}(?:\.\d{1,9})?)(?![\w.])/.exec(text)?.[1]
  return number === undefined ? null : percent(Number(number))
}

/**
 * A count from `3`, "3 tasks", "3/5" (the part), "none", or the length of a list; `undefined` where
 * it says none.
 */
export function count(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return undefined
  const text = bare(value)
  const digits = /^(\d{1,9})(?![\w.%-])/.exec(text)?.[1]
  if (digits !== undefined) return Number(digits)
  if (/^(?:none|no|zero|\[\s*\])$/i.test(text)) return 0
  if (isNone(text) || isSample(text) || !(text.startsWith('[') || text.includes(',')))
    return undefined
  return listText(text).length
}

const UNSAID =
  /^(?:n\/?a|null|none|unknown|unclear|not (?:applicable|assessed|evaluated))(?!\p{L})/iu
const YES = /^(?:true|yes|y|ready|ja|oui|s[ií]|да|はい|是|✅|✔|✓)(?!\p{L})/iu
const NO =
  /^(?:false|no|n|not|never|nein|non|нет|いいえ|否|不|❌|✗|✘|✖|🔴|almost|nearly|pending|blocked|partial|partially|conditional|conditionally|only|after|once|when|if|until|unless)(?!\p{L})/iu
const ON_CONDITION = /\b(?:but|except|after|once|only|when|if|until|unless|not)\b/i

/** yes or no; `undefined` where it says neither, and for a yes that may be on a condition. */
export function yesNo(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  const text = bare(value)
  if (UNSAID.test(text) || isSample(text)) return undefined
  if (YES.test(text)) return ON_CONDITION.test(text) ? undefined : true
  return NO.test(text) ? false : undefined
}

/** Whether a text is neither a plain yes nor no and says something all the same. */
export function isUnread(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    yesNo(value) === undefined &&
    !UNSAID.test(bare(value)) &&
    !isNone(value) &&
    !isSample(value)
  )
}

const LACKS =
  'issues?|problems?|warnings?|errors?|failures?|fail\\w*|caveats?|limitations?|reservations?|exceptions?|concerns?|bugs?|gaps?|defects?|findings?|regressions?|todos?|workarounds?|stubs?|mocks?|placeholders?|missing|unmet|untested|skipped|open|left|remaining'
const UNDONE =
  'done|complete\\w*|met|implemented|tested|verified|ready|all|everything|yet|finished|started|fixed|working|works?|run|pass\\w*'
/** What takes back a part of a word for success. */
const RESERVED: readonly RegExp[] = [
  /\b(?:but|except|partial|partially|partly|mostly|almost|nearly|however|although|though|unless|until|incomplete|half(?!-))\b|⚠|❌/i,
  /(?<!\b(?:no|none|nothing|zero|0)\b[^.,;]{0,40})\bpending\b/i,
  new RegExp(`\\bwith (?!(?:no|zero|0|out|any)\\b)[^.,;]{0,60}\\b(?:${LACKS})\\b`, 'i'),
  new RegExp(
    `(?:\\b(?:not|never|cannot)|n['’]t) (?:(?:yet|fully|been|be|really|completely|quite|entirely) )*(?:${UNDONE})\\b`,
    'i',
  ),
]
/** A share: directly behind the word, or of what has to be done. */
const SHARE = /(?<![\w.\/])(\d{1,9})\s*(?:\/|of|out of)\s*(\d{1,9})(?![\d.\/])/gi
const BEHIND_WORD = /^[^\p{L}]*\p{L}+(?:[\s_]\p{L}+)?[^\p{L}\d]*$/u
const COUNTS_STEPS = /\b(?:iterations?|steps?|rounds?|phases?|parts?|turns?)[^\p{L}\d]*$/iu
const OF_WORK =
  /^\s*(?:of the |planned |open )?(?:tasks?|requirements?|frs?|criteria|items|(?:unit )?tests? (?:pass|succeed|are|green|ok))/i
const OF_THE_LEFT = /^[^.,;]{0,30}?\b(?:fail\w*|remain\w*|open|left|pending|missing|skipped)\b/i

/** Whether a status takes back a part of its first word: "complete except A", "done: 2 of 5". */
export function isReserved(said: string): boolean {
  const text = said.replaceAll('_', ' ')
  return RESERVED.some((one) => one.test(text)) || [...text.matchAll(SHARE)].some(isShort)
}

// "0/12 tests failed" and "iteration 1 of 5" are no part of the work, "3/5 files" need not be.
function isShort({ 0: all, 1: part, 2: whole, index, input }: RegExpExecArray): boolean {
  const [before, behind] = [input.slice(0, index), input.slice(index + all.length)]
  if (COUNTS_STEPS.test(before) || /^\s*(?:\w+ )?files?\b/i.test(behind)) return false
  if (OF_THE_LEFT.test(behind)) return Number(part) > 0
  return Number(part) < Number(whole) && (BEHIND_WORD.test(before) || OF_WORK.test(behind))
}

/**
 * The status that a text begins with: "in progress", "needs more info", "completed with issues" are
 * one word each.
 */
export function statusIn<Status extends string>(
  said: string,
  words: readonly (readonly [Status, RegExp])[],
): Status | undefined {
  const all = said
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .split(' ')
  const status = (most: number): Status | undefined =>
    words.find(([, known]) => known.test(all.slice(0, most).join('_')))?.[0]
  return status(3) ?? status(2) ?? status(1)
}

/**
 * A list from text: `["a","b"]`, `[a, b]`, `a.md, b.md`, one sentence; empty for "none" and for a
 * sample.
 */
export function listText(value: string): string[] {
  const text = bare(value)
  if (isNone(text) || isSample(text)) return []
  if (!text.startsWith('[')) {
    const parts = text.split(',').map((part) => part.trim())
    // Names are split at commas, sentences are not.
    return parts.length > 1 && parts.every((part) => part !== '' && !/\s/.test(part))
      ? real(parts)
      : [text]
  }
  const end = closing(text)
  // "[BUG-1] login fails" is a sentence.
  if (end >= 0 && !/^[\s.,;]*(?:\(.*\)|#.*)?$/.test(text.slice(end + 1))) return [text]
  try {
    return items(JSON.parse(text.slice(0, end + 1)))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return real(split(text.slice(1, end < 0 ? undefined : end)))
  }
}

/** The sentences of a list that may be anything; what only repeats a sample is left out. */
export function items(value: unknown): string[] {
  if (Array.isArray(value)) return real(value.flatMap((one: unknown) => sentence(one) ?? []))
  if (typeof value === 'string') return listText(value)
  return typeof value === 'object' && value !== null ? real([sentence(value) ?? '']) : []
}

/**
 * What an entry of a list says: a text, or the field of an object that says most, after its id and
 * its severity.
 */
export function sentence(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return undefined
  const text = [
    'description',
    'text',
    'issue',
    'summary',
    'title',
    'message',
    'name',
    'test',
    'path',
    'file',
  ]
    .map((key) => fieldOf(value, key))
    .find((one) => typeof one === 'string' && one.trim() !== '')
  const id = fieldOf(value, 'id')
  const named = typeof id === 'string' || typeof id === 'number' ? String(id).trim() : ''
  if (typeof text !== 'string') return named === '' ? asJson(value) : named
  const said = `${severityIn(value)}${text.trim()}`
  return named === '' || text.includes(named) ? said : `${named}: ${said}`
}

function severityIn(value: object): string {
  const word = fieldOf(value, 'severity')
  return typeof word === 'string' && /^[\p{L}\d]{1,15}$/u.test(word.trim())
    ? `[${word.trim().toLowerCase()}] `
    : ''
}

function asJson(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // Nested deeper than the stack: it says nothing to anybody.
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/**
 * Where the bracket that a text begins with is closed; -1 where it is not. Braces count too where
 * `pairs` has them.
 */
export function closing(text: string, pairs: '[]' | '[]{}' = '[]'): number {
  const braces = pairs === '[]{}'
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (quoted && char === '\\') i++
    else if (char === '"') quoted = !quoted
    else if (!quoted && (char === '[' || (braces && char === '{'))) depth++
    else if (!quoted && (char === ']' || (braces && char === '}')) && --depth === 0) return i
  }
  return -1
}

function real(list: readonly string[]): string[] {
  return list
    .map((one) => bare(oneLine(one.replace(/^\s*(?:[-*+•]\s+)?(?:\[[ xX]?\]\s+)?/, ''))))
    .filter((one) => !isNone(one) && !isSample(one))
}

// At commas and line ends outside of quotes, brackets and parentheses.
function split(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  let quote = ''
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === '`' || (char === "'" && part.trim() === '')) quote = char
    else if (char === '(' || char === '[') depth++
    else if (char === ')' || char === ']') depth--
    if ((char === ',' && quote === '' && depth <= 0) || char === '\n') {
      parts.push(part)
      part = ''
    } else part += char
  }
  return [...parts, part]
}
