// What was said, on disk as it is said: one JSON object a line, redacted and bounded. Pieces of
// text are joined before they are written, so that a flood of small chunks does not become a flood
// of lines.
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import type { Redactor } from '../../../core/text/redact.js'
import { SideWrites } from './side-writes.js'

/**
 * After so many bytes a transcript says that it was cut, and keeps only marks of the turn's course.
 */
export const TRANSCRIPT_BYTES = 8 << 20
const JOINED_CHARS = 4_096
/** One event may be as long as a whole file that an agent writes. */
const EVENT_CHARS = 64 * 1024
/** Of an event that is longer, texts up to this length stay: which tool, which file. */
const TEXT_CHARS = 1_024

export class Transcript {
  private readonly fd: number
  private bytes: number
  private cut = false
  private open = true
  private pending: { said: 'text' | 'thought'; text: string } | undefined

  /** Opens for appending: an earlier attempt of the same turn stays. */
  constructor(
    readonly file: string,
    private readonly redact: Redactor,
    private readonly maxBytes = TRANSCRIPT_BYTES,
    private readonly side = new SideWrites(),
  ) {
    this.fd = openSync(file, 'a', 0o600)
    this.bytes = statSync(file).size
  }

  /** Text that is already redacted. */
  said(kind: 'text' | 'thought', text: string): void {
    if (text === '') return
    if (this.pending?.said !== kind) this.flush()
    this.pending = { said: kind, text: (this.pending?.text ?? '') + text }
    if (this.pending.text.length >= JOINED_CHARS) this.flush()
  }

  /** An event of the agent, as it came. */
  event(name: string, raw: unknown): void {
    this.flush()
    const event = { at: new Date().toISOString(), [name]: this.redact.json(raw) }
    const line = JSON.stringify(event)
    if (line.length <= EVENT_CHARS) return this.line(line)
    const short = JSON.stringify(event, (_, value: unknown) =>
      typeof value === 'string' && value.length > TEXT_CHARS
        ? `[${value.length} characters left out]`
        : value,
    )
    this.line(
      short.length <= EVENT_CHARS
        ? short
        : JSON.stringify({ at: event.at, [name]: { leftOut: `${line.length} characters` } }),
    )
  }

  /** A mark of the turn's course; kept also when the transcript is cut. */
  mark(name: string, fields: Record<string, unknown>): void {
    this.flush()
    this.write(JSON.stringify({ at: new Date().toISOString(), [name]: this.redact.json(fields) }))
  }

  flush(): void {
    if (this.pending === undefined) return
    const { said, text } = this.pending
    this.pending = undefined
    this.line(JSON.stringify({ at: new Date().toISOString(), [said]: text }))
  }

  close(): void {
    if (!this.open) return
    this.flush()
    this.open = false
    closeSync(this.fd)
  }

  private line(line: string): void {
    if (this.cut) return
    if (this.bytes + line.length > this.maxBytes) {
      this.cut = true
      this.write(
        JSON.stringify({
          at: new Date().toISOString(),
          truncated: `more than ${this.maxBytes} bytes: further events are not kept here`,
        }),
      )
      return
    }
    this.write(line)
  }

  private write(line: string): void {
    if (!this.open) return
    this.bytes += this.side.try(() => writeSync(this.fd, `${line}\n`)) ?? 0
  }
}

/**
 * The text that earlier attempts of a turn had said, read from its transcript; a broken last line
 * is left out.
 */
export function saidBefore(file: string): string {
  if (!existsSync(file)) return ''
  return readFileSync(file, 'utf8').split('\n').map(textOf).join('')
}

function textOf(line: string): string {
  if (!line.includes('"text":')) return ''
  try {
    const { text } = JSON.parse(line) as { text?: unknown }
    return typeof text === 'string' ? text : ''
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}
