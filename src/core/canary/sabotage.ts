// What every writer of canaries is given.

/**
 * What to sabotage: a test by its reported name, and the text that it fails with: letters and
 * digits.
 */
export type Sabotage = { source: string; file: string; test: string; text: string }

/** Inserts texts at positions of a source. */
export function inserted(
  source: string,
  insertions: readonly { at: number; text: string }[],
): string {
  return [...insertions]
    .sort((a, b) => b.at - a.at)
    .reduce((all, { at, text }) => `${all.slice(0, at)}${text}${all.slice(at)}`, source)
}
