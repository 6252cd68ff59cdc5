// Fits texts of test runners into results: no colours, no control characters, short.

/** Longest error, in characters, that the file of a run keeps for one test. */
export const ERROR_KEPT = 4_000

/** Longest name of a test or file, in characters. */
export const NAME_KEPT = 300

/** Removes ANSI escape sequences and control characters except tab and newline. */
export function plainText(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(\u0007|\u001b\\)/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

/**
 * Returns the first line of a test's error. If it ends in a colon, the next one is part of it: the
 * assertions of Node have the values there.
 */
export function errorLine(error: string): string {
  const [first = '', ...rest] = error.split('\n')
  const next = rest.find((line) => line.trim() !== '')
  return first.trimEnd().endsWith(':') && next !== undefined
    ? `${first.trimEnd()} ${next.trim()}`
    : first
}

/**
 * Returns the first characters of a text; a cut text ends in "…". Never splits a surrogate pair.
 */
export function firstChars(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the last characters of a text, from the start of a line if one is near. */
export function lastChars(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.slice(-most)
  const line = end.indexOf('\n')
  return line >= 0 && line < most / 4 ? end.slice(line + 1) : end.replace(/^[\udc00-\udfff]/, '')
}

/** Returns the size of a value as JSON in UTF-8 bytes. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}

/** Returns the first items, at most `most` of them and `bytes` as JSON. */
export function firstWithin<T>(items: readonly T[], most: number, bytes: number): T[] {
  const kept: T[] = []
  let left = bytes
  for (const item of items.slice(0, most)) {
    left -= jsonBytes(item) + 1
    if (left < 0) break
    kept.push(item)
  }
  return kept
}

/** Returns a text of at most so many bytes as JSON; `cut` shortens it. */
export function textWithin(
  text: string,
  bytes: number,
  cut: (text: string, most: number) => string,
): string {
  let kept = text
  while (jsonBytes(kept) > bytes) kept = cut(kept, Math.floor(kept.length * 0.9))
  return kept
}
