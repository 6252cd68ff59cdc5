// The failure signature of a test: what stays the same while it fails for the same reason.
//
// Error type and message without what differs from run to run, and the first stack frame inside the
// project as file and function. Another signature is progress. With the same one a test may still
// have got further: see `reach`.
import { textDigest } from '../../text/text-digest.js'
import { frameIn, isOutside } from './stack-frames.js'

/** Longest message, in characters, that is compared. */
const MESSAGE_CHARS = 400
/** Lines of an error that are searched for a frame. */
const LINES_SEARCHED = 60

/**
 * Signature of a failure, 16 hex digits.
 *
 * @param errors of several runs of the same commit, the first at index 0: words that differ between
 * them do not count
 */
export function signatureOf(errors: readonly string[]): string {
  const [first = '', ...others] = errors
  const message = others.reduce(
    (common, other) => commonWords(common, stable(messageOf(other))),
    stable(messageOf(first)),
  )
  return textDigest(`${message}\0${frameOf(first)}`)
}

/** The message: lines up to the first frame, or up to the first blank line. */
function messageOf(error: string): string {
  const lines = error.split('\n', LINES_SEARCHED)
  const begin = lines.findIndex((line) => line.trim() !== '')
  if (begin === -1) return ''
  const rest = lines.slice(begin)
  const end = rest.findIndex(
    (line, n) => n > 0 && (line.trim() === '' || frameIn(line) !== undefined),
  )
  return rest
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .slice(0, MESSAGE_CHARS)
}

/** Takes out numbers, quoted literals, long hex and base64, paths and times. */
function stable(message: string): string {
  return message
    .replace(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g, '<text>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(/(?:[A-Za-z]:)?(?:\.{0,2}[/\\])[\w@.+~-]+(?:[/\\][\w@.+~-]*)*/g, '<path>')
    .replace(/\b0x[0-9a-f]+\b/gi, '<n>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b/gi, '<n>')
    .replace(/\b(?=[A-Za-z+/]*\d)(?=\w*[A-Z])(?=\w*[a-z])[A-Za-z0-9+/]{6,}={0,2}/g, '<n>')
    .replace(/-?\d+(?:[.,_]\d+)*(?:e[+-]?\d+)?/gi, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
}

function commonWords(one: string, other: string): string {
  const [a, b] = [one.split(' '), other.split(' ')]
  return a.length === b.length
    ? a.map((word, n) => (word === b[n] ? word : '<…>')).join(' ')
    : `${a[0] ?? ''} <…>`
}

/**
 * First frame inside the project as `file fn`, without its line; empty where the error has none.
 */
function frameOf(error: string): string {
  for (const line of error.split('\n', LINES_SEARCHED)) {
    const frame = frameIn(line)
    if (frame === undefined || isOutside(frame)) continue
    // The last two parts: each workspace lies elsewhere.
    return `${frame.file.split(/[/\\]/).slice(-2).join('/')} ${frame.fn}`
  }
  return ''
}
