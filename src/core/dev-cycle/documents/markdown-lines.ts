// Markdown as agents write it, line by line: what a document says under which heading. Fenced code
// is left out, and so are comments, rules and the heads of tables.
import { bare, isNone } from '../../answers/agent-values.js'
import { oneLine } from '../../text/one-line.js'

/** `box`: the state of a check box before an item. */
export type MarkdownLine =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'item'; indent: number; text: string; box?: 'open' | 'done' }
  | { kind: 'row'; cells: string[]; head: string[] }
  | { kind: 'text'; indent: number; text: string }

/** Something that a section lists, and what stands below it. */
export type Entry = { text: string; details: string[]; done: boolean }

/** Most of a line and of a heading that is read, in characters. */
const LINE_CHARS = 2_000
const HEADING_CHARS = 300

/** The lines of a document that say something. */
export function markdownLines(text: string): MarkdownLine[] {
  const lines = withoutComments(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => line.slice(0, LINE_CHARS))
  const read: MarkdownLine[] = []
  let fence = ''
  let head: string[] = []
  lines.forEach((line, i) => {
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== '' || mark !== '') {
      fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
      return
    }
    const [, hashes = '', title = ''] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
    const [, before = '', box, item = ''] =
      /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line) ?? []
    if (!line.trimStart().startsWith('|')) head = []
    if (line.trim() === '' || /^\s*(?:[-*_]\s*){3,}$/.test(line)) return
    if (hashes !== '')
      read.push({
        kind: 'heading',
        level: hashes.length,
        text: plain(title.slice(0, HEADING_CHARS).replace(/[\s#:]+$/, '')),
      })
    else if (item !== '')
      read.push({
        kind: 'item',
        indent: before.length,
        text: plain(item),
        ...(box === undefined ? {} : { box: box === ' ' ? ('open' as const) : ('done' as const) }),
      })
    else if (line.trimStart().startsWith('|')) {
      const row = cells(line)
      if (isRule(line)) return
      if (isRule(lines[i + 1] ?? '')) head = row
      else read.push({ kind: 'row', cells: row, head })
    } else
      read.push({ kind: 'text', indent: line.length - line.trimStart().length, text: plain(line) })
  })
  return read
}

/**
 * What stands under the headings that fit, with the headings below them; `undefined` where there is
 * none.
 */
export function sectionsOf(
  lines: readonly MarkdownLine[],
  fits: (heading: string) => boolean,
): MarkdownLine[] | undefined {
  let level = 0
  let found = false
  const kept = lines.filter((line) => {
    if (line.kind === 'heading' && (level === 0 || line.level <= level)) {
      level = fits(line.text) ? line.level : 0
      found ||= level > 0
      return false
    }
    return level > 0
  })
  return found ? kept : undefined
}

/**
 * What a section lists: items, rows, and headings below it. A heading whose items are all of the
 * form "key: …" is an entry and they are its details; above other items it is a group.
 */
export function entriesOf(section: readonly MarkdownLine[]): Entry[] {
  const groups: { heading?: string; entries: Entry[]; texts: string[] }[] = [
    { entries: [], texts: [] },
  ]
  let base = 0
  for (const line of section) {
    const group = groups.at(-1)
    const last = group?.entries.at(-1)
    if (line.kind === 'heading') groups.push({ heading: line.text, entries: [], texts: [] })
    else if (line.kind === 'row')
      group?.entries.push({
        text: line.cells.filter((cell) => cell !== '').join(' - '),
        details: line.cells.map((cell, i) => `${line.head[i] ?? ''}: ${cell}`),
        done: false,
      })
    else if (line.kind === 'item' && (last === undefined || line.indent <= base)) {
      base = line.indent
      group?.entries.push({ text: line.text, details: [], done: line.box === 'done' })
    } else if (last !== undefined && line.indent > base) last.details.push(line.text)
    else group?.texts.push(line.text)
  }
  return groups
    .flatMap(({ heading, entries, texts }) => {
      if (
        heading !== undefined &&
        entries.every(({ text }) => /^[\w /-]{1,24}:(?:\s|$)/.test(text))
      )
        return [
          {
            text: heading,
            details: [...texts, ...entries.flatMap(({ text, details }) => [text, ...details])],
            done: false,
          },
        ]
      return entries.length === 0 && heading === undefined && texts.length > 0
        ? [{ text: texts.join(' '), details: [], done: false }]
        : entries
    })
    .filter(({ text }) => !isNone(text))
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.replaceAll('\\|', '|')))
}

function isRule(line: string): boolean {
  return line.includes('|') && line.includes('-') && /^[\s:|-]+$/.test(line)
}

// One that is never closed is text.
function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', open)
    if (end < 0) break
    kept.push(text.slice(from, open))
    from = end + 3
  }
  return [...kept, text.slice(from)].join('')
}

// Without bold and code marks: what is left is the text.
function plain(text: string): string {
  return bare(oneLine(text).replace(/\*\*|__(?=\S)|(?<=\S)__|`/g, ''))
}
