// Fits text to the columns of a terminal. Without a terminal nothing is cut or wrapped.

/** Shortest form of a path. */
const LEAST_PATH = 24

/**
 * Wraps a text into lines of at most `width` characters, between words; a longer word gets its own
 * line.
 */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Puts lines behind a label, with the further ones indented below it. */
export function hanging(label: string, lines: readonly string[]): string[] {
  return lines.map((line, n) => (n === 0 ? label : ' '.repeat(label.length)) + line)
}

/** Abbreviates paths below the home directory with `~`. */
export function withTilde(text: string, home: string | undefined): string {
  return home === undefined || home === '' || home === '/'
    ? text
    : text.replaceAll(`${home}/`, '~/')
}

/**
 * Shortens a path to `width` characters: leaves out its middle, by whole folders if that suffices.
 */
export function cutPath(file: string, width: number): string {
  const most = Math.max(width, LEAST_PATH)
  if (file.length <= most) return file
  const parts = file.split('/')
  const head = parts.slice(0, 2).join('/')
  for (let from = 3; from < parts.length; from++) {
    const cut = [head, '…', ...parts.slice(from)].join('/')
    if (cut.length <= most) return cut
  }
  return `…${file.slice(1 - most)}`
}
