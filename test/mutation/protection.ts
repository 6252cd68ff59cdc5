// A protection that can be removed, and the test that fails without it.

export type Protection = {
  /** What is removed, as text. */
  protection: string
  /**
   * File below the repository, its protecting code, which occurs once in any formatting, and the
   * replacement.
   */
  file: string
  find: string
  replace: string
  /** The test that fails: its file, and a part of its full name. */
  red: { file: string; name: string }
}

/**
 * Finds a piece of code in a file. Line breaks, indentation and trailing commas may differ, as a
 * formatter sets them.
 *
 * @returns offsets of the first match and the number of matches
 */
export function codeIn(
  source: string,
  find: string,
): { start: number; end: number; matches: number } {
  const tokens = find.replaceAll(/,(?=\s*[)\]}])/g, '').match(/\w+|[^\w\s]/g) ?? []
  const pattern = tokens
    .map((token) => (/^[)\]}]$/.test(token) ? `(?:,\\s*)?\\${token}` : token.replace(/\W/, '\\$&')))
    .join('\\s*')
  const [first, ...more] = [...source.matchAll(new RegExp(pattern, 'g'))]
  return first === undefined
    ? { start: 0, end: 0, matches: 0 }
    : { start: first.index, end: first.index + first[0].length, matches: 1 + more.length }
}
