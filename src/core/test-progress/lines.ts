// Splits a stream into plain lines with little memory: of a long line only the beginning is kept.
import { plainText } from '../text/test-text.js'

/** Maximum length of a line about tests, including colours. */
const LINE_CHARS = 4_000

export type Lines = {
  write(text: string): void
  /** Returns the beginning of the incomplete line, without colours. */
  unfinished(): string
}

/** Calls `take` with each complete line, without colours. */
export function lines(take: (line: string) => void): Lines {
  let line = ''
  const add = (text: string) => {
    if (line.length < LINE_CHARS) line += text.slice(0, LINE_CHARS - line.length)
  }
  return {
    write(text) {
      let at = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
        add(text.slice(at, end))
        take(plainText(line))
        line = ''
        at = end + 1
      }
      add(text.slice(at))
    },
    unfinished: () => plainText(line),
  }
}
