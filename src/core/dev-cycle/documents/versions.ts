// The version that all main documents of an iteration carry. It is Ratchet's: another number that
// an agent writes is replaced and noted, and never holds a cycle.
import { oneLine } from '../../text/one-line.js'
import { jsonDocument } from './json-document.js'

/**
 * Lines at the top of a document in which its own version stands; a number further down is the
 * text's.
 */
const HEAD = 60
/** Maximum length of a version in messages and file names. */
const VERSION_CHARS = 40

/** 1.0.0 for the first iteration, then one minor version more for each. */
export function cycleVersion(iteration: number): string {
  return `1.${Math.max(0, iteration - 1)}.0`
}

/**
 * Name of an older version of a document in `history/`; nothing in the version can leave that
 * folder.
 */
export function historyName(file: string, version: string): string {
  const [, name = file, extension = ''] = /^(.+?)(\.[^.]+)?$/.exec(file) ?? []
  return `${name}-v${version
    .replace(/[^\w.+-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, VERSION_CHARS)}${extension}`
}

/** The version a document says it has: JSON the top-level `version`, Markdown at its top. */
export function versionOf(file: string, text: string): string | undefined {
  if (isJson(file)) return jsonVersion(objectOf(text))
  return isMarkdown(file) ? placeOf(text.split('\n'))?.value : undefined
}

/**
 * A document with this version; `replaced` is another number that stood there.
 *
 * JSON that cannot be read, and files that are neither JSON nor Markdown, are left alone.
 */
export function withVersion(
  file: string,
  text: string,
  version: string,
): { text: string; replaced?: string } {
  const before = versionOf(file, text)
  if (before === version) return { text }
  const replaced =
    before === undefined || before === '' ? {} : { replaced: oneLine(before, VERSION_CHARS) }
  if (isJson(file)) {
    const object = objectOf(text)
    return object === undefined
      ? { text }
      : {
          text: `${JSON.stringify({ version, ...object, ...(Object.hasOwn(object, 'version') ? { version } : {}) }, null, 2)}\n`,
          ...replaced,
        }
  }
  return isMarkdown(file) ? { text: inMarkdown(text, version), ...replaced } : { text }
}

function isJson(file: string): boolean {
  return file.endsWith('.json')
}

function isMarkdown(file: string): boolean {
  return file.endsWith('.md')
}

function objectOf(text: string): Record<string, unknown> | undefined {
  const read = jsonDocument(text)
  return read.ok &&
    typeof read.value === 'object' &&
    read.value !== null &&
    !Array.isArray(read.value)
    ? (read.value as Record<string, unknown>)
    : undefined
}

function jsonVersion(object: Record<string, unknown> | undefined): string | undefined {
  const version =
    object !== undefined && Object.hasOwn(object, 'version') ? object['version'] : undefined
  return typeof version === 'string' || typeof version === 'number'
    ? String(version).trim()
    : undefined
}

/**
 * Where a version stands: the line, and the columns from the first of its characters to after the
 * last.
 */
type Place = { line: number; from: number; to: number; value: string }

// The first kind that there is counts, not the first line: a table of a document's status is more
// certainly about the document than a sentence that begins with the word.
function placeOf(lines: readonly string[]): Place | undefined {
  const head = lines.slice(0, HEAD)
  const end = frontMatterEnd(head)
  const plain = head.map((line, n) => ({ line, n })).filter(({ n }) => n > end && !inFence(head, n))
  const matter = head.map((line, n) => ({ line, n })).filter(({ n }) => n > 0 && n < end)
  return (
    first(matter, /^(version:[ \t]*)(["']?)([^"'\r]*)/i) ??
    tableVersion(head, plain) ??
    first(plain, /^(\s*(?:[-*+>] )?\*\*version(?::\*\*|\*\*[ \t]*:)[ \t]*)(`?)([^`\r]*)/i) ??
    first(plain, /^((?:[-*+>] )?version:[ \t]*)(`?)([^`\r]*)/i)
  )
}

type Numbered = readonly { line: string; n: number }[]

function first(lines: Numbered, pattern: RegExp): Place | undefined {
  for (const { line, n } of lines) {
    const [, label, quote = '', value = ''] = pattern.exec(line) ?? []
    if (label === undefined) continue
    const from = label.length + quote.length
    return { line: n, from, to: from + value.trimEnd().length, value: value.trim() }
  }
  return undefined
}

const RULE = /^\s*\|?[\s:|-]*-[\s:|-]*$/

// `| Version | 1.0.0 |`, or the column of a table whose heading is "Version".
function tableVersion(head: readonly string[], lines: Numbered): Place | undefined {
  for (const { line, n } of lines) {
    const at = cells(line).findIndex((one) => /^\W*version\W*$/i.test(one.value))
    if (at < 0) continue
    const next = cells(line)[at + 1]
    const heads = RULE.test(head[n + 1] ?? '')
    if (!heads || (at === 0 && /^v?\d/.test(next?.value ?? ''))) {
      if (at === 0 && next !== undefined) return { line: n, ...next }
      continue
    }
    const below = cells(head[n + 2] ?? '')[at]
    if (below !== undefined) return { line: n + 2, ...below }
  }
  return undefined
}

function cells(line: string): { from: number; to: number; value: string }[] {
  if (!line.trimStart().startsWith('|')) return []
  return [
    ...line
      .trimEnd()
      .replace(/\|$/, '')
      .matchAll(/\|([^|]*)/g),
  ].map(({ index, 1: raw = '' }) => {
    const value = raw.trim()
    const from =
      index + 1 + (value === '' ? Math.min(1, raw.length) : raw.length - raw.trimStart().length)
    return { from, to: from + value.length, value }
  })
}

function inMarkdown(text: string, version: string): string {
  const lines = text.split('\n')
  const place = placeOf(lines)
  if (place !== undefined) {
    const line = lines[place.line] ?? ''
    const gap = /[\s|"'`]$/.test(line.slice(0, place.from)) ? '' : ' '
    lines[place.line] = `${line.slice(0, place.from)}${gap}${version}${line.slice(place.to)}`
    return lines.join('\n')
  }
  const end = frontMatterEnd(lines.slice(0, HEAD))
  // Where it is found again: a heading further down is no title.
  const heading = lines
    .slice(0, HEAD / 2)
    .findIndex((line, n) => n > end && /^#{1,6}\s/.test(line) && !inFence(lines, n))
  const after = heading >= 0 ? heading : end
  const above = lines.slice(0, after + 1)
  const below = lines.slice(after + 1)
  while (below[0]?.trim() === '') below.shift()
  return [
    ...above,
    ...(above.length > 0 ? [''] : []),
    `**Version**: ${version}`,
    '',
    ...below,
  ].join('\n')
}

/** Line that closes the front matter, or -1. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.replace(/^\ufeff/, '').trimEnd() !== '---') return -1
  return lines.findIndex((line, n) => n > 0 && n < HEAD / 2 && line.trimEnd() === '---')
}

function inFence(lines: readonly string[], at: number): boolean {
  return lines.slice(0, at).filter((line) => /^\s*(```|~~~)/.test(line)).length % 2 === 1
}
