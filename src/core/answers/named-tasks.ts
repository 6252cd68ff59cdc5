// Which tasks an entry of `tasks_completed` names as done, and which as not done. A title behind an
// id says nothing about its state: "TASK-002: checkout without a login" is done.
import { fieldOf } from '../text/field-of.js'
import { oneLine } from '../text/one-line.js'
import { isReserved, sentence } from './agent-values.js'

/** A task that a text names, and where its id stands. */
export type Mention = { id: string; from: number; to: number }
export type NamedTasks = { done: string[]; left: string[] }

const STATUS_CHARS = 50

const FIT =
  'done|started|begun|finished|complete|completed|implemented|ready|working|touched|tested|possible'
const STATE = `not(?: (?:yet|fully|completely|been|really))*(?: (?:${FIT})(?: yet)?)?|no|never|skip|skipped|deferred|postponed|delayed|failed|fails|failing|cancelled|canceled|dropped|pending|to-?do|open|remains?|remaining|left|missing|blocked|partial|partially|partly|half|half done|incomplete|unfinished|in[ -]progress|started|begun|ongoing|wip|stubs?|stubbed|placeholder|tbd|next|later|outstanding|untouched`
/** Words for a state that stand in titles as well: "Dialog: open, close". */
const VAGUE =
  /^(?:no|never|skip|pending|to-?do|open|remains?|remaining|left|missing|blocked|partial|started|begun|placeholder|stubs?|next|later|failing|failed|fails|outstanding|untouched)$/
