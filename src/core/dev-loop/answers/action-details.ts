// Finds what stands behind a WORKER_RESULT block: DETAILED_OUTPUT, its JSON object, and the
// sections that role files ask for instead, `TASK_BREAKDOWN:` and the like, as JSON or as Markdown.
//
// JSON comes first; a key may be written in any case, with `_`, `-` or nothing between its words. A
// name that begins a line in a fence is code.
import { WORKER_ITEM_CHARS, WORKER_ITEMS } from '../../../contract/dev-loop/action-reading.js'
import { closing, isNone, isSample, items } from '../../answers/agent-values.js'
import { keptItems } from '../../dev-cycle/kept-items.js'
import { jsonObjects, type JsonObject } from '../../answers/fenced-json.js'
import { fieldOf } from '../../text/field-of.js'
import { jsonOf } from '../../text/json.js'
import { oneLine } from '../../text/one-line.js'
import { listOf, type ResultBlock } from '../../answers/result-block.js'

/** `objects`: last first. `text`: what the sections are looked for in. */
export type Details = { block: ResultBlock; objects: JsonObject[]; text: string }

/** Number of entries of a list that are read. */
export const ENTRIES_READ = 200
/** Longest section that is looked at, in characters. */
const SECTION_CHARS = 20_000
/** Of a line that may begin a section, in characters. */
const LINE_CHARS = 2_000
const FENCE = /^\s*(?:`{3,}|~{3,})/
/** A line that begins another section: no bullet. */
const NEXT =
  /^[\s>]{0,20}(?:#{1,6}\s|[*_`]{0,5}(?:(?:[A-Z]{2,}_)+[A-Z]{2,}|FAILURES|RECOMMENDATIONS|PREREQUISITES|FINDINGS|HYPOTHESES)[*_`]*\s{0,3}(?::|$))/
const BULLET = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/

/** `evidence`: everything that belongs to the block, its DETAILED_OUTPUT included. */
export function detailsOf(block: ResultBlock, evidence: string): Details {
  // A fence around the whole answer is closed behind the object.
  const open = evidence.replace(/\n\s{0,20}(?:`{3,}|~{3,})\s*$/, '')
  const found = jsonObjects(evidence).objects
  const objects = (found.length > 0 ? found : jsonObjects(open).objects).flatMap((object) => {
    const inner = ['DETAILED_OUTPUT', 'WORKER_RESULT']
      .map((name) => valueIn(object, name))
      .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    return inner.length > 0 ? (inner as JsonObject[]) : [object]
  })
  return { block, objects, text: open }
}

/**
 * What the worker says under one of the names, from JSON; `undefined` where it says nothing there.
 */
export function detail({ objects, text }: Details, names: readonly string[]): unknown {
  for (const name of names) {
    for (const object of objects) {
      const value = valueIn(object, name)
      if (value !== undefined && value !== null) return value
    }
  }
  for (const name of names) {
    const value = jsonAt(
      section(text, name)
        ?.replace(/^\s*(?:`{3,}|~{3,})\w*/, '')
        .trim() ?? '',
    )
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * The text below one of the names, without the fence around the whole of it; `undefined` where
 * there is none.
 */
export function sectionOf({ text }: Details, names: readonly string[]): string | undefined {
  return names
    .map((name) => section(text, name))
    .find((one) => one !== undefined && one.trim() !== '')
}

/**
 * A list from JSON, from the bullets of a section, or from the block; `undefined` where it is
 * nowhere. `say` makes a sentence of an entry.
 */
export function detailList(
  details: Details,
  names: readonly string[],
  say: (entry: unknown) => unknown = (entry) => entry,
): string[] | undefined {
  const value = detail(details, names)
  const text = value === undefined ? sectionOf(details, names) : undefined
  const list =
    value !== undefined
      ? items(Array.isArray(value) ? value.map(say) : say(value))
      : text !== undefined
        ? bulletsIn(text)
        : names
            .map((name) => listOf(details.block, name.toLowerCase()))
            .find((one) => one !== undefined)
  return list === undefined
    ? undefined
    : keptItems(
        list.map((one) => oneLine(one, WORKER_ITEM_CHARS)),
        WORKER_ITEMS,
      )
}

/** A list from the block and from JSON together: prose is none. */
export function saidIn(details: Details, name: string): string[] {
  return [...(listOf(details.block, name) ?? []), ...items(detail(details, [name]))]
}

/** A field by its name in any writing. */
export function valueIn(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  const key = Object.keys(object).find((one) => plainName(one) === plainName(name))
  return key === undefined ? undefined : fieldOf(object, key)
}

/** A text field, in one line; `undefined` where it is empty, or only the sample. */
export function textIn(object: unknown, name: string, most: number): string | undefined {
  const value = valueIn(object, name)
  const text = typeof value === 'string' ? oneLine(value, most) : ''
  return isNone(text) || isSample(text) ? undefined : text
}

/** The bullets of a Markdown list, one line each: what is indented below one belongs to it. */
export function bulletsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !FENCE.test(line))
  const base = Math.min(...lines.map((line) => BULLET.exec(line)?.[1]?.length ?? Infinity))
  if (base === Infinity) return items(text.trim())
  const found: string[] = []
  for (const line of lines) {
    const [, indent = '', item] = BULLET.exec(line) ?? []
    if (item !== undefined && indent.length <= base) found.push(item)
    else if (found.length > 0) found.push(`${found.pop() ?? ''}; ${(item ?? line).trim()}`)
  }
  return items(found)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '')
}

function section(text: string, name: string): string | undefined {
  const heading = new RegExp(
    `^[\\s#>*_\`-]{0,20}${name.replaceAll('_', '[ _]')}[*_\`]*\\s{0,3}(?::[*_\`]*\\s*(.*)|$)`,
    'i',
  )
  const lines = text.split('\n')
  const at = outside(lines, (line) => heading.test(line))
  if (at === undefined) return undefined
  const inline = heading.exec((lines[at] ?? '').slice(0, LINE_CHARS))?.[1] ?? ''
  const below = lines.slice(at + 1)
  return [
    inline,
    ...below.slice(
      0,
      outside(below, (line) => NEXT.test(line)),
    ),
  ]
    .join('\n')
    .slice(0, SECTION_CHARS)
    .trim()
}

// Where the first line stands that is no part of a fence; a fence that is never closed is none.
function outside(lines: readonly string[], wanted: (line: string) => boolean): number | undefined {
  const last = lines.findLastIndex((line) => FENCE.test(line))
  let fenced = false
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) fenced = !fenced && at < last
    else if (!fenced && wanted(line.slice(0, LINE_CHARS))) return at
  }
  return undefined
}

/** The array or object that a text begins with; `undefined` where there is none. */
export function jsonAt(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  const end = closing(text, '[]{}')
  return end < 0 ? undefined : jsonOf(text.slice(0, end + 1))
}
