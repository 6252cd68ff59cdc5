// The pieces that prompts are put together from. Everything that grows is bounded here, what is
// left out is said, and no text of a project or an agent can end its own fence.

import { oneLine } from '../text/one-line.js'

export { oneLine } from '../text/one-line.js'

/** A heading and what stands below it. */
export function section(heading: string, lines: readonly string[]): string {
  return [heading, '', ...lines].join('\n')
}

/** Parts with a blank line between them; empty ones are left out. */
export function joined(parts: readonly string[]): string {
  return parts
    .map((p) => p.trim())
    .filter((p) => p !== '')
    .join('\n\n')
}

/**
 * The first characters of a text, with a line that says how many more there are `what` ("of the
 * error").
 */
export function bounded(text: string, most: number, what: string): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most)}\n[${text.length - most} more characters ${what} are left out]`
}

/** A fence longer than any in the text, so that the text cannot end it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((m) => m[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/**
 * A value as fenced, indented JSON; a longer text than `most` is cut, and that is said outside of
 * the fence.
 */
export function fencedJson(value: unknown, most = Infinity): string {
  const text = JSON.stringify(value, null, 2)
  if (text.length <= most) return fenced(text, 'json')
  return `${fenced(text.slice(0, most), 'json')}\n[the JSON is cut: ${text.length - most} more characters are left out]`
}

/** Bullets, at most `most`, and how many more there are. */
export function bullets(items: readonly string[], most: number, chars = 500): string[] {
  const shown = items.slice(0, most).map((item) => `- ${oneLine(item).slice(0, chars)}`)
  return items.length > most ? [...shown, `- … and ${items.length - most} more, not shown`] : shown
}

/** What a person wants otherwise than a plan has it; empty if no person said so. */
export function changeSection(words: string | undefined): string {
  if (words === undefined) return ''
  return section('## What A Person Wants Changed', [
    'A person has read the plan and did not approve it. Make the plan again, with this change:',
    '',
    fenced(words),
  ])
}
