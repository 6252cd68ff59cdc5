// Text made to fit the columns of a terminal. Where there is none, nothing is cut and nothing
// wrapped.

/** Least that is left of a path. */
const LEAST_PATH = 24

/**
 * A text in lines of at most so many characters, broken between words; a longer word stands alone.
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

/** Lines behind a label, the further ones below it. */
export function hanging(label: string, lines: readonly string[]): string[] {
  return lines.map((line, n) => (n === 0 ? label : ' '.repeat(label.length)) + line)
}

/** A text whose paths below the home directory begin with `~`. */
export function withTilde(text: string, home: string | undefined): string {
  return home === undefined || home === '' || home === '/'
    ? text
    : text.replaceAll(`${home}/`, '~/')
}

/**
 * A path in so many characters: of a longer one the middle is left out, whole folders of it where
 * that is enough.
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
