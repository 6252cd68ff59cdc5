// Texts that come from test runners, agents and task files, made fit for one line of a prompt, of a
// Markdown file or of the Web UI: nothing in them begins a line, a cell, a heading or a question of
// its own.
import { firstChars } from './test-text.js'

/** Longest name, path or message in a line, in characters. */
export const LINE_SHOWN = 300

// Control characters, and what turns the direction of a line or hides in it.
const BREAKS = /[\s\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

/** A text in one line, without control characters. */
export function oneLine(text: string, most = Infinity): string {
  return firstChars(text.replace(BREAKS, ' ').trim(), most)
}

/** A text for a line or a table cell of Markdown. */
export function cell(text: string, most = Infinity): string {
  return oneLine(text.replaceAll('|', '/'), most)
}

/** A text as inline code that it cannot end: nothing in it is Markdown. */
export function code(text: string, most = LINE_SHOWN): string {
  const line = oneLine(text, most)
  if (line === '') return '` `'
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}

/**
 * A text for a line of Markdown that stands as it is read: what would be Markdown in it is escaped.
 */
export function plainLine(text: string, most = LINE_SHOWN): string {
  return oneLine(text, most).replace(/[\\`*[\]<>|]/g, String.raw`\$&`)
}