/** What was so may be over, but for these. */
const LEAD = `(?:(?:is|are|has|have|still|only|currently|now|just|but|done|completed|a|an|(?:was|were|been)(?= (?:not|never|skip|defer|postpone|delay|cancel|drop))) )*`
const REASON = 'because|by|until|due|since|yet|for now|for later|only|so far'
/** A segment that is about the state: it holds no more than that and a reason. */
const IS_LEFT = new RegExp(
  `^(?:${LEAD}(?:${STATE})(?: (?:${REASON})\\b.*)?$|${LEAD}(?:done|completed|implemented) (?:but|except|apart from)\\b)`,
)
/** Directly behind the id, without a colon, more may follow. */
const IS_LEFT_AT_ONCE = new RegExp(
  `^${LEAD}(?:(?:${STATE})(?:$| (?:${REASON})\\b)|(?!(?:skip|open|missing|left|next|later|no|never|started|begun) )(?:${STATE}) (?:with|to|at|in|on|after|when|while|from|as)\\b|(?:but|except|apart from|without)\\b)`,
)
const SAYS_LEFT = new RegExp(
  `\\b(?:(?:is|are|has|have|still|(?:was|were|been)(?= (?:not|never|skip|defer|postpone|delay|cancel|drop))) (?:${LEAD})(?:${STATE})$|not (?:yet |fully )*(?:${FIT})\\b)`,
)
const LEFT_BEFORE =
  /(?:\b(?:not|but|except(?: for)?|without|excluding|apart from|other than|besides)|(?:^|[;,.\n])\s*(?:skip|skipped|deferred|postponed|remains|remaining|pending|to-?do|blocked|failed|left|open|missing|partial(?:ly)?|in progress|started|incomplete)(?: tasks?)?)[\s:[]*$/
/** A `status` of an object that begins with one of these is not done; any other word is done. */
const NOT_DONE = new RegExp(
  `^(?:${LEAD}(?:${STATE})(?!\\w)|(?:false|waiting|waits|needs?|planned|queued|new|draft|unverified|untested|undone|won'?t|cannot|rejected|errors?|errored|aborted|stopped|unknown|in review|under review|to be|work in progress|doing|no|❌|✗|✘|⏳|🚧|未)(?![a-z])|\\d{1,2}(?:\\.\\d+)? ?%)`,
  'i',
)

/** An entry as text: the id, and what the `status` of an object says of it. */
export function taskEntry(entry: unknown): string | undefined {
  const word =
    firstOf(entry, ['status', 'state'], 'string') ??
    firstOf(entry, ['done', 'completed'], 'boolean')
  const id = firstOf(entry, ['id', 'task', 'task_id'], 'string', 'number')
  if (word === undefined || id === undefined) return sentence(entry)
  const said = oneLine(word.replaceAll('_', ' '), STATUS_CHARS)
  return NOT_DONE.test(said) || isReserved(said) ? `${id} (not done: ${said})` : `${id} (done)`
}

function firstOf(entry: unknown, keys: string[], ...types: string[]): string | undefined {
  const value = keys.map((key) => fieldOf(entry, key)).find((one) => types.includes(typeof one))
  const text = typeof value === 'object' || value === undefined ? '' : `${value as string}`.trim()
  return text === '' ? undefined : text
}

/**
 * A task that an entry calls not done is left, unless a later one says no more than its id, or that
 * it is done: that is the last word. A later part of it changes nothing.
 *
 * @param mentions the tasks that a text names, in its order
 * @param titles of the tasks, by id: behind an id they are no word about its state
 */
export function tasksIn(
  said: readonly string[],
  mentions: (text: string) => Mention[],
  titles: ReadonlyMap<string, string> = new Map(),
): NamedTasks {
  const found = said.flatMap((text) => inEntry(text, mentions, titles))
  const left = new Set<string>()
  for (const { id, isLeft, isWhole } of found)
    if (isLeft) left.add(id)
    else if (isWhole === true) left.delete(id)
  const done = new Set(found.flatMap(({ id }) => (left.has(id) ? [] : [id])))
  return { done: [...done], left: [...left] }
}

/** `isWhole`: it is about the whole task, and says that it is done. */
type Found = { id: string; isLeft: boolean; isWhole?: boolean }

function inEntry(
  text: string,
  mentions: (text: string) => Mention[],
  titles: ReadonlyMap<string, string>,
): Found[] {
  const found: Found[] = []
  let list: Mention[] = []
  let title = false
  const all = mentions(text)
  for (const [n, mention] of all.entries()) {
    const before = text.slice(all[n - 1]?.to ?? 0, mention.from).toLowerCase()
    // What a title mentions is not named: "T2: the page behind T1".
    if (title && !/[;,.\n][\s"'`*[]*(?:and\s+)?$/.test(before)) continue
    list = JOINED.test(before) ? [...list, mention] : [mention]
    const behind = text.slice(mention.to, all[n + 1]?.from).toLowerCase()
    title = TITLED.test(behind)
    const [first = mention] = list
    const lead = text.slice(0, first.from).toLowerCase()
    const own = withoutTitle(behind, titles.get(mention.id)).replace(/n['’]t\b/g, ' not')
    const isLeft = saysLeft(n + 1 < all.length ? withoutLead(own) : own, title)
    found.push({
      id: mention.id,
      isLeft: isLeft || LEFT_BEFORE.test(lead.replace(/n['’]t\b/g, ' not')),
      isWhole: SAYS_NO_MORE.test(lead) && SAYS_DONE.test(own),
    })
    // "T1 and T2 are not done" is about both.
    if (isLeft && list.length > 1 && OF_ALL.test(`${text.slice(first.to, mention.from)}${behind}`))
      for (const one of list) found.push({ id: one.id, isLeft })
  }
  return found
}

const JOINED = /^[\s,*_`"'[\]]+(?:(?:and|or)\s+)?$|^\s*[&+]\s*$/
const SAYS_NO_MORE = /^[^\p{L}\p{N}]*(?:(?:all |now )?(?:done|completed|finished)\W+)?$/u
const SAYS_DONE =
  /^(?:[^\p{L}\p{N}()]*(?:and|(?:(?:is|are|now) )*(?:done|completed?|finished|implemented)))?[^\p{L}\p{N}()]*$/u
const TITLED = /^[\s*_`"'\])]*(?:\([^()]*\)\s*)?(?::|\s?[-–—]\s)/
const OF_ALL = /\band\b(?!.*\()|&|\b(?:are|were|have|remain)\b/

// What stands in front of the next task is about that one.
function withoutLead(behind: string): string {
  return behind.replace(LEFT_BEFORE, '').replace(/(?:\s*\b(?:but|and|while|not|except))+\s*$/, '')
}

function withoutTitle(behind: string, title = ''): string {
  const [mark = ''] = /^[\s:–—"'`*()[\]-]*/.exec(behind) ?? []
  const known = title.trim().toLowerCase().replace(/\.$/, '')
  const rest = behind.slice(mark.length)
  return known !== '' && rest.startsWith(known) && !/^\w/.test(rest.slice(known.length))
    ? `${mark}${rest.slice(known.length)}`
    : behind
}

function saysLeft(behind: string, title: boolean): boolean {
  const groups = behind
    .replaceAll('_', ' ')
    .replace(/^[\s*`"'\])]+/, '')
    .split(/([:;.()[\]\n–—]|\s-\s)/)
  const [first = '', ...others] = groups.flatMap((group, n) =>
    n % 2 === 1
      ? []
      : partsOf(group, {
          isFirst: groups.slice(0, n).every((one) => !/\w/.test(one)),
          isName: groups[n + 1] === ':',
        }),
  )
  if (/\((?:all )?(?:but|except)\b/.test(behind)) return true
  if (others.some((part) => IS_LEFT.test(part))) return true
  return title ? IS_LEFT.test(first) : IS_LEFT_AT_ONCE.test(first) || SAYS_LEFT.test(first)
}

// Of a list of words, a vague one is a part of the title: "show items (left, right, missing)".
function partsOf(group: string, { isFirst, isName }: { isFirst: boolean; isName: boolean }) {
  const parts = group.split(',').map((part) => part.replace(/[\s*`"'!{}]+/g, ' ').trim())
  const isList = parts.length > 2 && parts.every((part) => /^\S*$/.test(part))
  const isTitle = (n: number): boolean => isList || (!isFirst && (n < parts.length - 1 || isName))
  return parts.map((part, n) => (VAGUE.test(part) && isTitle(n) ? '' : part))
}
