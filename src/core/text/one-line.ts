// Fits texts of test runners, agents and task files into one line of a prompt, of Markdown or of
// the Web UI: nothing in them starts a new line, cell, heading or question.
import { firstChars } from './test-text.js'

/** Longest name, path or message in a line, in characters. */
export const LINE_SHOWN = 300

// Control characters, and characters that change the direction of a line or are invisible.
const BREAKS = /[\s\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

/** Returns a text in one line, without control characters. */
export function oneLine(text: string, most = Infinity): string {
  return firstChars(text.replace(BREAKS, ' ').trim(), most)
}

/** Returns a text for a line or a table cell of Markdown. */
export function cell(text: string, most = Infinity): string {
  return oneLine(text.replaceAll('|', '/'), most)
}

/** Returns a text as inline code that it cannot end. */
export function code(text: string, most = LINE_SHOWN): string {
  const line = oneLine(text, most)
  if (line === '') return '` `'
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}

/** Returns a text for a line of Markdown, with all Markdown in it escaped. */
export function plainLine(text: string, most = LINE_SHOWN): string {
  return oneLine(text, most).replace(/[\\`*[\]<>|]/g, String.raw`\$&`)
}
