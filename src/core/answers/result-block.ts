// Finds result blocks in an agent's answer: a line `NAME:`, then `- key: value` lines.
//
// Agents decorate: fences, bold, other bullets, no bullets, CRLF, lists over several lines. A value
// that only repeats the format sample is left out, so that an echoed sample is a block without a
// status. A block ends at the first line that is none of its own: prose below it is not read.
import { bare, closing, count, isSample, items, listText, percent } from './agent-values.js'
import { oneLine } from '../text/one-line.js'

/** A value as it stands, its lines joined with newlines; `items` are the bullets below its key. */
export type BlockField = { text: string; items: string[] }
/**
 * Fields by key in lower case, words joined by `_`; `rest` is what follows, up to the next block of
 * that name.
 */
export type ResultBlock = { fields: ReadonlyMap<string, BlockField>; rest: string }

/** Longest line that can be a heading or begin a field, in characters. */
const HEAD_CHARS = 200
/** Longest list in brackets that is looked for its end over several lines, in characters. */
const OPEN_CHARS = 20_000
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/

/**
 * Every block of a name, in order, echoed samples included: these have hardly a field. `keys` are
 * the known ones.
 *
 * `end` tells a line that begins something else, also where it could be read as a field.
 */
export function resultBlocks(
  text: string,
  name: string,
  keys: readonly string[],
  end: (line: string) => boolean = () => false,
): ResultBlock[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const isHeading = headingOf(name)
  const found: { block: Map<string, BlockField>; from: number; to: number }[] = []
  let fence = ''
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (!isHeading(line)) {
      fence = fenceAfter(fence, line)
      continue
    }
    const last = found.at(-1)
    if (last !== undefined) last.to = Math.min(last.to, i)
    const read = fieldsFrom(lines, i + 1, {
      fence,
      keys: new Set(keys),
      isEnd: (one) => isHeading(one) || end(one),
    })
    if (read === undefined) continue
    found.push({ block: read.fields, from: read.next, to: lines.length })
    fence = read.fence
    i = read.next - 1
  }
  return found.map(({ block, from, to }) => ({
    fields: realFields(block),
    rest: lines.slice(from, to).join('\n'),
  }))
}

/** Tells the lines that are the heading of a block of that name, decorated or not. */
export function headingOf(name: string): (line: string) => boolean {
  const heading = new RegExp(
    `^[\\s#*_\`=<[-]*${name.replaceAll('_', '[_ ]')}[*_\`]*\\s*:?[*_\`\\s=>\\]-]*$`,
    'i',
  )
  return (line) => line.length <= HEAD_CHARS && heading.test(line)
}

/** One line without decoration; `undefined` where the key is not there or has no value. */
export function textOf({ fields }: ResultBlock, key: string): string | undefined {
  const field = fields.get(key)
  if (field === undefined) return undefined
  const text = bare(oneLine(field.text === '' ? field.items.join('; ') : field.text))
  return text === '' ? undefined : text
}

/** A list in any of its forms; `undefined` where the key is not there. */
export function listOf({ fields }: ResultBlock, key: string): string[] | undefined {
  const field = fields.get(key)
  if (field === undefined) return undefined
  return field.items.length > 0 ? items(field.items) : listText(field.text)
}

/** Percent, 0-100; `null` where it says none. */
export function percentOf({ fields }: ResultBlock, key: string): number | null {
  return percent(fields.get(key)?.text)
}

/** A count, also of the entries of a list; `undefined` where it says none. */
export function countOf(block: ResultBlock, key: string): number | undefined {
  const field = block.fields.get(key)
  return field !== undefined && field.text === '' && field.items.length > 0
    ? listOf(block, key)?.length
    : count(field?.text)
}

function realFields(fields: Map<string, BlockField>): Map<string, BlockField> {
  return new Map(
    [...fields].filter(
      ([, { text, items: list }]) =>
        !(isSample(text) && list.length === 0) && !(list.length > 0 && list.every(isSample)),
    ),
  )
}

