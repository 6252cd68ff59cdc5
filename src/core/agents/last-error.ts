// The error in what a program wrote to standard error before it ended.
import { oneLine } from '../text/one-line.js'

/** Longest error that is named in a reason. */
const SHOWN = 400

// A line such as "Error: no such module", "json.JSONDecodeError: bad", "error: unknown option" or
// "panic: closed".
const ERROR_LINE = /^\s*(?:[\w.]*(?:Error|Exception)\b|(?:error|fatal|panic)\b)/i

/**
 * Returns the last error in one line, from its own line on; without one, the end of the text. Stack
 * traces stand before the error in Python and after it in Node, so neither end alone names it.
 */
export function lastError(text: string): string {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => ERROR_LINE.test(line))
  if (at >= 0) return oneLine(lines.slice(at).join('\n'), SHOWN)
  const line = oneLine(text)
  return line.length <= SHOWN ? line : `…${line.slice(1 - SHOWN)}`
}
