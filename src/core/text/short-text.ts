// Shortens text for one line of a status or report: notes, lists and first sentences.

/** Maximum length of a note, which a history carries from iteration to iteration. */
export const NOTE_CHARS = 500

/** Joins the notes that exist; `undefined` if there are none. */
export function note(parts: readonly (string | undefined)[]): string | undefined {
  const text = parts.filter((t) => t !== undefined).join('; ')
  if (text === '') return undefined
  return text.length > NOTE_CHARS ? `${text.slice(0, NOTE_CHARS - 1)}…` : text
}

/** Returns "a, b and 3 more". */
export function shortList(items: readonly string[], total = items.length, shown = 5): string {
  const first = items.slice(0, shown)
  return total > first.length
    ? `${first.join(', ')} and ${total - first.length} more`
    : first.join(', ')
}

/** Returns the first line, or its first sentences if it is long. */
export function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  if (line.length <= 200) return line
  const end = line.lastIndexOf('. ', 199)
  return end > 0 ? line.slice(0, end + 1) : `${line.slice(0, 199)}…`
}