/** `plain`: the key is a word in lower case, as the keys of the forms are. */
type Field = { indent: number; bulleted: boolean; key: string; plain: boolean; value: string }
/** `bullets`: where the bullets of the field stand, once there is one. */
type Reading = BlockField & { bullets?: number }

function fieldOn(line: string): Field | undefined {
  const head = line.slice(0, HEAD_CHARS)
  const [whole, indent = '', bullet = '', key = ''] =
    /^(\s*)((?:[-*+•]|\d{1,3}[.)])\s+)?[*_`"]*([A-Za-z][A-Za-z0-9_ -]{0,40}?)[*_`"]*\s*:[*_`]*/.exec(
      head,
    ) ?? []
  if (whole === undefined) return undefined
  return {
    indent: indent.length,
    bulleted: bullet !== '',
    plain: /^[a-z][a-z0-9_]*$/.test(key),
    key: key
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
    value: line.slice(whole.length).trim(),
  }
}

type Ground = { fence: string; keys: ReadonlySet<string>; isEnd: (line: string) => boolean }

// Reads on from the line below a heading; `undefined` where no field follows.
function fieldsFrom(
  lines: readonly string[],
  from: number,
  { fence: open, keys, isEnd }: Ground,
): { fields: Map<string, BlockField>; next: number; fence: string } | undefined {
  let fence = open
  let i = from
  for (; i < lines.length && (lines[i]?.trim() === '' || FENCE.test(lines[i] ?? '')); i++)
    fence = fenceAfter(fence, lines[i] ?? '')
  const first = fieldOn(lines[i] ?? '')
  if (first === undefined) return undefined
  const fields = new Map<string, BlockField>()
  let current: Reading = { text: '', items: [] }
  const starts = (line: string): Field | undefined => {
    const field = fieldOn(line)
    return field !== undefined &&
      field.bulleted === first.bulleted &&
      field.indent <= first.indent + 1
      ? field
      : undefined
  }
  for (; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (isEnd(line)) break
    if (FENCE.test(line)) {
      const after = fenceAfter(fence, line)
      // The fence around the block is closed here: what follows is outside of it.
      if (fence === '' || after !== '') break
      return { fields, next: i + 1, fence: after }
    }
    const field = starts(line)
    const known = field !== undefined && keys.has(field.key)
    if (!known && line.trim() !== '' && isOpen(current)) current.text += `\n${line.trim()}`
    else if (line.trim() === '') {
      // A loose list has blank lines between its entries; anything else below one is prose.
      const next = starts(lines.slice(i + 1, i + 4).find((one) => one.trim() !== '') ?? '')
      if (next === undefined || !keys.has(next.key) || fields.has(next.key)) break
    } else if (
      field !== undefined &&
      (known || !field.bulleted || field.plain || !takesBullets(current, field.indent))
    ) {
      current = { text: /^[|>][+-]?$/.test(field.value) ? '' : field.value, items: [] }
      fields.set(field.key, current)
    } else if (!continued(current, line, first.indent)) break
  }
  return { fields, next: i, fence }
}

function continued(current: Reading, line: string, base: number): boolean {
  const indent = line.length - line.trimStart().length
  const item = BULLET.exec(line)?.[1]
  if (item !== undefined && (indent > base || takesBullets(current, indent))) {
    current.items.push(item)
    current.bullets ??= indent
  } else if (indent <= base) return false
  else if (current.items.length > 0)
    current.items.push(`${current.items.pop() ?? ''} ${line.trim()}`)
  else current.text += `${current.text === '' ? '' : '\n'}${line.trim()}`
  return true
}

// Bullets of a list may stand where those of the keys do, if they did from the first.
function takesBullets({ text, bullets }: Reading, indent: number): boolean {
  return text === '' && (bullets === undefined || bullets === indent)
}

function isOpen({ text }: BlockField): boolean {
  return text.startsWith('[') && text.length <= OPEN_CHARS && closing(text) < 0
}

function fenceAfter(fence: string, line: string): string {
  const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
  if (mark === '') return fence
  if (fence === '') return mark.startsWith('`') && rest.includes('`') ? '' : mark
  return mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === '' ? '' : fence
}
